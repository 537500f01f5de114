import { listen } from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { createKeyAuthenticator } from '../domain/game/keys/authenticate-key.ts';
import { createOrderCase } from '../domain/order/create-order.ts';
import type { PurchaseShop } from '../domain/purchase/engine/purchase.ts';
import { registerCheckout } from '../doors/checkout/checkout-door.ts';
import { mountDashboard } from '../doors/dashboard/routes.ts';
import { mountDocs } from '../doors/docs/docs-door.ts';
import { mountGateways } from '../doors/gateways/gateways-door.ts';
import { mountHealth, mountMetrics, mountOps, type OpsOptions } from '../doors/ops/ops-door.ts';
import { type ReadinessOptions, readinessOf, watchLiveness } from '../doors/ops/readiness.ts';
import { mountS2s } from '../doors/s2s/mount-s2s.ts';
import { logAnswers } from '../http/log.ts';
import { createRateLimiter } from '../http/rate-limit.ts';
import { buildServer } from '../http/server.ts';
import { addressReader } from '../http/upgrade.ts';
import { systemClock } from '../kit/clock.ts';
import { singleFlight } from '../kit/concurrency.ts';
import { watchPayments } from '../telemetry/payment-metrics.ts';
import { watchQueues, watchReaders, watchReconciliation, watchStandbys } from '../telemetry/queue-metrics.ts';
import { KEYS_REFRESH_MS } from './master-key/keyring.ts';
import { buildParts, type Parts, type ProgramOptions, shopOf, withPool } from './parts.ts';
import { createWorkers, type Workers } from './workers.ts';

export interface Program {
  app: FastifyInstance;
  /** Health and metrics on a port of their own; null without `OPS_PORT`. */
  opsApp: FastifyInstance | null;
  workers: Workers;
  parts: Parts;
  /** The shop on the pool of the money path. */
  purchasing: PurchaseShop;
  /** Starts signals between processes and the clock, which serving and working processes both need. */
  start(): Promise<void>;
  /** Makes readiness fail while everything still works, so that a load balancer sends its next request elsewhere. */
  retire(): void;
  stop(): Promise<void>;
}

const CLOCK_REFRESH_MS = 10_000;
const GUESSES_PER_MINUTE = 300;
/** Limits one checkout page. No player enters and leaves fields that often. */
const PAGE_EVENTS_PER_MINUTE = 30;

/** On the pool of the doors, and on that of the money path. */
interface Shops {
  shop: PurchaseShop;
  purchasing: PurchaseShop;
}

const limiter = (limit: number) => createRateLimiter({ limit, windowMs: 60_000, maxKeys: 100_000, clock: systemClock });

function buildDoors(parts: Parts, shops: Shops, { config, tracing }: ProgramOptions, ops: OpsOptions): FastifyInstance {
  const { logger, metrics, connectionSlots, streamCounts } = parts;
  const { shop, purchasing } = shops;
  const sharedLimiter = (name: string, limit: number) => parts.sharedLimits.share(name, limiter(limit));
  const app = buildServer({
    publicUrl: config.publicUrl,
    logger,
    trustProxy: config.trustProxy,
    webSocketPath: listen.path,
    addressLimiter: sharedLimiter('address', config.addressLimitPerMinute),
    isStopping: ops.isStopping,
  });
  logAnswers(app, logger);
  metrics.watchRequests(app);
  tracing?.watchRequests(app);
  const createOrder = createOrderCase(shop);
  const s2sGate = {
    authenticateKey: createKeyAuthenticator({ db: parts.db, clock: systemClock }),
    keyLimiter: sharedLimiter('key', config.rateLimitPerMinute),
    guessLimiter: sharedLimiter('key guess', GUESSES_PER_MINUTE),
    requestLog: parts.requestLog,
    addressOf: addressReader(config.trustProxy),
  };
  mountS2s(app, { ...shop, purchasing, createOrder, listening: parts.listening, streamCounts }, s2sGate);
  registerCheckout(app, {
    ...purchasing,
    guessLimiter: sharedLimiter('page guess', GUESSES_PER_MINUTE),
    countPageEvent: metrics.countPageEvent,
    connectionSlots,
    eventLimiter: limiter(PAGE_EVENTS_PER_MINUTE),
  });
  const { replica } = parts;
  const lists = withPool(shop, parts.reportDb);
  mountDashboard(app, { ...lists, purchasing, createOrder, replica, connectionSlots, streamCounts });
  mountGateways(app, shop);
  mountDocs(app, config);
  mountOps(app, ops);
  if (config.opsPort === undefined && config.hasPublicMetrics) mountMetrics(app, ops);
  return app;
}

/** Registers the metrics that are read with each scrape, and those that count as things happen. */
function watchAll(parts: Parts): () => void {
  const { metrics, db, moneyDb, providerDb, reportDb, replica, clock, onError, logger, environmentOf } = parts;
  metrics.watchPools({ doors: db, money: moneyDb, provider: providerDb, report: reportDb });
  metrics.watchClock(clock);
  if (replica) metrics.watchReplica(replica);
  watchQueues(metrics.registry, db);
  watchReaders(metrics.registry, db);
  watchReconciliation(metrics.registry, db);
  watchStandbys(metrics.registry, db);
  return watchPayments({
    registry: metrics.registry,
    modeOf: async environmentId => (await environmentOf(environmentId))?.mode ?? null,
    onError,
    log: logger.isLevelEnabled('debug') ? line => logger.debug(line, 'payment') : null,
  });
}

/** Serves monitoring on a port of its own that the public cannot reach. A process that only works has no other door. */
function buildOpsServer(parts: Parts, { config }: ProgramOptions, ops: OpsOptions): FastifyInstance | null {
  if (config.opsPort === undefined) return null;
  const app = buildServer({ publicUrl: config.publicUrl, logger: parts.logger });
  mountHealth(app, ops);
  mountMetrics(app, ops);
  return app;
}

function opsOf(parts: Parts, options: ProgramOptions, state: Pick<OpsOptions, 'isStopping' | 'liveness'>): OpsOptions {
  const builtAtMs = performance.now();
  const checked: ReadinessOptions = {
    pools: { doors: parts.db, money: parts.moneyDb, provider: parts.providerDb },
    clock: parts.clock,
    keyProblem: parts.keyring.problem,
    schemaProblem: parts.schemaProblem,
    uptimeSeconds: () => (performance.now() - builtAtMs) / 1000,
    isStopping: state.isStopping,
  };
  // Concurrent requests share one check.
  const readiness = singleFlight(() => readinessOf(checked));
  parts.metrics.watchReadiness(readiness);
  return {
    version: options.version,
    publicUrl: options.config.publicUrl,
    metrics: parts.metrics.registry,
    readMetrics: options.readMetrics ?? (() => parts.metrics.registry.metrics()),
    ...state,
    readiness,
  };
}

/** The whole program on one page. */
export function wire(options: ProgramOptions): Program {
  const built = buildParts(options);
  const parts = options.replace?.(built) ?? built;
  const shop = shopOf(parts, options.config);
  const purchasing = withPool(shop, parts.moneyDb);
  const pools = [parts.db, parts.moneyDb, parts.providerDb, parts.reportDb];
  let isRetired = false;
  const liveness = watchLiveness(systemClock, () => Math.max(...pools.map(pool => pool.oldestBatchMs())));
  const ops = opsOf(parts, options, { isStopping: () => isRetired, liveness: liveness.problem });
  const app = buildDoors(parts, { shop, purchasing }, options, ops);
  const opsApp = buildOpsServer(parts, options, ops);
  const workers = createWorkers(purchasing, {
    reportDb: parts.reportDb,
    examSender: parts.sender,
    retentionDays: options.config.operations.retentionDays,
    trace: options.tracing?.trace,
  });
  const stopCounting = watchAll(parts);
  const timers: NodeJS.Timeout[] = [];
  const repeat = (work: () => Promise<void>, everyMs: number): void =>
    void timers.push(setInterval(() => void work().catch(parts.onError), everyMs));
  return {
    app,
    opsApp,
    workers,
    parts,
    purchasing,
    async start() {
      // The keyring comes first: a wrong key must not seal, sign or send anything.
      await parts.keyring.load();
      await parts.signals.start();
      await parts.clock.refresh();
      parts.requestLog.start();
      parts.replica?.start();
      repeat(() => parts.clock.refresh(), CLOCK_REFRESH_MS);
      repeat(() => parts.keyring.load(), KEYS_REFRESH_MS);
    },
    retire() {
      isRetired = true;
    },
    async stop() {
      isRetired = true;
      for (const timer of timers) clearInterval(timer);
      parts.signals.endWaits();
      // Doors and workers stop taking new work at the same time and finish what they have.
      await Promise.all([app.close(), workers.stop()]);
      await parts.background.settle();
      await parts.requestLog.stop();
      await parts.sharedLimits.stop();
      await parts.streamCounts.stop();
      await purchasing.sender.close();
      parts.mailer?.close();
      await parts.replica?.stop();
      await parts.signals.stop();
      stopCounting();
      await opsApp?.close();
      await Promise.all([options.metricExport?.stop(), options.logExport?.stop()]);
      await options.tracing?.stop();
      liveness.stop();
      await Promise.all(pools.map(pool => pool.close()));
    },
  };
}
