import {
  type CreatedOrder,
  type CreateOrder,
  type ListOrdersQuery,
  ORDER_STATUSES,
  type Order,
  type OrderStatus,
} from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { append, checkId, listOf, oneOf, readJson, readPairs, timeOf, wholeNumber } from '../read-options.ts';
import { moneyWord } from '../terminal/words.ts';
import { addAdvance } from './advance.ts';
import { orderRow, printOrder } from './order-fields.ts';
import { addPay } from './pay.ts';

/** What a refund that was asked for becomes. */
const DECIDED: readonly OrderStatus[] = ORDER_STATUSES.filter(status => status !== 'refund_requested');

interface CreateFlags {
  player?: string;
  sku: string[];
  quantity?: number;
  price?: string;
  currency?: string;
  email?: string;
  country?: string;
  locale?: string;
  backToGameUrl?: string;
  metadata: string[];
  idempotencyKey?: string;
  data?: string;
}

const orderId = (args: string[]): string => checkId(args[0], 'ord', 'an order');

/** The request body: complete as JSON, or built from options. */
async function bodyOf({ io }: Context, flags: CreateFlags): Promise<CreateOrder> {
  if (flags.data !== undefined) {
    if (flags.player || flags.sku.length > 0) throw new UsageError('Give either --data or --player and --sku.');
    const text = flags.data === '-' ? (await io.readInput()).toString('utf8') : flags.data;
    return readJson('--data', text) as CreateOrder;
  }
  if (!flags.player || flags.sku.length === 0) {
    throw new UsageError(
      'An order needs a player and an item.',
      'coinslot orders create --player player_42 --sku crystals_100',
    );
  }
  if (flags.price !== undefined && !/^\d+(?:\.\d+)?$/.test(flags.price)) {
    throw new UsageError(`--price is an amount such as 4.99, not ${JSON.stringify(flags.price)}.`);
  }
  if (flags.price !== undefined && !flags.currency) throw new UsageError('A price needs a currency.', '--currency USD');
  const { quantity, email, country, locale } = flags;
  return {
    player_id: flags.player,
    items: flags.sku.map(sku => ({ sku, ...(quantity && { quantity }) })),
    ...(flags.price !== undefined && { price_decimal: Number(flags.price) }),
    ...(flags.currency && { currency: flags.currency }),
    ...(email && { email }),
    ...(country && { country }),
    ...(locale && { locale }),
    ...(flags.backToGameUrl && { back_to_game_url: flags.backToGameUrl }),
    ...(flags.metadata.length > 0 && { metadata: readPairs('--metadata', flags.metadata) }),
  };
}

function printCreated({ output }: Context, order: CreatedOrder): void {
  if (output.isJson) {
    output.json(order);
    return;
  }
  output.fields([
    ['order', order.order_id],
    ['price', moneyWord(order)],
    ['page', order.checkout_url],
  ]);
  for (const pointer of order.warnings ?? []) output.note(`Note: ${pointer} is not an order field and was ignored.`);
  if (order.sandbox)
    output.next(`coinslot orders pay ${order.order_id} --card success`, 'Pay it without opening the page');
}

function addCreate(orders: Command, runner: Runner): void {
  addCommand<CreateFlags>(orders, runner, {
    name: 'create',
    summary: 'create an order and print its checkout URL',
    examples: [
      ['coinslot orders create --player player_42 --sku crystals_100', 'the minimum'],
      ['coinslot orders create --player p1 --sku sword --quantity 2 --price 9.98 --currency USD', 'with a price'],
      ['coinslot orders create --data - < order.json', 'all fields of the API'],
      ['id=$(coinslot orders create --player p1 --sku sword --json | jq -r .order_id)', 'in a script'],
    ],
    options: command =>
      command
        .option('--player <id>', 'the player who buys')
        .option('--sku <sku>', 'item to buy; can be repeated', append, [])
        .option('--quantity <n>', 'how many of each', wholeNumber('--quantity', 1, 1_000_000))
        .option('--price <amount>', 'price of the order, such as 4.99')
        .option('--currency <code>', 'its currency, such as USD')
        .option('--email <address>', 'email address for the payment form')
        .option('--country <code>', 'the player’s country')
        .option('--locale <tag>', 'language of the page and the receipt')
        .option('--back-to-game-url <url>', 'deep link after payment')
        .option('--metadata <key=value>', 'your own notes; can be repeated', append, [])
        .option('--idempotency-key <key>', 'makes retries safe: the same key returns the same order for 24 hours')
        .option('--data <json>', 'the whole request as JSON; - reads standard input'),
    async run(context, _args, flags) {
      const body = await bodyOf(context, flags);
      const { idempotencyKey } = flags;
      const order = await context.client.orders.create(body, idempotencyKey === undefined ? {} : { idempotencyKey });
      printCreated(context, order);
    },
  });
}

function suggestNext({ output }: Context, order: Order): void {
  const { order_id: id, status } = order;
  if (status === 'created' && order.sandbox) output.next(`coinslot orders pay ${id} --card success`, 'Pay it');
  else if (status === 'authorized')
    output.next(`coinslot deliveries list --order ${id}`, 'The game is being asked; see its response');
  else if (status === 'paid') output.next(`coinslot orders refund ${id}`, 'Refund it');
}

function addGet(orders: Command, runner: Runner): void {
  addCommand<{ waitFor?: OrderStatus[]; timeout: number }>(orders, runner, {
    name: 'get <order-id>',
    summary: 'show an order, or wait for its status',
    examples: [
      ['coinslot orders get ord_…', 'current status'],
      ['coinslot orders get ord_… --wait-for paid --timeout 60', 'exits with 7 if it can no longer be paid'],
    ],
    options: command =>
      command
        .option('--wait-for <status>', 'wait for this status, or one of several', listOf('--wait-for', ORDER_STATUSES))
        .option('--timeout <seconds>', 'how long to wait', wholeNumber('--timeout', 1, 86_400), 600),
    async run(context, args, { waitFor, timeout }) {
      const id = orderId(args);
      const { client, output } = context;
      const order = waitFor
        ? await output.during(
            `Waiting for ${waitFor.join(' or ')}`,
            client.orders.waitFor(id, waitFor, { waitMs: timeout * 1000 }),
          )
        : await client.orders.get(id);
      printOrder(output, order);
      suggestNext(context, order);
    },
  });
}

function addList(orders: Command, runner: Runner): void {
  addCommand<{ status?: OrderStatus; player?: string; limit: number; since?: number }>(orders, runner, {
    name: 'list',
    summary: 'list orders, newest first',
    examples: [
      ['coinslot orders list --status paid --since 24h', 'sales of the last 24 hours'],
      ['coinslot orders list --limit 500 --json | jq -r .order_id', 'one order per line'],
    ],
    options: command =>
      command
        .option('--status <status>', 'only with this status', oneOf('--status', ORDER_STATUSES))
        .option('--player <id>', 'only for this player')
        .option('--since <time>', 'only since 15m, 2h, 7d, a date or Unix seconds', timeOf('--since', Date.now))
        .option('--limit <n>', 'maximum number of rows', wholeNumber('--limit', 1, 10_000), 20),
    async run({ client, output }, _args, { status, player, since, limit }) {
      const filter: ListOrdersQuery = {
        limit: Math.min(limit, 100),
        ...(status && { status }),
        ...(player && { player_id: player }),
        ...(since !== undefined && { created_from: since }),
      };
      const found = await output.during('Reading orders', client.orders.list(filter).take(limit));
      if (output.isJson) {
        for (const order of found) output.json(order);
        return;
      }
      output.table(
        ['ORDER', 'STATUS', 'PRICE', 'PLAYER', 'ITEMS', 'CREATED'],
        found.map(order => orderRow(output, order)),
        'No orders.',
      );
      if (found.length === 0) output.next('coinslot orders create --player player_42 --sku crystals_100', 'Create one');
    },
  });
}

function addRefund(orders: Command, runner: Runner): void {
  addCommand<{ reason?: string; wait: boolean }>(orders, runner, {
    name: 'refund <order-id>',
    summary: 'refund the full amount; the game gets item.remove',
    examples: [['coinslot orders refund ord_… --reason "Bought by mistake"', 'the game receives the reason']],
    options: command =>
      command
        .option('--reason <text>', 'reason, in a sentence')
        .option('--no-wait', 'do not wait for the refund to complete'),
    async run(context, args, { reason, wait }) {
      const id = orderId(args);
      const { client, output } = context;
      const asked = await client.orders.refund(id, reason === undefined ? {} : { reason });
      const order =
        wait && asked.status === 'refund_requested'
          ? await output.during('Waiting for the provider', client.orders.waitFor(id, DECIDED, { waitMs: 30_000 }))
          : asked;
      printOrder(output, order);
      output.next(`coinslot deliveries list --order ${id}`, 'See the game’s response');
    },
  });
}

export function addOrders(program: Command, runner: Runner): void {
  const orders = program
    .command('orders')
    .summary('create, read, pay, refund and cancel orders')
    .description('Orders: purchases of a player.');
  addCreate(orders, runner);
  addGet(orders, runner);
  addList(orders, runner);
  addPay(orders, runner);
  addAdvance(orders, runner);
  addRefund(orders, runner);
  addCommand(orders, runner, {
    name: 'cancel <order-id>',
    summary: 'cancel an unpaid order',
    examples: [['coinslot orders cancel ord_…', 'canceling again has no effect']],
    async run({ client, output }, args) {
      printOrder(output, await client.orders.cancel(orderId(args)));
    },
  });
}
