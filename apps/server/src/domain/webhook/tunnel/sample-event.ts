import type {
  EventDataOf,
  EventKind,
  ItemEventData,
  OrderEventData,
  OrderStatus,
  PaymentEventData,
  PaymentStatus,
} from '@coinslot/contract';
import { phrase, phrasesText } from '@coinslot/texts/attention';
import { reasons } from '@coinslot/texts/reasons';
import { boughtReason } from '../../event/event.sql.ts';
import { orderIs } from '../../order/order.ts';

export interface SampleFacts {
  orderId: string;
  paymentId: string;
  webhookId: string;
  nowSeconds: number;
}

const REFUSED = phrase('refused.refund', { reason: reasons.text('en', 'card_closed') });
const DAY_SECONDS = 86_400;
const PLAYER = 'player_1';
const PRICE = { price_decimal: 4.99, currency: 'USD' };
const AMOUNT = { amount: 499, ...PRICE };
const NAMED_ITEM = { sku: 'crystals_100', name: '100 crystals', quantity: 1, ...PRICE };

function itemSample(kind: 'item.add' | 'item.remove', facts: SampleFacts): ItemEventData {
  const isAdd = kind === 'item.add';
  return {
    player_id: PLAYER,
    items: [NAMED_ITEM],
    order_id: facts.orderId,
    payment_id: facts.paymentId,
    reason: isAdd ? boughtReason(PLAYER) : reasons.text('en', 'revoked.refund'),
    reason_code: isAdd ? 'order_paid' : 'refund',
    ...(!isAdd && { grant: 'confirmed' }),
    metadata: {},
  };
}

function orderSample(status: OrderStatus, { orderId, paymentId, nowSeconds }: SampleFacts): OrderEventData {
  const wasTried = !orderIs(status, 'unpaid');
  return {
    order_id: orderId,
    status,
    player_id: PLAYER,
    items: [{ ...NAMED_ITEM, description: null, image_url: null, full_price_decimal: null }],
    ...AMOUNT,
    metadata: {},
    payment_id: wasTried ? paymentId : null,
    problem: status === 'rejected' ? phrasesText([phrase('rejected.declined')]) : null,
    created_at: nowSeconds - 60,
    expires_at: nowSeconds - 60 + DAY_SECONDS,
    paid_at: wasTried && status !== 'rejected' ? nowSeconds : null,
  };
}

function paymentSample(given: PaymentStatus | 'attention', facts: SampleFacts): PaymentEventData {
  const { orderId, paymentId, nowSeconds } = facts;
  const needsAttention = given === 'attention';
  const status = needsAttention ? 'succeeded' : given;
  const isDeclined = status === 'declined';
  return {
    payment_id: paymentId,
    order_id: orderId,
    player_id: PLAYER,
    status,
    method: 'card',
    brand: 'visa',
    last4: isDeclined ? '9015' : '4242',
    country: 'GB',
    ...AMOUNT,
    refunded_amount: status === 'refunded' ? AMOUNT.amount : null,
    response_code: isDeclined ? '16' : null,
    response_description: isDeclined ? 'Payment declined' : null,
    attention: needsAttention
      ? { code: 'refund_refused', since: nowSeconds, detail: phrasesText([REFUSED]), next_check_at: null }
      : null,
    created_at: nowSeconds - 10,
  };
}

export function sampleEvent(kind: EventKind, facts: SampleFacts): EventDataOf<EventKind> {
  if (kind === 'item.add' || kind === 'item.remove') return itemSample(kind, facts);
  if (kind === 'checkout.opened') return { order_id: facts.orderId, player_id: PLAYER, device: 'phone' };
  if (kind === 'webhook.test') return { webhook_id: facts.webhookId, message: reasons.text('en', 'webhook_test') };
  const [about, status] = kind.split('.') as [string, string];
  // The statuses carry the same words as the kinds.
  return about === 'order'
    ? orderSample(status as OrderStatus, facts)
    : paymentSample(status as PaymentStatus | 'attention', facts);
}

type Data = Record<string, unknown>;

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects are merged, everything else is replaced. */
export function withOverrides(sample: object, overrides: object): Data {
  const merged: Data = { ...sample };
  for (const [key, value] of Object.entries(overrides)) {
    const own = merged[key];
    merged[key] = isObject(own) && isObject(value) ? withOverrides(own, value) : value;
  }
  return merged;
}
