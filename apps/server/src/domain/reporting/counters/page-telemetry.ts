import { createOnce } from '../../../kit/collections.ts';
import { type Checkout, checkoutState } from '../../purchase/checkout/checkout.ts';
import { emitOpened } from '../../purchase/engine/save-purchase.ts';
import type { Shop } from '../../shop.ts';
import type { CheckoutEvent } from './checkout-counters.sql.ts';
import type { CheckoutCounters } from './checkout-counters.ts';

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
