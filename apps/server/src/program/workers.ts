import type { Db } from '../db/db.ts';
import { updateHeartbeat } from '../db/health.sql.ts';
import { deleteOldRequests } from '../domain/game/keys/request-log.sql.ts';
import { rollUpLedger } from '../domain/ledger/roll-up-ledger.ts';
import { notificationJobs } from '../domain/notification/notification.jobs.ts';
import { type CheckoutUrlOf, checkoutUrls } from '../domain/order/checkout-token.ts';
import { expireOrders } from '../domain/order/expire-orders.ts';
import { deleteOldIdempotencyKeys } from '../domain/order/order.sql.ts';
import { deleteOldProviderEvents } from '../domain/payment/callbacks/provider-event.sql.ts';
import type { MerchantAccounts } from '../domain/payment/merchant-accounts/merchant-accounts.ts';
import { paymentJobs } from '../domain/payment/payment.jobs.ts';
import { claimPaymentsToCheck, type PaymentToCheck } from '../domain/payment/payment.sql.ts';
import { checkDue } from '../domain/payment/provider-health/check-due.ts';
import { bulkJobs } from '../domain/purchase/bulk/run-bulk.ts';
import { deliverItem } from '../domain/purchase/engine/advance-purchase.ts';
import { checkPayment } from '../domain/purchase/engine/check-payment.ts';
import { expireHeldGrants } from '../domain/purchase/engine/expire-held-grants.ts';
import type { PurchaseDeps } from '../domain/purchase/engine/purchase-deps.ts';
import { DELIVERY_LEASE_SECONDS } from '../domain/purchase/engine/queue-item-event.ts';
import { providerEventJobs } from '../domain/purchase/engine/sync-payment.ts';
import { disputeJobs } from '../domain/purchase/member-actions/answer-dispute.ts';
import { LEASE_SECONDS } from '../domain/purchase/table/purchase-table.ts';
import { reconcileDue } from '../domain/reconciliation/reconcile-due.ts';
import { reconciliationJobs } from '../domain/reconciliation/reconciliation.jobs.ts';
import { rollUpAttempts, rollUpEvents, rollUpOrders } from '../domain/reporting/roll-ups/roll-up.ts';
import { type RetentionDeps, runRetention } from '../domain/retention/run-retention.ts';
import { type ClaimedExam, claimExams } from '../domain/webhook/conformance/exam.sql.ts';
import { EXAM_LEASE_SECONDS, takeExam } from '../domain/webhook/conformance/take-exam.ts';
import { createOutcomeRecorder, deliverObserver } from '../domain/webhook/delivery/deliver-observer.ts';
import { createDeliveryLoop } from '../domain/webhook/delivery/delivery-loop.ts';
import { findTarget } from '../domain/webhook/endpoints/subscription.sql.ts';
import { fanOut } from '../domain/webhook/fan-out/fan-out.ts';
import type { Sender } from '../domain/webhook/sending/send.ts';
import { forgetListeners } from '../domain/webhook/tunnel/open-listener.ts';
import { createJobWorker } from '../jobs/job-worker.ts';
import { createLoop } from '../jobs/loop.ts';
import { createTicker } from '../jobs/ticker.ts';
import { singleFlight } from '../kit/concurrency.ts';
import { newId } from '../kit/ids.ts';
import type { Mailer } from '../mail/mailer.ts';
import { mailJobs } from '../mail/send-mail.ts';
import type { Config } from '../settings/config.ts';
import type { Trace } from '../telemetry/tracing.ts';

export interface WorkerDeps {
  purchasing: PurchaseDeps;
  /** For what reads much: its limits are longer. */
  reportDb: Db;
  /** For exams: guarded as webhooks are, and without chaos. */
  sender: Sender;
  mailer: Mailer | null;
  /** Receipts link to their page. */
  checkoutUrlOf: CheckoutUrlOf;
  live: MerchantAccounts;
  /** For the daily test of the merchant accounts: where players and providers reach the program, and what keys are allowed. */
  site: { publicUrl: string; allowTestKeys: boolean };
  /** Absent: everything is kept for ever. */
  retention?: Omit<RetentionDeps, 'db'>;
  onError: (error: unknown, source: string, about?: object) => void;
  /** Runs a piece of work inside a span. Without tracing it is only run. */
  trace?: Trace | undefined;
}

export interface Workers {
  start(): void;
  /** Everything that is due now, until nothing is. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

const FAN_OUT_EVERY_MS = 250;
const SWEEP_EVERY_MS = 1_000;
const CLEAN_EVERY_MS = 60_000;
const ROLL_UP_EVERY_MS = 500;
const ROLL_UP_ATTEMPTS_EVERY_MS = 10_000;
const CLEAN_BATCH = 1_000;
const RECONCILE_EVERY_MS = 600_000;
const BEAT_EVERY_MS = 10_000;
/** Each waits for a receiver nearly all of its time; a process has few, so that they take nothing from the shop. */
const EXAMS_AT_ONCE = 4;
const KEEP_ALL = { deliveries: 0, events: 0, mails: 0, counters: 0 };

function buildLoops(deps: WorkerDeps) {
  const { purchasing, mailer, live, onError, checkoutUrlOf, trace = (_name, _about, work) => work() } = deps;
  const { db, random } = purchasing;
  const mailDeps = { db, mailer };
  const readTarget = singleFlight((environmentId: string, id: string) => findTarget(db, environmentId, id));
  const observerDeps = { ...purchasing, readTarget, recordOutcome: createOutcomeRecorder(purchasing) };
  const common = { db, leaseSeconds: DELIVERY_LEASE_SECONDS, onError };
  return {
    items: createDeliveryLoop({
      ...common,
      lane: 'items',
      deliver: delivery => trace('deliver items', delivery, () => deliverItem(purchasing, delivery)),
    }),
    observers: createDeliveryLoop({
      ...common,
      lane: 'observer',
      deliver: (delivery, answered) =>
        trace('deliver to observer', delivery, () => deliverObserver(observerDeps, delivery, answered)),
    }),
    payments: createLoop<PaymentToCheck>({
      name: 'payments',
      maxInFlight: 64,
      claim: room => claimPaymentsToCheck(db, room, LEASE_SECONDS),
      run: due => trace('check payment', due, () => checkPayment(purchasing, due)),
      onError,
    }),
    exams: createLoop<ClaimedExam>({
      name: 'exams',
      maxInFlight: EXAMS_AT_ONCE,
      claim: room => claimExams(db, newId('job'), room, EXAM_LEASE_SECONDS),
      run: exam => takeExam({ ...purchasing, sender: deps.sender }, exam),
      onError,
    }),
    jobs: createJobWorker({
      db,
      random,
      onError,
      handlers: {
        ...paymentJobs(purchasing),
        ...disputeJobs(purchasing),
        ...bulkJobs(purchasing),
        ...notificationJobs({ ...mailDeps, checkoutUrlOf }),
        ...mailJobs(mailDeps),
        ...providerEventJobs(purchasing),
        ...reconciliationJobs({ providers: live.list, purchasing }),
      },
    }),
  };
}

/** What is asked of the providers once a day, and what is kept of their news. */
function providerTickers({
  purchasing,
  live,
  site,
  onError,
}: Pick<WorkerDeps, 'purchasing' | 'live' | 'site' | 'onError'>) {
  const { db, seal, clock } = purchasing;
  return [
    createTicker({
      name: 'reconciliation',
      everyMs: RECONCILE_EVERY_MS,
      work: () => reconcileDue({ providers: live.list, purchasing }),
      onError,
    }),
    createTicker({
      name: 'connection tests',
      everyMs: RECONCILE_EVERY_MS,
      work: () => checkDue({ db, seal, providers: live.list, ...site, nowMs: () => clock.nowMs(), onError }),
      onError,
    }),
    createTicker({
      name: 'old callbacks',
      everyMs: RECONCILE_EVERY_MS,
      work: async () => (await deleteOldProviderEvents(db, CLEAN_BATCH)) === CLEAN_BATCH,
      onError,
    }),
  ];
}

function buildTickers({ purchasing, reportDb, live, onError, ...deps }: WorkerDeps) {
  const { db, signals } = purchasing;
  const retention = deps.retention ?? { days: KEEP_ALL, archiveDir: undefined };
  return [
    createTicker({
      name: 'retention',
      everyMs: RECONCILE_EVERY_MS,
      work: () => runRetention({ db: reportDb, ...retention }),
      onError,
    }),
    createTicker({
      name: 'heartbeat',
      everyMs: BEAT_EVERY_MS,
      work: async () => {
        await updateHeartbeat(db, 'worker');
        return false;
      },
      onError,
    }),
    createTicker({
      name: 'fan-out',
      everyMs: FAN_OUT_EVERY_MS,
      work: async () => (await fanOut({ db, signals })) > 0,
      onError,
    }),
    createTicker({
      name: 'expiry',
      everyMs: SWEEP_EVERY_MS,
      work: async () => (await expireOrders({ db })) > 0,
      onError,
    }),
    createTicker({ name: 'ledger', everyMs: SWEEP_EVERY_MS, work: () => rollUpLedger({ db }), onError }),
    createTicker({
      name: 'held deliveries',
      everyMs: SWEEP_EVERY_MS,
      work: () => expireHeldGrants(purchasing),
      onError,
    }),
    createTicker({ name: 'listeners', everyMs: SWEEP_EVERY_MS, work: () => forgetListeners(db), onError }),
    createTicker({ name: 'figures of events', everyMs: ROLL_UP_EVERY_MS, work: () => rollUpEvents(reportDb), onError }),
    createTicker({ name: 'figures of orders', everyMs: SWEEP_EVERY_MS, work: () => rollUpOrders(reportDb), onError }),
    createTicker({
      name: 'figures of attempts',
      everyMs: ROLL_UP_ATTEMPTS_EVERY_MS,
      work: () => rollUpAttempts(reportDb),
      onError,
    }),
    ...providerTickers({ purchasing, live, onError, site: deps.site }),
    createTicker({
      name: 'old requests',
      everyMs: CLEAN_EVERY_MS,
      work: async () => (await deleteOldRequests(db, CLEAN_BATCH)) === CLEAN_BATCH,
      onError,
    }),
    createTicker({
      name: 'idempotency keys',
      everyMs: CLEAN_EVERY_MS,
      work: async () => (await deleteOldIdempotencyKeys(db, CLEAN_BATCH)) === CLEAN_BATCH,
      onError,
    }),
  ];
}

/** The background work: each loop claims its share from the tables, so any number of processes can run side by side. */
export function createWorkers(deps: WorkerDeps): Workers {
  const { items, observers, payments, exams, jobs } = buildLoops(deps);
  const tickers = buildTickers(deps);
  const loops = [items, observers, payments, exams, jobs];
  const { signals } = deps.purchasing;
  const offs: (() => void)[] = [];
  return {
    start() {
      offs.push(
        signals.on('deliveries', items.wake),
        signals.on('deliveries', observers.wake),
        signals.on('jobs', jobs.wake),
        signals.on('exams', exams.wake),
      );
      for (const part of [...loops, ...tickers]) part.start();
    },
    async drain() {
      // What one loop finishes may be what another takes up, so three rounds.
      for (let round = 0; round < 3; round++) {
        for (const part of [...tickers, ...loops]) await part.drain();
      }
    },
    async stop() {
      for (const off of offs) off();
      await Promise.all([...loops, ...tickers].map(part => part.stop()));
    },
  };
}

/** As the settings say how long things are kept and where the pages are. */
export function workersOf(
  deps: Omit<WorkerDeps, 'checkoutUrlOf' | 'retention' | 'site' | 'trace'>,
  { operations: { retentionDays: days, archiveDir }, publicUrl, env }: Config,
  trace: Trace | undefined,
): Workers {
  const checkoutUrlOf = checkoutUrls(deps.purchasing.seal, publicUrl);
  const site = { publicUrl, allowTestKeys: env !== 'production' };
  return createWorkers({ ...deps, checkoutUrlOf, retention: { days, archiveDir }, site, trace });
}
