import { openApiDocument } from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { mountFavicon } from './favicon.ts';

export interface Readiness {
  ready: boolean;
  /** What is wrong, in words for the operator. */
  problems: string[];
}

export interface OpsDeps {
  version: string;
  publicUrl: string;
  /** Whether money can be taken now: the database answers and accepts writes. */
  readiness: () => Promise<Readiness>;
  /** What a restart would mend; null: nothing. */
  liveness: () => string | null;
  metrics: Registry;
}

/** For load balancers: that the process lives, and that it can take money. */
export function mountHealth(
  app: FastifyInstance,
  { version, readiness, liveness }: Pick<OpsDeps, 'version' | 'readiness' | 'liveness'>,
): void {
  app.get('/healthz', async (_request, reply) => {
    const problem = liveness();
    reply.code(problem === null ? 200 : 503).header('cache-control', 'no-store');
    return problem === null ? { status: 'ok', version } : { status: 'stuck', version, problem };
  });

  app.get('/readyz', async (_request, reply) => {
    const { ready, problems } = await readiness();
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
    if (!ready) reply.header('retry-after', '5');
    return { status: ready ? 'ready' : 'not_ready', problems };
  });
}

export function mountMetrics(app: FastifyInstance, { metrics }: Pick<OpsDeps, 'metrics'>): void {
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}

export function mountOps(app: FastifyInstance, deps: OpsDeps): void {
  const openApi = JSON.stringify({ ...openApiDocument(), servers: [{ url: deps.publicUrl }] });
  mountFavicon(app);
  mountHealth(app, deps);
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(openApi));
}
