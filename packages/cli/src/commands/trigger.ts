import { EVENT_SELECTORS, type EventKind, type TriggeredEvent } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addBareCommand, type Context, connect, type Runner } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { collect, oneOf, readOverrides, wholeNumber } from '../read-options.ts';
import { plain } from '../terminal/style.ts';
import { statusWord } from '../terminal/words.ts';
import { UsageError } from '../usage-error.ts';
import { answerWord, watchDelivery } from '../watch-delivery.ts';

const KINDS = EVENT_SELECTORS.filter((selector): selector is EventKind => !selector.includes('*'));

const MEANINGS: Record<EventKind, string> = {
  'item.add': 'a player bought items; the game is asked to grant them',
  'item.remove': 'a payment was reversed; the game is asked to take them back',
  'order.created': 'an order was created',
  'order.paid': 'an order was granted and collected',
  'order.rejected': 'the game refused, or stayed silent to the end',
  'order.canceled': 'an order was canceled before it was paid',
  'order.expired': 'nobody paid in time',
  'order.refunded': 'the money of an order was returned',
  'order.disputed': 'a bank questions the payment of an order',
  'order.charged_back': 'a bank reversed the payment of an order',
  'payment.pending': 'a player began to pay',
  'payment.requires_action': 'the player must do more, such as 3-D Secure',
  'payment.authorized': 'the money is reserved',
  'payment.succeeded': 'the money is collected',
  'payment.declined': 'the payment was declined',
  'payment.abandoned': 'the player did not finish the payment',
  'payment.voided': 'the reservation was released',
  'payment.refunded': 'the money was returned',
  'payment.disputed': 'a bank questions the payment',
  'payment.charged_back': 'a bank reversed the payment',
  'payment.attention': 'money waits for a studio member',
  'checkout.opened': 'a player opened the payment form',
  'webhook.test': 'somebody pressed the test button',
};

interface TriggerFlags {
  list?: boolean;
  player?: string;
  sku?: string[];
  quantity?: number;
  override: string[];
  wait: boolean;
}

const PRICELESS = { price_decimal: null, currency: null };

/** The options for what people change most, as the kind has it. */
function overridesOf(kind: EventKind, { player, sku, quantity = 1, override }: TriggerFlags): Record<string, unknown> {
  const hasItems = kind.startsWith('item.') || kind.startsWith('order.');
  if (sku && !hasItems) throw new UsageError(`${kind} has no items, so --sku means nothing.`);
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
        'Waiting for the answers',
        Promise.all(made.deliveries.map(({ delivery_id }) => watchDelivery(client, delivery_id, 0))),
      )
    : null;
  const isRefused = watched?.some(({ status }) => status !== 'succeeded') ?? false;
  const code = isRefused ? EXIT.saidNo : EXIT.done;
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
    output.note(`Nobody takes ${made.event_type}: no webhook selects it and nobody listens.`);
    output.next('coinslot listen --forward-to http://localhost:3000/webhook', 'Receive it on this computer');
    return code;
  }
  output.table(
    ['DELIVERY', 'TO', ...(watched ? ['STATUS', 'ANSWER'] : [])],
    made.deliveries.map(({ delivery_id, url, listener }, i) => {
      const outcome = watched?.[i];
      const to = listener ? 'coinslot listen' : plain(url);
      return [delivery_id, to, ...(outcome ? [statusWord(style, outcome.status), plain(answerWord(outcome))] : [])];
    }),
    '',
  );
  if (isRefused) output.next(`coinslot deliveries get ${made.deliveries[0]!.delivery_id}`, 'See what was said');
  return code;
}

export function addTrigger(program: Command, runner: Runner): void {
  addBareCommand<TriggerFlags>(program, runner, {
    name: 'trigger [kind]',
    summary: 'send a made-up event of any kind, with its real shape',
    more: `Nothing is bought and no order is touched. The event goes to every webhook that selects its kind and to
whoever listens, is signed as a real one is, and is marked as a test in the delivery log.`,
    examples: [
      ['coinslot trigger item.add --player ann --sku crystals_100', 'ask your game to grant an item'],
      ['coinslot trigger order.paid --override amount:=999 --override metadata.level=7', '= is text, := is JSON'],
      ['coinslot trigger --list', 'every kind there is'],
    ],
    options: command =>
      command
        .option('--player <id>', 'the player')
        .option('--sku <sku>', 'an item; may be given several times', collect)
        .option('--quantity <n>', 'how many of each', wholeNumber('--quantity', 1, 1_000_000))
        .option('--override <field=value>', 'any other field; := for JSON; may be given several times', collect, [])
        .option('--list', 'list every kind')
        .option('--no-wait', 'do not wait for the answers'),
    async run(bare, [kind], flags) {
      if (flags.list) {
        listKinds(bare);
        return EXIT.done;
      }
      if (kind === undefined)
        throw new UsageError('Which kind of event?', 'See them all with: coinslot trigger --list');
      const eventType = oneOf('The kind of event', KINDS)(kind);
      const overrides = overridesOf(eventType, flags);
      const context = await connect(bare, flags, true);
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
