import type { Db } from '../db/db.ts';
import { updateHeartbeat } from '../db/health.sql.ts';
import { hasUnread } from '../db/read-numbered.sql.ts';
import type { Fragment } from '../db/statement.ts';
import { AUDIT_READER, extendAuditChain } from '../domain/audit/audit-chain.ts';
import { deleteOldRequests } from '../domain/game/keys/request-log.sql.ts';
import { LEDGER_DUE } from '../domain/ledger/ledger.sql.ts';
import { rollUpLedger } from '../domain/ledger/roll-up-ledger.ts';
import { notificationJobs } from '../domain/notification/notification.jobs.ts';
import { expireOrders } from '../domain/order/expire-orders.ts';
import { deleteOldIdempotencyKeys, ORDERS_LAPSED } from '../domain/order/order.sql.ts';
import { deleteOldProviderEvents } from '../domain/payment/callbacks/provider-event.sql.ts';
import { eraseUnneededKeys } from '../domain/payment/merchant-accounts/leave-provider.ts';
import { claimPaymentsToCheck, PAYMENTS_DUE, type PaymentToCheck } from '../domain/payment/payment.sql.ts';
import { checkDue } from '../domain/payment/provider-health/check-due.ts';
import { paymentJobs } from '../domain/payment/saved-methods/save-method.ts';
import { bulkJobs } from '../domain/purchase/bulk/run-bulk.ts';
import { deliverItem } from '../domain/purchase/engine/advance-purchase.ts';
import { checkPayment } from '../domain/purchase/engine/check-payment.ts';
import { expireHeldGrants } from '../domain/purchase/engine/expire-held-grants.ts';
import type { PurchaseShop } from '../domain/purchase/engine/purchase.ts';
import { DELIVERY_LEASE_SECONDS } from '../domain/purchase/engine/queue-item-event.ts';
import { providerEventJobs } from '../domain/purchase/engine/sync-payment.ts';
import { acceptJobs } from '../domain/purchase/member-actions/accept-dispute.ts';
import { disputeJobs } from '../domain/purchase/member-actions/answer-dispute.ts';
import { LEASE_SECONDS } from '../domain/purchase/table/purchase-table.ts';
import { reconcileDue } from '../domain/reconciliation/reconcile-due.ts';
import { reconciliationJobs } from '../domain/reconciliation/reconciliation.jobs.ts';
import {
  FIGURES_READER,
  ORDERS_READER,
  rollUpAttempts,
  rollUpEvents,
  rollUpOrders,
} from '../domain/reporting/roll-ups/roll-up.ts';
import { PLAYERS_READER, rollUpPlayers } from '../domain/reporting/roll-ups/roll-up-players.ts';
import { type RetentionDays, runRetention } from '../domain/retention/run-retention.ts';
import { type ClaimedExam, claimExams, EXAMS_DUE } from '../domain/webhook/conformance/exam.sql.ts';
import { EXAM_LEASE_SECONDS, takeExam } from '../domain/webhook/conformance/take-exam.ts';
import { DELIVERIES_DUE } from '../domain/webhook/delivery/claim-deliveries.sql.ts';
import { createOutcomeRecorder, deliverObserver } from '../domain/webhook/delivery/deliver-observer.ts';
import { ANY_HELD_TOO_LONG } from '../domain/webhook/delivery/delivery.sql.ts';
import { createDeliveryLoop } from '../domain/webhook/delivery/delivery-loop.ts';
import { findTarget } from '../domain/webhook/endpoints/subscription.sql.ts';
import { EVENTS_TO_FAN_OUT } from '../domain/webhook/events/event-rows.sql.ts';
import { fanOut } from '../domain/webhook/fan-out/fan-out.ts';
import { HEALTH_DUE } from '../domain/webhook/health/endpoint-health.sql.ts';
import { checkEndpoints } from '../domain/webhook/health/watch-endpoints.ts';
import type { Sender } from '../domain/webhook/sending/send.ts';
import { LISTENERS_LAPSED } from '../domain/webhook/tunnel/listener.sql.ts';
import { forgetListeners } from '../domain/webhook/tunnel/open-listener.ts';
import { createJobWorker } from '../jobs/job-worker.ts';
import { JOBS_DUE } from '../jobs/jobs.sql.ts';
import { createLookout, type Watched } from '../jobs/lookout.ts';
import { createLoop } from '../jobs/loop.ts';
import { createTicker, type Ticker } from '../jobs/ticker.ts';
import { singleFlight } from '../kit/concurrency.ts';
import { newId } from '../kit/ids.ts';
import { mailJobs } from '../mail/send-mail.ts';
import type { Trace } from '../telemetry/tracing.ts';
import { withPool } from './parts.ts';

export interface WorkerOptions {
  /** Serves long reads: its time limits are longer. */
  reportDb: Db;
  /** Sends the requests of exams: with the checks of webhook targets, and without chaos. */
  examSender: Sender;
  /** Without it, everything is kept forever. */
  retentionDays?: RetentionDays;
  trace?: Trace | undefined;
}

export interface Workers {
  start(): void;
  /** Works until nothing is due any more. `orders`: only what moves an order on, and none of the books and the cleaning. */
  drain(what?: 'all' | 'orders'): Promise<void>;
  stop(): Promise<void>;
}

const CLEAN_EVERY_MS = 60_000;
const ROLL_UP_ATTEMPTS_EVERY_MS = 10_000;
const CLEAN_BATCH = 1_000;
const RECONCILE_EVERY_MS = 600_000;
const BEAT_EVERY_MS = 10_000;
/** An exam waits for its receiver nearly all the time. A process runs few of them, so that purchases lose nothing. */
const EXAMS_AT_ONCE = 4;
const KEEP_ALL = { deliveries: 0, events: 0, mails: 0 };

function buildLoops(shop: PurchaseShop, { examSender, trace = (_name, _about, work) => work() }: WorkerOptions) {
  const { db, random, receiverSlots, onError } = shop;
  const readTarget = singleFlight((environmentId: string, id: string) => findTarget(db, environmentId, id));
  const observing = { ...shop, readTarget, recordOutcome: createOutcomeRecorder(shop) };
  const common = { db, leaseSeconds: DELIVERY_LEASE_SECONDS, perEndpoint: receiverSlots.ofThisProcess, onError };
  return {
    items: createDeliveryLoop({
      ...common,
      lane: 'items',
      deliver: delivery => trace('deliver items', delivery, () => deliverItem(shop, delivery)),
    }),
    observers: createDeliveryLoop({
      ...common,
      lane: 'observer',
      deliver: (delivery, answered) =>
        trace('deliver to observer', delivery, () => deliverObserver(observing, delivery, answered)),
    }),
    payments: createLoop<PaymentToCheck>({
      name: 'payments',
      maxInFlight: 64,
      claim: capacity => claimPaymentsToCheck(db, capacity, LEASE_SECONDS),
      run: due => trace('check payment', due, () => checkPayment(shop, due)),
      onError,
    }),
    exams: createLoop<ClaimedExam>({
      name: 'exams',
      maxInFlight: EXAMS_AT_ONCE,
      claim: capacity => claimExams(db, newId('job'), capacity, EXAM_LEASE_SECONDS),
      run: exam => takeExam({ ...shop, sender: examSender }, exam),
      onError,
    }),
    jobs: createJobWorker({
      db,
      random,
      onError,
      handlers: {
        ...paymentJobs(shop),
        ...disputeJobs(shop),
        ...acceptJobs(shop),
        ...bulkJobs(shop),
        ...notificationJobs(shop),
        ...mailJobs(shop),
        ...providerEventJobs(shop),
        ...reconciliationJobs(shop),
      },
    }),
  };
}

function buildSweeps(shop: PurchaseShop, { reportDb, retentionDays = KEEP_ALL }: WorkerOptions) {
  const { db, onError } = shop;
  const sweeps: Watched[] = [];
  const ticker = (name: string, everyMs: number, work: () => Promise<boolean>): Ticker =>
    createTicker({ name, everyMs, work, onError });
  /** Runs when there is something for it, and not by the clock. */
  const sweep = (name: string, isDue: Fragment, work: () => Promise<boolean>, isUrgent = false): Ticker => {
    const woken = createTicker({ name, work, onError });
    sweeps.push({ isDue, isUrgent, wake: woken.wake });
    return woken;
  };
  const cleaner = (name: string, everyMs: number, clean: (db: Db, limit: number) => Promise<number>): Ticker =>
    ticker(name, everyMs, async () => (await clean(db, CLEAN_BATCH)) === CLEAN_BATCH);
  async function beat(): Promise<boolean> {
    await updateHeartbeat(db, 'worker');
    return false;
  }
  const ofOrders = [
    sweep('fan-out', EVENTS_TO_FAN_OUT, async () => (await fanOut(shop)) > 0, true),
    sweep('expiry', ORDERS_LAPSED, async () => (await expireOrders(shop)) > 0),
    sweep('endpoints that failed', HEALTH_DUE, () => checkEndpoints(shop)),
    sweep('held deliveries', ANY_HELD_TOO_LONG, () => expireHeldGrants(shop)),
  ];
  const others = [
    ticker('retention', RECONCILE_EVERY_MS, () => runRetention(withPool(shop, reportDb), retentionDays)),
    ticker('heartbeat', BEAT_EVERY_MS, beat),
    sweep('ledger', LEDGER_DUE, () => rollUpLedger(shop)),
    sweep('audit chain', hasUnread(AUDIT_READER), () => extendAuditChain(shop)),
    sweep('listeners', LISTENERS_LAPSED, () => forgetListeners(db)),
    sweep('figures of events', hasUnread(FIGURES_READER), () => rollUpEvents(reportDb)),
    sweep('figures of players', hasUnread(PLAYERS_READER), () => rollUpPlayers(reportDb)),
    sweep('figures of orders', hasUnread(ORDERS_READER), () => rollUpOrders(reportDb)),
    ticker('figures of attempts', ROLL_UP_ATTEMPTS_EVERY_MS, () => rollUpAttempts(reportDb)),
    ticker('reconciliation', RECONCILE_EVERY_MS, () => reconcileDue(shop)),
    ticker('connection tests', RECONCILE_EVERY_MS, () => checkDue(shop)),
    ticker('keys of accounts that were left', RECONCILE_EVERY_MS, () => eraseUnneededKeys(shop)),
    cleaner('old callbacks', RECONCILE_EVERY_MS, deleteOldProviderEvents),
    cleaner('old requests', CLEAN_EVERY_MS, deleteOldRequests),
    cleaner('idempotency keys', CLEAN_EVERY_MS, deleteOldIdempotencyKeys),
  ];
  return { ofOrders, others, sweeps };
}

/** Creates the background work. Each loop claims its items from the tables, so any number of processes can run side by side. */
export function createWorkers(shop: PurchaseShop, options: WorkerOptions): Workers {
  const { items, observers, payments, exams, jobs } = buildLoops(shop, options);
  const { ofOrders, others, sweeps } = buildSweeps(shop, options);
  const tickers = [...ofOrders, ...others];
  const loops = [items, observers, payments, exams, jobs];
  const { db, signals, onError } = shop;
  const lookout = createLookout({
    db,
    onError,
    watched: [
      ...sweeps,
      { isDue: DELIVERIES_DUE.items, wake: items.wake },
      { isDue: DELIVERIES_DUE.observer, wake: observers.wake },
      { isDue: PAYMENTS_DUE, wake: payments.wake },
      { isDue: EXAMS_DUE, wake: exams.wake },
      { isDue: JOBS_DUE, wake: jobs.wake },
    ],
  });
  const offs: (() => void)[] = [];
  return {
    start() {
      offs.push(
        signals.on('deliveries', items.wake),
        signals.on('deliveries', observers.wake),
        signals.on('jobs', jobs.wake),
        signals.on('exams', exams.wake),
      );
      for (const ticker of tickers) ticker.start();
      lookout.start();
    },
    async drain(what = 'all') {
      const parts = what === 'all' ? [...tickers, ...loops] : [...ofOrders, items, payments, jobs];
      // One loop may finish an item that another continues with, so there are three rounds.
      for (let round = 0; round < 3; round++) {
        for (const part of parts) await part.drain();
      }
    },
    async stop() {
      for (const off of offs) off();
      await Promise.all([lookout, ...loops, ...tickers].map(part => part.stop()));
    },
  };
}
