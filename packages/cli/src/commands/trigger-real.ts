import type { Coinslot, EventKind, Order } from '@coinslot/sdk';
import { UsageError } from '../exit-codes.ts';

export interface RealInput {
  player?: string;
  sku?: string[];
  quantity?: number;
}

type Step = (client: Coinslot, order: Order) => Promise<unknown>;

const DAY_SECONDS = 86_400;

const pay =
  (card: 'success' | 'decline' | '3ds' | 'dispute' | 'dispute_won'): Step =>
  (client, { order_id }) =>
    client.sandbox.pay(order_id, { card });
const advance =
  (days: number): Step =>
  (client, { order_id }) =>
    client.sandbox.advance(order_id, { seconds: days * DAY_SECONDS });
const refund: Step = (client, { order_id }) => client.orders.refund(order_id);
const cancel: Step = (client, { order_id }) => client.orders.cancel(order_id);

/** What has to happen before Coinslot emits each event. */
const STEPS: Partial<Record<EventKind, Step[]>> = {
  'order.created': [],
  'order.canceled': [cancel],
  'order.expired': [advance(2)],
  'item.add': [pay('success')],
  'order.paid': [pay('success')],
  'payment.pending': [pay('success')],
  'payment.authorized': [pay('success')],
  'payment.succeeded': [pay('success')],
  'payment.declined': [pay('decline')],
  'payment.requires_action': [pay('3ds')],
  'payment.abandoned': [pay('3ds'), advance(2)],
  'item.remove': [pay('success'), refund],
  'order.refunded': [pay('success'), refund],
  'payment.refunded': [pay('success'), refund],
  'order.disputed': [pay('dispute_won'), advance(30)],
  'payment.disputed': [pay('dispute_won'), advance(30)],
  'order.charged_back': [pay('dispute'), advance(30)],
  'payment.charged_back': [pay('dispute'), advance(30)],
};

/** Takes a real sandbox order to the point at which this event happens. */
export async function createRealEvent(
  client: Coinslot,
  kind: EventKind,
  { player = 'trigger', sku = ['sword'], quantity = 1 }: RealInput,
): Promise<Order> {
  const steps = STEPS[kind];
  if (!steps) {
    const about =
      kind === 'order.rejected' || kind === 'payment.voided' ? 'only your game can decline' : 'no order leads to it';
    throw new UsageError(
      `${kind} cannot be made for real: ${about}.`,
      `Without --real a sample is sent: coinslot trigger ${kind}`,
    );
  }
  const items = sku.map(one => ({ sku: one, quantity }));
  const { order_id } = await client.orders.create({ player_id: player, items });
  let order = await client.orders.get(order_id);
  for (const step of steps) {
    await step(client, order);
    order = await client.orders.get(order_id);
  }
  return order;
}
