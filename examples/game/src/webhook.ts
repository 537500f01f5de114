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

/** What Coinslot tells and asks the game. */
export function createWebhook(game: Game, coinslot: Coinslot, secret: string): WebhookHandler {
  /** Events arrive in any order; the order itself is the truth. */
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
      game.hear({ kind: 'item.add', what: listOf(event), answer: 'no, level too low' });
      game.update(order_id, { note: reason });
      return decline(reason);
    }
    for (const { sku, quantity } of items) game.give(sku, quantity);
    game.hear({ kind: 'item.add', what: listOf(event), answer: 'yes, granted' });
    game.update(order_id, { status: 'authorized' });
    return undefined;
  }

  function onItemRemove(event: WebhookEvent<'item.remove'>): void {
    for (const { sku, quantity } of event.event_data.items) game.give(sku, -quantity);
    game.hear({ kind: 'item.remove', what: listOf(event), answer: `taken back: ${event.event_data.reason_code}` });
  }

  const tells = EVENT_SELECTORS.filter(kind => /^(?:order|payment)\.\w/.test(kind));
  const on = Object.fromEntries(
    tells.map(kind => [
      kind,
      (event: WebhookEvent<'order.paid' | 'payment.declined'>) => refresh(event.event_data.order_id),
    ]),
  ) as EventHandlers;
  return createWebhookHandler({ secret, onItemAdd, onItemRemove, on, store: memoryStore() });
}
