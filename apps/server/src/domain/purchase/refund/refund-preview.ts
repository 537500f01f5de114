import type { RefundPreview } from '@coinslot/contract';
import { allowedCommands, type Order } from '../../order/order.ts';
import type { Payment } from '../../payment/payment.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';

type Effect = RefundPreview['effects'][number];

export interface RefundFacts {
  order: Order;
  payment: Payment;
  /** `item.add` of the order, if the game was to be asked. */
  grant: Delivery | null;
  removal: Delivery | null;
  /** Whether an enabled webhook takes `item.remove` now. */
  hasReceiver: boolean;
}

const OPEN: readonly string[] = ['pending', 'blocked', 'held'];

function itemEffects({ order, grant, removal, hasReceiver }: RefundFacts): Effect[] {
  if (!grant || removal) return [];
  if (!order.grantedAt && ['canceled', 'declined'].includes(grant.status)) return [];
  const neverAsked = OPEN.includes(grant.status) && grant.claimId === null && grant.attemptsMade === 0;
  if (neverAsked) return ['grant_withdrawn'];
  return hasReceiver ? ['items_removed'] : ['items_removed', 'removal_waits'];
}

function moneyEffect({ amountMinor, capturedAt }: Payment): Effect {
  if (amountMinor === 0) return 'no_money';
  return capturedAt ? 'money_returned' : 'money_released';
}

/** A payment that is not the order's last holds no money. A bank that only asks is answered by a refund; one that took the money is not. */
export function mayRefund(order: Order, payment: Payment): boolean {
  if (payment.status === 'disputed') return payment.disputeStatus === 'inquiry' && order.status === 'disputed';
  return (
    allowedCommands(order.status).includes('request_refund') && ['authorized', 'succeeded'].includes(payment.status)
  );
}

/** What a refund would do, by the rules that will decide when it is asked for. */
export function refundPreview(facts: RefundFacts): RefundPreview {
  const { order, payment } = facts;
  const allowed = mayRefund(order, payment);
  return {
    allowed,
    refusal: allowed ? null : `The order is ${order.status} and this payment ${payment.status}.`,
    amount: payment.amountMinor,
    currency: payment.currency,
    effects: allowed ? [moneyEffect(payment), ...itemEffects(facts)] : [],
    items: order.items.map(({ sku, name, quantity }) => ({ sku, name, quantity })),
    email: payment.email,
  };
}
