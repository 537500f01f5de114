import { attendPayment } from './domain/fulfilment/attend-payment.ts';
import { deliverItem } from './domain/fulfilment/deliver-item.ts';
import type { FulfilmentDeps } from './domain/fulfilment/fulfilment-deps.ts';
import { giveUpHeld } from './domain/fulfilment/give-up-held.ts';
import { foldLedger } from './domain/fulfilment/ledger/fold-ledger.ts';
import { LEASE_SECONDS } from './domain/fulfilment/next-step.ts';
import { providerNewsJobs } from './domain/fulfilment/provider-news.jobs.ts';
import { DELIVERY_LEASE_SECONDS } from './domain/fulfilment/queue-item-event.ts';
import { reconcileDue } from './domain/fulfilment/reconciliation/reconcile-due.ts';
import { reconciliationJobs } from './domain/fulfilment/reconciliation/reconciliation.jobs.ts';
import type { TellOrder } from './domain/order/cancel-order.ts';
import { expireOrders } from './domain/order/expire-orders.ts';
import { deleteOldIdempotencyKeys } from './domain/order/order.sql.ts';
import { paymentJobs } from './domain/payment/payment.jobs.ts';
import { claimPaymentsToAttend, type PaymentToAttend } from './domain/payment/payment.sql.ts';
import { deleteOldProviderEvents } from './domain/payment/provider/provider-event.sql.ts';
import type { StripeParts } from './domain/payment/provider/stripe-parts.ts';
import { receiptJobs } from './domain/receipt/receipt.jobs.ts';
import { foldAttempts } from './domain/report/fold-attempts.ts';
import { foldEvents } from './domain/report/fold-events.ts';
import { foldOrders } from './domain/report/fold-orders.ts';
import { deliverObserver } from './domain/webhook/deliver-observer.ts';
import { createDeliveryLoop } from './domain/webhook/delivery-loop.ts';
import { fanOut } from './domain/webhook/fan-out.ts';
import { forgetListeners } from './domain/webhook/listen/open-listener.ts';
import { createOutcomeRecorder } from './domain/webhook/record-outcomes.ts';
import { findTarget } from './domain/webhook/subscription.sql.ts';
import { createJobWorker } from './jobs/job-worker.ts';
import { createLoop } from './jobs/loop.ts';
import { createTicker } from './jobs/ticker.ts';
import { sharePending } from './kit/share-pending.ts';
import { mailJobs } from './mail/mail.jobs.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Trace } from './telemetry/tracing.ts';

export interface WorkerDeps {
  fulfilment: FulfilmentDeps;
  tellOrder: TellOrder;
  mailer: Mailer | null;
  stripe: StripeParts;
  onError: (error: unknown, source: string, about?: object) => void;
  /** Runs a piece of work where it can be seen; absent: it is only run. */
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
const FOLD_EVENTS_EVERY_MS = 500;
const FOLD_EVERY_MS = 10_000;
const CLEAN_BATCH = 1_000;
const RECONCILE_EVERY_MS = 600_000;

function buildLoops({ fulfilment, mailer, stripe, onError, trace = (_name, _about, work) => work() }: WorkerDeps) {
  const { db, random } = fulfilment;
  const mailDeps = { db, mailer };
  const readTarget = sharePending((environmentId: string, id: string) => findTarget(db, environmentId, id));
  const observerDeps = { ...fulfilment, readTarget, recordOutcome: createOutcomeRecorder(fulfilment) };
  const common = { db, leaseSeconds: DELIVERY_LEASE_SECONDS, onError };
  return {
    items: createDeliveryLoop({
      ...common,
      lane: 'items',
      deliver: delivery => trace('deliver items', delivery, () => deliverItem(fulfilment, delivery)),
    }),
    observers: createDeliveryLoop({
      ...common,
      lane: 'observer',
      deliver: (delivery, answered) =>
        trace('tell observer', delivery, () => deliverObserver(observerDeps, delivery, answered)),
    }),
    payments: createLoop<PaymentToAttend>({
      name: 'payments',
      maxInFlight: 64,
      claim: room => claimPaymentsToAttend(db, room, LEASE_SECONDS),
      run: due => trace('attend payment', due, () => attendPayment(fulfilment, due)),
      onError,
    }),
    jobs: createJobWorker({
      db,
      random,
      onError,
      handlers: {
        ...paymentJobs(fulfilment),
        ...receiptJobs(mailDeps),
        ...mailJobs(mailDeps),
        ...providerNewsJobs(fulfilment),
        ...reconciliationJobs({ ...stripe, fulfilment }),
      },
    }),
  };
}

function buildTickers({ fulfilment, tellOrder, stripe, onError }: WorkerDeps) {
  const { db, signals } = fulfilment;
  return [
    createTicker({
      name: 'fan-out',
      everyMs: FAN_OUT_EVERY_MS,
      work: async () => (await fanOut({ db, signals })) > 0,
      onError,
    }),
    createTicker({
      name: 'expiry',
      everyMs: SWEEP_EVERY_MS,
      work: async () => (await expireOrders({ db, tellOrder })) > 0,
      onError,
    }),
    createTicker({ name: 'ledger', everyMs: SWEEP_EVERY_MS, work: () => foldLedger({ db }), onError }),
    createTicker({ name: 'held deliveries', everyMs: SWEEP_EVERY_MS, work: () => giveUpHeld(fulfilment), onError }),
    createTicker({ name: 'listeners', everyMs: SWEEP_EVERY_MS, work: () => forgetListeners(db), onError }),
    createTicker({ name: 'figures of events', everyMs: FOLD_EVENTS_EVERY_MS, work: () => foldEvents(db), onError }),
    createTicker({ name: 'figures of orders', everyMs: FOLD_EVERY_MS, work: () => foldOrders(db), onError }),
    createTicker({ name: 'figures of attempts', everyMs: FOLD_EVERY_MS, work: () => foldAttempts(db), onError }),
    createTicker({
      name: 'reconciliation',
      everyMs: RECONCILE_EVERY_MS,
      work: () => reconcileDue({ ...stripe, fulfilment }),
      onError,
    }),
    createTicker({
      name: 'old callbacks',
      everyMs: RECONCILE_EVERY_MS,
      work: async () => (await deleteOldProviderEvents(db, CLEAN_BATCH)) === CLEAN_BATCH,
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

/** What works without being asked: each takes its share from the tables, any number of processes side by side. */
export function createWorkers(deps: WorkerDeps): Workers {
  const { items, observers, payments, jobs } = buildLoops(deps);
  const tickers = buildTickers(deps);
  const loops = [items, observers, payments, jobs];
  const { signals } = deps.fulfilment;
  const offs: (() => void)[] = [];
  return {
    start() {
      offs.push(
        signals.on('deliveries', items.wake),
        signals.on('deliveries', observers.wake),
        signals.on('jobs', jobs.wake),
      );
      for (const part of [...loops, ...tickers]) part.start();
    },
    async drain() {
      // What one finishes may be what another takes up, so twice around.
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
