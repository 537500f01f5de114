import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Db } from '../db/db.ts';
import type { DbClock } from '../db/db-clock.ts';
import type { Gateway } from '../domain/payment/providers/base/gateway.ts';
import type { Sender } from '../domain/webhook/sending/send.ts';
import { gatewayWatcher, senderWatcher } from './call-metrics.ts';
import { createRequestWatcher } from './request-metrics.ts';

export interface Metrics {
  registry: Registry;
  countPageEvent(event: string, mode: string): void;
  watchRequests(app: FastifyInstance): void;
  watchSender(sender: Sender): Sender;
  watchGateway<G extends Gateway>(gateway: G): G;
  watchPools(pools: Record<string, Db>): void;
  watchClock(clock: DbClock): void;
  watchReplica(replica: { behindMs(): number | null }): void;
  countFailure(source: string): void;
  watchReadiness(look: () => Promise<{ ready: boolean }>): void;
}

const replicaWatcher =
  (registry: Registry): Metrics['watchReplica'] =>
  replica => {
    const behind = new Gauge({
      name: 'coinslot_replica_behind_seconds',
      aggregator: 'max',
      help: 'How old what the replica shows may be; +Inf while it is away. Beyond 10 s lists are read from the main database.',
      registers: [],
      collect() {
        this.set((replica.behindMs() ?? Number.POSITIVE_INFINITY) / 1000);
      },
    });
    registry.registerMetric(behind);
  };

function poolWatcher(registry: Registry): Metrics['watchPools'] {
  return pools => {
    const connections = new Gauge({
      name: 'coinslot_db_pool_connections',
      help: 'Connections to the database: open, of those idle, and callers that wait for one.',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [pool, db] of Object.entries(pools)) {
          const usage = db.usage();
          for (const state of ['open', 'idle', 'waiting'] as const) this.set({ pool, state }, usage[state]);
        }
      },
    });
    registry.registerMetric(connections);
  };
}

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const pageEvents = new Counter({
    name: 'coinslot_checkout_events_total',
    help: 'What players did on the payment page.',
    labelNames: ['event', 'mode'],
    registers,
  });
  new Gauge({
    name: 'coinslot_build_info',
    help: 'Always 1.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  }).set({ version }, 1);
  const failures = new Counter({
    name: 'coinslot_background_failures_total',
    help: 'Work that no caller waits for and that failed; it is tried again.',
    labelNames: ['source'],
    registers,
  });
  // The series exists from the start, so that the first failure shows as an increase.
  failures.inc({ source: 'background' }, 0);
  return {
    registry,
    countFailure: source => failures.inc({ source }),
    watchReadiness(look) {
      const ready = new Gauge({
        name: 'coinslot_ready',
        aggregator: 'min',
        help: 'Whether orders can be taken now, as /readyz says: 1 or 0.',
        registers: [],
        async collect() {
          this.set((await look()).ready ? 1 : 0);
        },
      });
      registry.registerMetric(ready);
    },
    countPageEvent: (event, mode) => pageEvents.inc({ event, mode }),
    watchRequests: createRequestWatcher(registry),
    watchSender: senderWatcher(registers, registry),
    watchGateway: gatewayWatcher(registers),
    watchPools: poolWatcher(registry),
    watchClock(clock) {
      const skew = new Gauge({
        name: 'coinslot_clock_skew_seconds',
        aggregator: 'max',
        help: "How far the clock of this host is off the database's.",
        registers: [],
        collect() {
          this.set(clock.skewMs() / 1000);
        },
      });
      registry.registerMetric(skew);
    },
    watchReplica: replicaWatcher(registry),
  };
}
