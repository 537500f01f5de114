import { Counter, Histogram, type Registry } from 'prom-client';
import type { Mode } from '../domain/game/environment.ts';
import { paymentStatusesThatAre } from '../domain/payment/payment.ts';
import { type PaymentChanged, paymentChanged } from '../domain/payment/payment-view.ts';
import { idsOf } from '../http/log.ts';

/** These statuses end the player's wait. Others are steps before, or come days later. */
const ENDINGS: ReadonlySet<string> = new Set(paymentStatusesThatAre('ends_wait'));
/** 3-D Secure takes minutes, a game that does not answer takes days. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 86_400];
const PREFIX = 'payment.';

export interface PaymentMetricsOptions {
  registry: Registry;
  /** Returns null for an unknown environment. Called once for each environment. */
  modeOf: (environmentId: string) => Promise<Mode | null>;
  onError: (error: unknown, source: string) => void;
  /** Gets each step, with the ids of its payment and order; null: no log takes them. */
  log: ((line: Record<string, string>) => void) | null;
}

/** Counts changes of payments after they are committed. Returns a function that stops it. */
export function watchPayments({ registry, modeOf, onError, log }: PaymentMetricsOptions): () => void {
  const registers = [registry];
  const total = new Counter({
    name: 'coinslot_payments_total',
    help: 'Steps of payments, by the status they reached.',
    labelNames: ['outcome', 'mode'],
    registers,
  });
  const duration = new Histogram({
    name: 'coinslot_payment_duration_seconds',
    help: 'From the start of a payment to its end, the question to the game included.',
    labelNames: ['outcome', 'mode'],
    buckets: BUCKETS,
    registers,
  });
  const modes = new Map<string, Mode>();

  async function count({ payment, kinds }: PaymentChanged): Promise<void> {
    const mode = modes.get(payment.environmentId) ?? (await modeOf(payment.environmentId));
    if (!mode) return;
    modes.set(payment.environmentId, mode);
    for (const kind of kinds) {
      if (!kind.startsWith(PREFIX)) continue;
      const outcome = kind.slice(PREFIX.length);
      total.inc({ outcome, mode });
      log?.({ event: kind, mode, ...idsOf(payment) });
      if (!ENDINGS.has(outcome)) continue;
      duration.observe({ outcome, mode }, (payment.updatedAt.getTime() - payment.createdAt.getTime()) / 1000);
    }
  }

  const listener = (change: unknown): void => {
    count(change as PaymentChanged).catch((error: unknown) => onError(error, 'metrics'));
  };
  paymentChanged.subscribe(listener);
  return () => {
    paymentChanged.unsubscribe(listener);
  };
}
