import { ATTENTION_CODES } from '@coinslot/contract';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/db.ts';
import { findReplicationState } from '../db/replica/replica.sql.ts';
import { countTroubledConnections } from '../domain/payment/provider-health/provider-check.sql.ts';
import { MARKED_AFTER_SECONDS } from '../domain/payment/provider-health/watch-silence.ts';
import { countNeedingAttention } from '../domain/purchase/member-actions/attention.sql.ts';
import { countEndpoints } from '../domain/webhook/health/endpoint-health.sql.ts';
import { singleFlight } from '../kit/concurrency.ts';
import { findQueueAges, findReaderLags, findReconciliationState } from './queue-ages.sql.ts';

const QUEUES = ['deliveries', 'payments', 'jobs', 'events', 'held'] as const;
const READERS = ['figures', 'ledger', 'orders', 'receipts'] as const;
const ANSWER_WITHIN_MS = 2_000;

/** A scrape must not hang on the database that it is there to warn about. */
function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([work.catch(() => null), late]).finally(() => clearTimeout(timer));
}

interface QueriedGauge<State> {
  name: string;
  help: string;
  read: () => Promise<State | null>;
  label?: string;
  /** Returns one value, or one for each value of the label; null leaves the series out. */
  show: (state: State) => number | Record<string, number> | null;
}

/** Registers a gauge that asks the database with each scrape. Without an answer in time its series are left out. */
function watchByQuery<State>(registry: Registry, { name, help, read, label, show }: QueriedGauge<State>): void {
  const gauge = new Gauge({
    name,
    help,
    aggregator: 'max',
    labelNames: label === undefined ? [] : [label],
    registers: [],
    async collect() {
      const state = await read();
      const shown = state && show(state);
      if (typeof shown === 'number') this.set(shown);
      else if (label === undefined) this.remove();
      else {
        this.reset();
        for (const [value, count] of Object.entries(shown ?? {})) this.set({ [label]: value }, count);
      }
    },
  });
  registry.registerMetric(gauge);
}

/** Scrapes at the same time share one query. */
const sharedRead = <State>(ask: () => Promise<State>) => singleFlight(() => within(ANSWER_WITHIN_MS, ask()));

/** Picks the named seconds. Nothing due is 0, and so is a clock that is slightly ahead. */
const secondsOf = <Name extends string>(names: readonly Name[], seconds: Record<Name, number | null>) =>
  Object.fromEntries(names.map(name => [name, Math.max(0, seconds[name] ?? 0)]));

export function watchQueues(registry: Registry, db: Db): void {
  const readAges = sharedRead(() => findQueueAges(db));
  const readAttention = sharedRead(() => countNeedingAttention(db));
  const readEndpoints = sharedRead(() => countEndpoints(db));
  const readConnections = sharedRead(() => countTroubledConnections(db, MARKED_AFTER_SECONDS));
  watchByQuery(registry, {
    name: 'coinslot_provider_connections',
    help: 'Connections to payment providers in trouble: `failing` their last test, `silent` for three minutes or longer.',
    label: 'state',
    read: readConnections,
    show: ({ failing, silent }) => ({ failing, silent }),
  });
  watchByQuery(registry, {
    name: 'coinslot_webhook_endpoints',
    help: 'Webhook endpoints in trouble: `failing`, tried one request at a time, or `recovering`, sent what waited for them.',
    label: 'state',
    read: readEndpoints,
    show: ({ failing, recovering }) => ({ failing, recovering }),
  });
  watchByQuery(registry, {
    name: 'coinslot_attention',
    help: 'Live payments that need attention, by code, counted up to 10,000.',
    label: 'code',
    read: readAttention,
    show: counts => ({
      ...Object.fromEntries(ATTENTION_CODES.map(code => [code, 0])),
      ...Object.fromEntries(counts.map(({ code, count }) => [code, count])),
    }),
  });
  watchByQuery(registry, {
    name: 'coinslot_held_grants',
    help: 'Paid orders whose items wait for a webhook endpoint, counted up to 10,000.',
    read: readAges,
    show: ({ reviewCount }) => reviewCount,
  });
  watchByQuery(registry, {
    name: 'coinslot_queue_oldest_seconds',
    help: 'Age of the oldest entry that is due and not taken up; 0 when nothing is. For `held`: of the oldest held grant.',
    label: 'queue',
    read: readAges,
    show: ages => secondsOf(QUEUES, ages),
  });
}

/** Shows how far the roll-ups are behind: they wait for every transaction that has written to their table. */
export function watchReaders(registry: Registry, db: Db): void {
  const read = sharedRead(() => findReaderLags(db));
  watchByQuery(registry, {
    name: 'coinslot_roll_up_lag_seconds',
    help: 'Age of the oldest event or order that a roll-up has not read yet; 0 when it has read all.',
    label: 'reader',
    read,
    show: lags => secondsOf(READERS, lags),
  });
}

/** Shows whether accounts are compared with their providers. A tenant whose keys are refused makes one account behind. */
export function watchReconciliation(registry: Registry, db: Db): void {
  const read = sharedRead(() => findReconciliationState(db));
  watchByQuery(registry, {
    name: 'coinslot_reconciliation_age_seconds',
    help: 'Since a day of any account was last compared with its provider to the end. Absent while none is connected.',
    read,
    show: ({ ageSeconds }) => ageSeconds && Math.max(0, ageSeconds),
  });
  watchByQuery(registry, {
    name: 'coinslot_reconciliation_accounts',
    help: 'Accounts at providers: connected, and of those behind, last compared more than two days ago.',
    label: 'state',
    read,
    show: ({ accounts, behind }) => ({ connected: accounts, behind }),
  });
}

export function watchStandbys(registry: Registry, db: Db): void {
  const read = sharedRead(() => findReplicationState(db));
  watchByQuery(registry, {
    name: 'coinslot_database_standbys',
    help: 'Standbys that are connected to the database.',
    read,
    show: ({ standbys }) => standbys,
  });
  watchByQuery(registry, {
    name: 'coinslot_database_replication_lag_seconds',
    help: 'How far the slowest connected standby is behind. 0 without one, absent when the role may not see it.',
    read,
    show: ({ standbys, lagSeconds }) => (standbys === 0 ? 0 : lagSeconds && Math.max(0, lagSeconds)),
  });
}
