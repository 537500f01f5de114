import type { Db } from '../../../db/db.ts';
import { createTicker, type Ticker } from '../../../jobs/ticker.ts';
import { createOnce } from '../../../kit/collections.ts';
import type { Mode } from '../../game/environment.ts';
import { type Checkout, checkoutState } from '../../purchase/checkout/checkout.ts';
import { emitOpened } from '../../purchase/engine/save-purchase.ts';
import type { Shop } from '../../shop.ts';
import { type CheckoutCount, type CheckoutEvent, insertCheckoutCounts } from './checkout-counters.sql.ts';

export interface CheckoutCounters extends Pick<Ticker, 'start' | 'drain'> {
  count(of: { environmentId: string; mode: Mode }, event: CheckoutEvent): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

export interface CheckoutCountersOptions {
  db: Db;
  /** For the metrics, where nothing is kept. */
  onCount: (event: CheckoutEvent, mode: Mode) => void;
  onError: (error: unknown, source: string) => void;
}

const FLUSH_EVERY_MS = 1_000;

/**
 * Counted here and written together once in a while: a page must not wait for a counter. A crash loses the last second,
 * and an unclear commit may count it twice. Both are fine for numbers that nothing is paid by.
 */
export function createCheckoutCounters({ db, onCount, onError }: CheckoutCountersOptions): CheckoutCounters {
  let unwritten = new Map<string, CheckoutCount>();

  function add({ environmentId, event, count }: CheckoutCount): void {
    const key = `${environmentId} ${event}`;
    const sum = (unwritten.get(key)?.count ?? 0) + count;
    unwritten.set(key, { environmentId, event, count: sum });
  }

  async function flush(): Promise<boolean> {
    if (unwritten.size === 0) return false;
    const counts = [...unwritten.values()];
    unwritten = new Map();
    await insertCheckoutCounts(db, counts).catch((error: unknown) => {
      for (const count of counts) add(count);
      throw error;
    });
    return false;
  }

  const ticker = createTicker({ name: 'checkout counters', everyMs: FLUSH_EVERY_MS, work: flush, onError });
  return {
    start: ticker.start,
    drain: ticker.drain,
    count({ environmentId, mode }, event) {
      add({ environmentId, event, count: 1 });
      onCount(event, mode);
    },
    async stop() {
      await ticker.stop();
      await flush().catch((error: unknown) => onError(error, 'checkout counters'));
    },
  };
}

/** Far more orders than are paid at one time; one that is forgotten costs a statement, not a wrong number. */
const LOOKS_REMEMBERED = 50_000;

export interface Telemetry {
  /** The page is shown. A reload is no second opening and no second challenge. */
  looked(opened: Checkout): void;
  submitted(opened: Checkout): void;
}

export function createTelemetry(shop: Shop & { counters: CheckoutCounters }): Telemetry {
  const { counters } = shop;
  const once = createOnce(LOOKS_REMEMBERED);
  const count = ({ order: { environmentId }, mode }: Checkout, event: CheckoutEvent): void =>
    counters.count({ environmentId, mode }, event);

  async function open(opened: Checkout): Promise<void> {
    try {
      // The database decides which opening was first: another process may have shown the page before.
      if (await emitOpened(shop, opened.order)) count(opened, 'opened');
    } catch (error) {
      once.forget(opened.order.id);
      throw error;
    }
  }

  return {
    looked(opened) {
      const { order, payment } = opened;
      const isUntouched = order.version === 1 && payment === null;
      if (isUntouched && once.isFirst(order.id)) shop.background(open(opened), 'checkout.opened');
      if (payment && checkoutState(opened) === 'challenge' && once.isFirst(payment.id))
        count(opened, 'challenge_shown');
    },
    submitted: opened => count(opened, 'submitted'),
  };
}
