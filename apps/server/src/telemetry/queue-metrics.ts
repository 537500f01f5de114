import { ATTENTION_CODES } from '@coinslot/contract';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/db.ts';
import { findReplicationState } from '../db/replica/replica.sql.ts';
import { countTroubledConnections } from '../domain/payment/provider-health/provider-check.sql.ts';
import { MARKED_AFTER_SECONDS } from '../domain/payment/provider-health/watch-silence.ts';
import { countNeedingAttention } from '../domain/purchase/member-actions/attention.sql.ts';
import { singleFlight } from '../kit/concurrency.ts';
import { findQueueAges, findReaderLags, findReconciliationState } from './queue-ages.sql.ts';

const QUEUES = ['deliveries', 'payments', 'jobs', 'events', 'held'] as const;
const READERS = ['figures', 'ledger', 'orders'] as const;
const ANSWER_WITHIN_MS = 2_000;

/** A scrape must not hang on the database that it is there to warn about. */
function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([work.catch(() => null), late]).finally(() => clearTimeout(timer));
}

/** Reads with each scrape, once for scrapes at the same time. Without an answer in time the series are left out. */
export function watchQueues(registry: Registry, db: Db): void {
  const read = singleFlight(() => within(ANSWER_WITHIN_MS, findQueueAges(db)));
  const readAttention = singleFlight(() => within(ANSWER_WITHIN_MS, countNeedingAttention(db)));
  const readConnections = singleFlight(() =>
    within(ANSWER_WITHIN_MS, countTroubledConnections(db, MARKED_AFTER_SECONDS)),
  );
  const held = new Gauge({
    name: 'coinslot_held_grants',
    aggregator: 'max',
    help: 'Paid orders whose items wait for a webhook endpoint, counted up to 10,000.',
    registers: [],
    async collect() {
      const ages = await read();
      this.reset();
      if (ages) this.set(ages.reviewCount);
    },
  });
  const oldest = new Gauge({
    name: 'coinslot_queue_oldest_seconds',
    aggregator: 'max',
    help: 'Age of the oldest entry that is due and not taken up; 0 when nothing is. For `held`: of the oldest held grant.',
    labelNames: ['queue'],
    registers: [],
    async collect() {
      const ages = await read();
      this.reset();
      if (!ages) return;
      for (const queue of QUEUES) this.set({ queue }, Math.max(0, ages[queue] ?? 0));
    },
  });
  const attention = new Gauge({
    name: 'coinslot_attention',
    aggregator: 'max',
    help: 'Live payments that need attention, by code, counted up to 10,000.',
    labelNames: ['code'],
    registers: [],
    async collect() {
      const counts = await readAttention();
      this.reset();
      if (!counts) return;
      for (const code of ATTENTION_CODES) this.set({ code }, 0);
      for (const { code, count } of counts) this.set({ code }, count);
    },
  });
  const connections = new Gauge({
    name: 'coinslot_provider_connections',
    aggregator: 'max',
    help: 'Connections to payment providers in trouble: `failing` their last test, `silent` for three minutes or longer.',
    labelNames: ['state'],
    registers: [],
    async collect() {
      const counts = await readConnections();
      this.reset();
      if (!counts) return;
      this.set({ state: 'failing' }, counts.failing);
      this.set({ state: 'silent' }, counts.silent);
    },
  });
  registry.registerMetric(connections);
  registry.registerMetric(attention);
  registry.registerMetric(held);
  registry.registerMetric(oldest);
}

/** Shows how far the roll-ups are behind: they wait for every transaction that has written to their table. */
export function watchReaders(registry: Registry, db: Db): void {
  const lag = new Gauge({
    name: 'coinslot_roll_up_lag_seconds',
    aggregator: 'max',
    help: 'Age of the oldest event or order that a roll-up has not read yet; 0 when it has read all.',
    labelNames: ['reader'],
    registers: [],
    async collect() {
      const lags = await within(ANSWER_WITHIN_MS, findReaderLags(db));
      this.reset();
      if (!lags) return;
      for (const reader of READERS) this.set({ reader }, Math.max(0, lags[reader] ?? 0));
    },
  });
  registry.registerMetric(lag);
}

/** Shows whether accounts are compared with their providers. A tenant whose keys are refused makes one account behind. */
export function watchReconciliation(registry: Registry, db: Db): void {
  const read = singleFlight(() => within(ANSWER_WITHIN_MS, findReconciliationState(db)));
  const age = new Gauge({
    name: 'coinslot_reconciliation_age_seconds',
    aggregator: 'max',
    help: 'Since a day of any account was last compared with its provider to the end. Absent while none is connected.',
    registers: [],
    async collect() {
      const state = await read();
      if (state && state.ageSeconds !== null) this.set(Math.max(0, state.ageSeconds));
      else this.remove();
    },
  });
  const accounts = new Gauge({
    name: 'coinslot_reconciliation_accounts',
    aggregator: 'max',
    help: 'Accounts at providers: connected, and of those behind, last compared more than two days ago.',
    labelNames: ['state'],
    registers: [],
    async collect() {
      const state = await read();
      this.reset();
      if (!state) return;
      this.set({ state: 'connected' }, state.accounts);
      this.set({ state: 'behind' }, state.behind);
    },
  });
  registry.registerMetric(age);
  registry.registerMetric(accounts);
}

export function watchReplication(registry: Registry, db: Db): void {
  const read = singleFlight(() => within(ANSWER_WITHIN_MS, findReplicationState(db)));
  const standbys = new Gauge({
    name: 'coinslot_database_standbys',
    aggregator: 'max',
    help: 'Standbys that are connected to the database.',
    registers: [],
    async collect() {
      const state = await read();
      if (state) this.set(state.standbys);
      else this.remove();
    },
  });
  const lag = new Gauge({
    name: 'coinslot_database_replication_lag_seconds',
    aggregator: 'max',
    help: 'How far the slowest connected standby is behind. 0 without one, absent when the role may not see it.',
    registers: [],
    async collect() {
      const state = await read();
      const seconds = state?.standbys === 0 ? 0 : (state?.lagSeconds ?? null);
      if (seconds === null) this.remove();
      else this.set(Math.max(0, seconds));
    },
  });
  registry.registerMetric(standbys);
  registry.registerMetric(lag);
}
