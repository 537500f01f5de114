import { notificationJobs } from '../domain/notification/notification.jobs.ts';
import { claimPaymentsToCheck, PAYMENTS_DUE, type PaymentToCheck } from '../domain/payment/payment-checks.sql.ts';
import { paymentJobs } from '../domain/payment/saved-methods/save-method.ts';
import { bulkJobs } from '../domain/purchase/bulk/run-bulk.ts';
import { deliverItem } from '../domain/purchase/engine/advance-purchase.ts';
import { checkPayment } from '../domain/purchase/engine/check-payment.ts';
import type { PurchaseShop } from '../domain/purchase/engine/purchase.ts';
import { DELIVERY_LEASE_SECONDS } from '../domain/purchase/engine/queue-item-event.ts';
import { providerEventJobs } from '../domain/purchase/engine/sync-payment.ts';
import { acceptJobs } from '../domain/purchase/member-actions/accept-dispute.ts';
import { disputeJobs } from '../domain/purchase/member-actions/answer-dispute.ts';
import { LEASE_SECONDS } from '../domain/purchase/table/purchase-table.ts';
import { reconciliationJobs } from '../domain/reconciliation/reconciliation.jobs.ts';
import { type ClaimedExam, claimExams, EXAMS_DUE } from '../domain/webhook/conformance/exam.sql.ts';
import { EXAM_LEASE_SECONDS, takeExam } from '../domain/webhook/conformance/take-exam.ts';
import { DELIVERIES_DUE } from '../domain/webhook/delivery/claim-deliveries.sql.ts';
import { createOutcomeRecorder, deliverObserver } from '../domain/webhook/delivery/deliver-observer.ts';
import { createDeliveryLoop } from '../domain/webhook/delivery/delivery-loop.ts';
import { findTarget } from '../domain/webhook/endpoints/delivery-target.sql.ts';
import type { Sender } from '../domain/webhook/sending/send.ts';
import { createJobWorker } from '../jobs/job-worker.ts';
import { JOBS_DUE } from '../jobs/jobs.sql.ts';
import { createLookout } from '../jobs/lookout.ts';
import { createLoop } from '../jobs/loop.ts';
import { singleFlight } from '../kit/concurrency.ts';
import { newId } from '../kit/ids.ts';
import { mailJobs } from '../mail/send-mail.ts';
import type { Trace } from '../telemetry/tracing.ts';
import { buildSweeps, type SweepOptions } from './sweeps.ts';

export interface WorkerOptions extends SweepOptions {
  /** Sends the requests of exams: with the checks of webhook targets, and without chaos. */
  examSender: Sender;
  trace?: Trace | undefined;
}

export interface Workers {
  start(): void;
  /** Works until nothing is due any more. `orders`: only what moves an order on, and none of the books and the cleaning. */
  drain(what?: 'all' | 'orders'): Promise<void>;
  stop(): Promise<void>;
}

/** An exam waits for its receiver nearly all the time. A process runs few of them, so that purchases lose nothing. */
const EXAMS_AT_ONCE = 4;

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
