import { EVENT_SELECTORS, type EventKind, type Order, type TriggeredEvent } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addBareCommand, type Context, connect, type Runner } from '../command.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-codes.ts';
import { append, oneOf, readOverrides, wholeNumber } from '../read-options.ts';
import { plain } from '../terminal/style.ts';
import { statusWord } from '../terminal/words.ts';
import { answerWord, watchDelivery } from '../watch-delivery.ts';
import { createRealEvent } from './trigger-real.ts';

const KINDS = EVENT_SELECTORS.filter((selector): selector is EventKind => !selector.includes('*'));

const MEANINGS: Record<EventKind, string> = {
  'item.add': 'a player bought items; the game is asked to grant them',
  'item.remove': 'a payment was reversed; the game is asked to revoke its items',
  'order.created': 'an order was created',
  'order.paid': 'the items were granted and the money was captured',
  'order.rejected': 'the game declined, or never responded',
  'order.canceled': 'an order was canceled before it was paid',
  'order.expired': 'an order was not paid in time',
  'order.refunded': 'an order was refunded',
  'order.disputed': 'a bank opened a dispute about an order’s payment',
  'order.charged_back': 'a bank reversed an order’s payment',
  'payment.pending': 'a player started a payment',
  'payment.requires_action': 'the player must take another step, such as 3-D Secure',
  'payment.authorized': 'the money was reserved',
  'payment.succeeded': 'the money was captured',
  'payment.declined': 'the payment was declined',
  'payment.abandoned': 'the player did not complete the payment',
  'payment.voided': 'the payment was voided',
  'payment.refunded': 'the payment was refunded',
  'payment.disputed': 'a bank opened a dispute about the payment',
  'payment.charged_back': 'a bank reversed the payment',
  'payment.attention': 'money waits for a studio member',
  'checkout.opened': 'a player opened the payment page',
  'webhook.test': 'a test event was sent',
};

interface TriggerFlags {
  list?: boolean;
  real?: boolean;
  player?: string;
  sku?: string[];
  quantity?: number;
  override: string[];
  wait: boolean;
}

const PRICELESS = { price_decimal: null, currency: null };

/** Turns the common options into overrides that fit the event type. */
function overridesOf(kind: EventKind, { player, sku, quantity = 1, override }: TriggerFlags): Record<string, unknown> {
  const hasItems = kind.startsWith('item.') || kind.startsWith('order.');
  if (sku && !hasItems) throw new UsageError(`${kind} has no items, so it takes no --sku.`);
  if (player && kind === 'webhook.test') throw new UsageError('webhook.test has no player.');
  const more = kind.startsWith('order.') ? { description: null, image_url: null, full_price_decimal: null } : {};
  const items = sku?.map(one => ({ sku: one, name: null, quantity, ...PRICELESS, ...more }));
  return { ...(player && { player_id: player }), ...(items && { items }), ...readOverrides(override) };
}

function listKinds({ output }: Pick<Context, 'output'>): void {
  if (output.isJson) {
    output.json(KINDS);
    return;
  }
  output.table(
    ['KIND', 'SENT WHEN'],
    KINDS.map(kind => [kind, MEANINGS[kind]]),
    '',
  );
}

async function follow({ client, output }: Context, made: TriggeredEvent, wait: boolean): Promise<ExitCode> {
  const watched = wait
    ? await output.during(
        'Waiting for the responses',
        Promise.all(made.deliveries.map(({ delivery_id }) => watchDelivery(client, delivery_id, 0))),
      )
    : null;
  const isRefused = watched?.some(({ status }) => status !== 'succeeded') ?? false;
  const code = isRefused ? EXIT.negative : EXIT.done;
  if (output.isJson) {
    output.json({ ...made, ...(watched && { outcomes: watched }) });
    return code;
  }
  const { style } = output;
  output.fields([
    ['event', `${made.event_id} (${made.event_type}, a test)`],
    ['key', made.idempotency_key],
  ]);
  if (made.deliveries.length === 0) {
    output.note(`No webhook or listener receives ${made.event_type}.`);
    output.next('coinslot listen --forward-to http://localhost:3000/webhook', 'Receive it on this computer');
    return code;
  }
  output.table(
    ['DELIVERY', 'TO', ...(watched ? ['STATUS', 'RESPONSE'] : [])],
    made.deliveries.map(({ delivery_id, url, listener }, i) => {
      const outcome = watched?.[i];
      const to = listener ? 'coinslot listen' : plain(url);
      return [delivery_id, to, ...(outcome ? [statusWord(style, outcome.status), plain(answerWord(outcome))] : [])];
    }),
    '',
  );
  if (isRefused) output.next(`coinslot deliveries get ${made.deliveries[0]!.delivery_id}`, 'See the response');
  return code;
}

function showReal({ output }: Context, order: Order): ExitCode {
  if (output.isJson) output.json(order);
  else {
    output.fields([
      ['order', order.order_id],
      ['status', statusWord(output.style, order.status)],
      ['payment', order.payment_id],
    ]);
    output.next(`coinslot orders get ${order.order_id}`, 'Read it');
  }
  return EXIT.done;
}

export function addTrigger(program: Command, runner: Runner): void {
  addBareCommand<TriggerFlags>(program, runner, {
    name: 'trigger [kind]',
    values: KINDS,
    summary: 'send a sample event of any kind, with its real schema',
    more: `Nothing is bought and no order is affected. The event goes to every webhook that selects its kind and to
connected listeners, is signed like a real one, and is marked as a test in the delivery log.`,
    examples: [
      ['coinslot trigger item.add --player ann --sku crystals_100', 'ask your game to grant an item'],
      ['coinslot trigger order.paid --override amount:=999 --override metadata.level=7', '= is text, := is JSON'],
      ['coinslot trigger order.refunded --real', 'a real order: created, paid, refunded'],
      ['coinslot trigger --list', 'list every kind'],
    ],
    options: command =>
      command
        .option('--player <id>', 'the player')
        .option('--sku <sku>', 'an item; can be repeated', append)
        .option('--quantity <n>', 'how many of each', wholeNumber('--quantity', 1, 1_000_000))
        .option('--override <field=value>', 'any other field; := for JSON; can be repeated', append, [])
        .option('--real', 'make a real order and let it happen, so that `orders get` finds it')
        .option('--list', 'list every kind')
        .option('--no-wait', 'do not wait for the responses'),
    async run(bare, [kind], flags) {
      if (flags.list) {
        listKinds(bare);
        return EXIT.done;
      }
      if (kind === undefined) throw new UsageError('Which kind of event?', 'List them with: coinslot trigger --list');
      const eventType = oneOf('The kind of event', KINDS)(kind);
      const context = await connect(bare, flags, true);
      if (flags.real) {
        if (flags.override.length > 0) throw new UsageError('A real event takes no --override.');
        return showReal(context, await createRealEvent(context.client, eventType, flags));
      }
      const overrides = overridesOf(eventType, flags);
      const { body } = await context.client.request<TriggeredEvent>({
        method: 'POST',
        path: '/s2s/v1/events/trigger',
        body: { event_type: eventType, overrides },
      });
      for (const pointer of body.warnings ?? []) {
        const field = pointer.replace('/overrides/', '').replaceAll('/', '.');
        context.output.note(`Note: ${eventType} has no field ${plain(field)}.`);
      }
      return follow(context, body, flags.wait);
    },
  });
}
