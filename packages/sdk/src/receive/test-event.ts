import { invalidArgument } from '../coinslot-error.ts';
import type {
  EventDataByKind,
  EventEnvelope,
  ItemEventData,
  OrderEventData,
  PaymentEventData,
  WebhookEvent,
} from '../event-shapes.ts';
import {
  EVENT_SELECTORS,
  type EventKind,
  type OrderStatus,
  type PaymentStatus,
  UNPAID_ORDER_STATUSES,
} from '../word-shapes.ts';

const DAY_SECONDS = 86_400;
const PLAYER = 'player_1';
const PRICE = { price_decimal: 4.99, currency: 'USD' };
const ITEM = { sku: 'crystals_100', name: '100 crystals', quantity: 1, ...PRICE };

let made = 0;

const itemData = (kind: EventKind, id: string): ItemEventData => ({
  player_id: PLAYER,
  items: [ITEM],
  order_id: `ord_${id}`,
  payment_id: `pay_${id}`,
  reason: kind === 'item.add' ? `Player ${PLAYER} bought these items.` : 'The payment was refunded.',
  reason_code: kind === 'item.add' ? 'order_paid' : 'refund',
  metadata: {},
  ...(kind === 'item.remove' && { grant: 'confirmed' }),
});

const orderData = (status: OrderStatus, id: string, now: number): OrderEventData => ({
  order_id: `ord_${id}`,
  status,
  player_id: PLAYER,
  items: [{ ...ITEM, description: null, image_url: null, full_price_decimal: null }],
  amount: 499,
  ...PRICE,
  metadata: {},
  payment_id: UNPAID_ORDER_STATUSES.includes(status) ? null : `pay_${id}`,
  problem: status === 'rejected' ? 'The game refused the items. The money was released.' : null,
  created_at: now - 60,
  expires_at: now - 60 + DAY_SECONDS,
  paid_at: UNPAID_ORDER_STATUSES.includes(status) || status === 'rejected' ? null : now,
});

const paymentData = (status: PaymentStatus | 'attention', id: string, now: number): PaymentEventData => ({
  payment_id: `pay_${id}`,
  order_id: `ord_${id}`,
  player_id: PLAYER,
  status: status === 'attention' ? 'succeeded' : status,
  method: 'card',
  brand: 'visa',
  last4: status === 'declined' ? '9015' : '4242',
  country: 'GB',
  amount: 499,
  refunded_amount: status === 'refunded' ? 499 : null,
  ...PRICE,
  response_code: status === 'declined' ? '16' : null,
  response_description: status === 'declined' ? 'Payment declined' : null,
  attention:
    status === 'attention'
      ? {
          code: 'refund_refused',
          since: now,
          detail: 'The provider refused the refund: The card was closed.',
          next_check_at: null,
        }
      : null,
  created_at: now - 10,
});

function dataOf(kind: EventKind, id: string, now: number): EventDataByKind[EventKind] {
  if (kind === 'checkout.opened') return { order_id: `ord_${id}`, player_id: PLAYER };
  if (kind === 'webhook.test') return { webhook_id: `whk_${id}`, message: 'This is a test. Nothing was bought.' };
  const [about, status] = kind.split('.') as [string, string];
  if (about === 'item') return itemData(kind, id);
  return about === 'order' ? orderData(status as OrderStatus, id, now) : paymentData(status as PaymentStatus, id, now);
}

/**
 * An event of a kind for unit tests, complete and typed: `testEvent('item.add', { player_id: 'ann' })`. Every one has its own
 * `idempotency_key`; give one in `envelope` to make a duplicate.
 */
export function testEvent<K extends EventKind>(
  kind: K,
  data: Partial<EventDataByKind[K]> = {},
  envelope: Partial<EventEnvelope> = {},
): WebhookEvent<K> {
  if (!(EVENT_SELECTORS as readonly string[]).includes(kind) || kind.includes('*'))
    throw invalidArgument('testEvent', `there is no event "${kind}"; an example is "item.add"`);
  made += 1;
  const id = `test${made}`;
  const now = Math.floor(Date.now() / 1000);
  const event = {
    event_id: `evt_${id}`,
    event_type: kind,
    event_time: now,
    game_id: 'game_test',
    sandbox: true,
    idempotency_key: `${kind}:${id}`,
    ...envelope,
    event_data: { ...dataOf(kind, id, now), ...data },
  };
  return event as unknown as WebhookEvent<K>;
}
