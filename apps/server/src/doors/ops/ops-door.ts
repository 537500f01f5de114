import { openApiDocument } from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { systemClock } from '../../kit/clock.ts';
import { createTtlCache } from '../../kit/ttl-cache.ts';

/** The mark of docs/mark.svg on a dark tile, so that it shows on light and dark tabs. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#f2a900"><rect width="24" height="24" rx="6" fill="#10131a"/><g transform="translate(3 2.5) scale(.75)"><path d="M4.5 14.5a8 8 0 1 1 15 0z"/><rect x="1.5" y="17" width="21" height="3" rx="1.5"/></g></svg>`;

/** Browsers ask for it beside every address that is not a page of ours, such as the API description. */
export function mountFavicon(app: FastifyInstance): void {
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(FAVICON),
    );
  }
}

export interface Readiness {
  ready: boolean;
  /** What is wrong, in words for the operator. */
  problems: string[];
  /** What does not keep orders from being completed, and should be mended before it does. */
  warnings: string[];
}

export interface OpsOptions {
  version: string;
  publicUrl: string;
  /** Whether money can be taken now: the database answers and accepts writes. */
  readiness: () => Promise<Readiness>;
  /** What a restart would mend; null: nothing. */
  liveness: () => string | null;
  metrics: Registry;
  /** Of this process, or of all that share the work. */
  readMetrics: () => Promise<string>;
  isStopping: () => boolean;
}

/** For load balancers: that the process lives, and that it can take money. */
export function mountHealth(
  app: FastifyInstance,
  { version, readiness, liveness }: Pick<OpsOptions, 'version' | 'readiness' | 'liveness'>,
): void {
  app.get('/healthz', async (_request, reply) => {
    const problem = liveness();
    reply.code(problem === null ? 200 : 503).header('cache-control', 'no-store');
    return problem === null ? { status: 'ok', version } : { status: 'stuck', version, problem };
  });

  app.get('/readyz', async (_request, reply) => {
    const { ready, problems, warnings } = await readiness();
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
    if (!ready) reply.header('retry-after', '5');
    const status = warnings.length === 0 ? 'ready' : 'degraded';
    return { status: ready ? status : 'not_ready', problems: [...problems, ...warnings] };
  });
}

const METRICS_FRESH_MS = 1_000;

/** However many read them at once, they are made once in a second. */
export function mountMetrics(
  app: FastifyInstance,
  { metrics, readMetrics }: Pick<OpsOptions, 'metrics' | 'readMetrics'>,
): void {
  const read = createTtlCache({
    load: () => readMetrics(),
    clock: systemClock,
    freshMs: METRICS_FRESH_MS,
    absentMs: METRICS_FRESH_MS,
    maxEntries: 1,
  });
  app.get('/metrics', async (_request, reply) =>
    reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await read('all')),
  );
}

export function mountOps(app: FastifyInstance, options: OpsOptions): void {
  // Made for the first who reads it: few do, and the start need not wait for it.
  let openApi: string | undefined;
  mountFavicon(app);
  mountHealth(app, options);
  app.get('/openapi.json', async (_request, reply) => {
    openApi ??= JSON.stringify({ ...openApiDocument(), servers: [{ url: options.publicUrl }] });
    return reply.type('application/json; charset=utf-8').send(openApi);
  });
}
