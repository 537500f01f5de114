import type { Item, ItemInput } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { wholeNumber } from '../read-options.ts';
import { plain } from '../terminal/style.ts';
import { orNone } from '../terminal/words.ts';

interface PutFlags {
  name?: string;
  description?: string;
  imageUrl?: string;
  price?: number;
  currency?: string;
}

function skuOf(args: string[]): string {
  if (args[0]) return args[0];
  throw new UsageError('Which sku?', 'List them with: coinslot items list');
}

/** Reads an amount as people write it. The service checks its decimals. */
function priceOf(text: string): number {
  if (/^\d{1,10}(?:\.\d{1,4})?$/.test(text)) return Number(text);
  throw new UsageError(`--price is an amount such as 4.99, not ${JSON.stringify(text)}.`);
}

const priceWord = ({ price_decimal, currency }: Item): string =>
  price_decimal === null ? '-' : `${price_decimal} ${currency ?? ''}`.trim();

function show({ output }: Context, item: Item): void {
  if (output.isJson) {
    output.json(item);
    return;
  }
  output.fields([
    ['sku', plain(item.sku)],
    ['name', item.name && plain(item.name)],
    ['description', item.description && plain(item.description)],
    ['price', priceWord(item)],
    ['image', item.image_url && plain(item.image_url)],
  ]);
}

function addList(items: Command, runner: Runner): void {
  addCommand<{ limit: number }>(items, runner, {
    name: 'list',
    summary: 'list the catalog, newest first',
    examples: [['coinslot items list --json', 'one item on each line']],
    options: command => command.option('--limit <n>', 'maximum number of rows', wholeNumber('--limit', 1, 10_000), 20),
    async run({ client, output }, _args, { limit }) {
      const found = await client.items.list({ limit: Math.min(limit, 100) }).take(limit);
      if (output.isJson) {
        for (const item of found) output.json(item);
        return;
      }
      output.table(
        ['SKU', 'NAME', 'PRICE'],
        found.map(item => [plain(item.sku), orNone(item.name), priceWord(item)]),
        'No items.',
      );
      if (found.length === 0) output.next('coinslot items put gold_100 --price 0.99 --currency EUR', 'Add one');
    },
  });
}

export function addItems(program: Command, runner: Runner): void {
  const items = program
    .command('items')
    .summary('list, read, put and remove items of the catalog')
    .description('Items: what the game sells, by sku.');
  addList(items, runner);
  addCommand(items, runner, {
    name: 'get <sku>',
    summary: 'show one item',
    examples: [['coinslot items get gold_100', 'with its price']],
    run: async (context, args) => show(context, await context.client.items.get(skuOf(args))),
  });
  addCommand<PutFlags>(items, runner, {
    name: 'put <sku>',
    summary: 'create or replace an item',
    more: 'Replaces the whole item: what is not given is cleared.',
    examples: [
      ['coinslot items put gold_100 --name "100 gold" --price 0.99 --currency EUR', 'orders then need only skus'],
    ],
    options: command =>
      command
        .option('--name <text>', 'display name')
        .option('--description <text>', 'description')
        .option('--image-url <url>', 'picture')
        .option('--price <amount>', 'unit price, such as 4.99', priceOf)
        .option('--currency <code>', 'such as EUR'),
    async run(context, args, { name, description, imageUrl, price, currency }) {
      const input: ItemInput = {
        ...(name && { name }),
        ...(description && { description }),
        ...(imageUrl && { image_url: imageUrl }),
        ...(price !== undefined && { price_decimal: price }),
        ...(currency && { currency: currency.toUpperCase() }),
      };
      show(context, await context.client.items.put(skuOf(args), input));
    },
  });
  addCommand(items, runner, {
    name: 'remove <sku>',
    summary: 'delete an item from the catalog',
    more: 'Orders that contain it stay as they are.',
    examples: [['coinslot items remove gold_100', 'permanently']],
    async run({ client, output }, args) {
      const sku = skuOf(args);
      await client.items.delete(sku);
      if (output.isJson) output.json({ sku, removed: true });
      else output.line(`${plain(sku)} was removed.`);
    },
  });
}
