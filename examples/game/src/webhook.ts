import {
  type Coinslot,
  createWebhookHandler,
  decline,
  EVENT_SELECTORS,
  type EventHandlers,
  memoryStore,
  type WebhookEvent,
  type WebhookHandler,
} from '@coinslot/sdk';
import { offerOf } from './offers.ts';
import type { Game } from './world.ts';

type ItemEvent = WebhookEvent<'item.add' | 'item.remove'>;

const listOf = ({ event_data: { items } }: ItemEvent): string =>
  items.map(({ sku, quantity }) => `${quantity} × ${offerOf(sku)?.name ?? sku}`).join(', ');

/** Handles the webhooks from Coinslot. */
export function createWebhook(game: Game, coinslot: Coinslot, secret: string): WebhookHandler {
  /** Events can arrive in any order, so read the order itself. */
  async function refresh(orderId: string): Promise<void> {
    const purchase = game.purchase(orderId);
    if (!purchase) return;
    const { status, problem } = await coinslot.orders.get(orderId);
    game.update(orderId, { status, note: purchase.note ?? problem });
  }

  function onItemAdd(event: WebhookEvent<'item.add'>) {
    const { items, order_id } = event.event_data;
    const tooHigh = items.map(({ sku }) => offerOf(sku)).find(offer => offer && !game.levelAllows(offer.sku));
    if (tooHigh) {
      const reason = `Level too low: ${tooHigh.name} needs level ${tooHigh.level}.`;
      game.hear({ kind: 'item.add', what: listOf(event), answer: 'declined: level too low' });
      game.update(order_id, { note: reason });
      return decline(reason);
    }
    for (const { sku, quantity } of items) game.give(sku, quantity);
    game.hear({ kind: 'item.add', what: listOf(event), answer: 'granted' });
    game.update(order_id, { status: 'authorized' });
    return undefined;
  }

  function onItemRemove(event: WebhookEvent<'item.remove'>): void {
    for (const { sku, quantity } of event.event_data.items) game.give(sku, -quantity);
    game.hear({ kind: 'item.remove', what: listOf(event), answer: `revoked: ${event.event_data.reason_code}` });
  }

  const informing = EVENT_SELECTORS.filter(kind => /^(?:order|payment)\.\w/.test(kind));
  const on = Object.fromEntries(
    informing.map(kind => [
      kind,
      (event: WebhookEvent<'order.paid' | 'payment.declined'>) => refresh(event.event_data.order_id),
    ]),
  ) as EventHandlers;
  return createWebhookHandler({ secret, onItemAdd, onItemRemove, on, store: memoryStore() });
}
