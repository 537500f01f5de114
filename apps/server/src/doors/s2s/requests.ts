import * as contract from '@coinslot/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthenticatedKey } from '../../domain/game/keys/authenticate-key.ts';
import { listRequests } from '../../domain/game/keys/request-log.sql.ts';
import type { RequestLog } from '../../domain/game/keys/request-log.ts';
import { pageOf } from '../../http/paging.ts';
import { scrub } from '../../http/scrub.ts';
import type { AppError } from '../../kit/app-error.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import type { S2sMount, S2sShop } from './s2s-shop.ts';

const PATH_CHARS = 300;
const DETAIL_CHARS = 500;
const MOST_ISSUES = 5;

/** With the ids of the path filled in, but not the player's: a log is no place for what is known of a person. */
function pathOf({ routeOptions, params }: FastifyRequest): string {
  const given = params as Record<string, string | undefined>;
  const filled = (routeOptions.url ?? '').replace(/:(\w+)/g, (_, name: string) =>
    name === 'player_id' ? '{player_id}' : encodeURIComponent(given[name] ?? ''),
  );
  return filled.slice(0, PATH_CHARS);
}

/** The detail of the caller's answer, without secrets, whatever a use case has put into it. */
function detailOf({ issues = [], message }: AppError): string {
  const fields = issues.slice(0, MOST_ISSUES).map(issue => `${issue.pointer}: ${issue.message}`);
  return String(scrub(fields.length > 0 ? fields.join(' · ') : message)).slice(0, DETAIL_CHARS);
}

/** Notes every answer to a known key. Before the calls are mounted, because a hook is for what comes after it. */
export function noteRequests(app: FastifyInstance, log: RequestLog): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const key = request.caller as Partial<AuthenticatedKey> | null;
    if (!key?.keyId || !key.environment || request.routeOptions.url === contract.listRequests.path) return;
    const { keyId, environment } = key;
    log.add(keyId, reply.statusCode >= 400, () => ({
      environmentId: environment.id,
      keyId,
      id: request.id,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      code: request.problem?.code ?? null,
      detail: request.problem && detailOf(request.problem),
      durationMs: Math.round(reply.elapsedTime),
    }));
  });
}

export function mountRequests(mount: S2sMount, { db }: S2sShop): void {
  mount(contract.listRequests, ({ query, context: { environment, keyId } }) =>
    pageOf(
      query,
      'req',
      (beforeId, limit) =>
        listRequests(
          db,
          { environmentId: environment.id, keyId },
          { onlyErrors: query.outcome === 'error', beforeId, limit },
        ),
      rows =>
        rows.map(({ id, method, path, status, code, detail, durationMs, createdAt }) => ({
          request_id: id,
          method,
          path,
          status,
          code,
          message: detail,
          duration_ms: durationMs,
          created_at: toUnixSeconds(createdAt),
        })),
    ),
  );
}
