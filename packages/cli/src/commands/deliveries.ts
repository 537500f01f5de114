import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
  type ListAllDeliveriesQuery,
  type Page,
} from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { checkId, oneOf, wholeNumber } from '../read-options.ts';
import type { Output } from '../terminal/output.ts';
import { plain } from '../terminal/style.ts';
import { orNone, statusWord, timeWord } from '../terminal/words.ts';
import { answerWord, watchDelivery } from '../watch-delivery.ts';

interface ListFlags {
  webhook?: string;
  order?: string;
  status?: DeliveryStatus;
  limit: number;
}

const deliveryId = (args: string[]): string => checkId(args[0], 'dlv', 'a delivery');

async function readDeliveries({ client }: Context, flags: ListFlags): Promise<Delivery[]> {
  const { webhook, order, status, limit } = flags;
  const filter: ListAllDeliveriesQuery = {
    limit: Math.min(limit, 100),
    ...(webhook && { webhook_id: webhook }),
    ...(order && { order_id: order }),
    ...(status && { status }),
  };
  const found: Delivery[] = [];
  for (let cursor: string | null | undefined; found.length < limit && cursor !== null; ) {
    const query = { ...filter, ...(cursor && { cursor }) };
    const { body } = await client.request<Page<Delivery>>({ method: 'GET', path: '/s2s/v1/deliveries', query });
    found.push(...body.data);
    cursor = body.next_cursor;
  }
  return found.slice(0, limit);
}

function addList(deliveries: Command, runner: Runner): void {
  addCommand<ListFlags>(deliveries, runner, {
    name: 'list',
    summary: 'list deliveries, newest first',
    examples: [
      ['coinslot deliveries list --order ord_…', 'what was sent to the game about an order'],
      ['coinslot deliveries list --status exhausted', 'events that were never accepted'],
    ],
    options: command =>
      command
        .option('--webhook <id>', 'only to this webhook', (text: string) => checkId(text, 'whk', 'a webhook'))
        .option('--order <id>', 'only about this order', (text: string) => checkId(text, 'ord', 'an order'))
        .option('--status <status>', 'only with this status', oneOf('--status', DELIVERY_STATUSES))
        .option('--limit <n>', 'maximum number of rows', wholeNumber('--limit', 1, 10_000), 20),
    async run(context, _args, flags) {
      const { output } = context;
      const found = await output.during('Reading deliveries', readDeliveries(context, flags));
      if (output.isJson) {
        for (const delivery of found) output.json(delivery);
        return;
      }
      output.table(
        ['DELIVERY', 'EVENT', 'STATUS', 'ATTEMPTS', 'RESPONSE', 'ORDER', 'CREATED'],
        found.map(delivery => [
          delivery.id,
          delivery.test ? `${delivery.event_type} (test)` : delivery.event_type,
          statusWord(output.style, delivery.status),
          String(delivery.attempts_made),
          plain(answerWord(delivery)),
          orNone(delivery.order_id),
          timeWord(delivery.created_at),
        ]),
        'No deliveries.',
      );
      const failed = found.find(({ status }) => status === 'exhausted' || status === 'pending');
      if (failed) output.next(`coinslot deliveries retry ${failed.id}`, 'Send one again');
    },
  });
}

function printDelivery(output: Output, delivery: Delivery): void {
  if (output.isJson) {
    output.json(delivery);
    return;
  }
  const { style } = output;
  output.fields([
    ['delivery', delivery.id],
    ['event', `${delivery.event_type}${delivery.test ? ' (test)' : ''} ${delivery.event_id}`],
    ['status', statusWord(style, delivery.status)],
    ['order', delivery.order_id],
    ['key', plain(delivery.idempotency_key)],
    ['next attempt', timeWord(delivery.next_attempt_at)],
  ]);
  for (const { attempt, time, duration_ms: ms, request, status, error, response } of delivery.attempts) {
    output.line();
    const said = status === null ? plain(error ?? 'no response') : `${status}`;
    output.line(`${style.bold(`attempt ${attempt}`)}  ${timeWord(time)}  ${said} in ${ms} ms  ${plain(request.url)}`);
    if (response?.body) output.line(style.dim(plain(response.body.slice(0, 500))));
  }
}

const codeOf = ({ status }: Delivery): ExitCode => (status === 'succeeded' ? EXIT.done : EXIT.negative);

export function addDeliveries(program: Command, runner: Runner): void {
  const deliveries = program
    .command('deliveries')
    .summary('list deliveries and send them again')
    .description('Deliveries: events sent to webhooks.');
  addList(deliveries, runner);
  addCommand(deliveries, runner, {
    name: 'get <delivery-id>',
    summary: 'show a delivery with every attempt',
    examples: [['coinslot deliveries get dlv_…', 'the request and the response of each attempt']],
    async run({ client, output }, args) {
      const delivery = await client.deliveries.get(deliveryId(args));
      printDelivery(output, delivery);
      if (delivery.status !== 'succeeded') output.next(`coinslot deliveries retry ${delivery.id}`, 'Send it again');
    },
  });
  addCommand<{ wait: boolean }>(deliveries, runner, {
    name: 'retry <delivery-id>',
    summary: 'send a delivery again now',
    more: 'The body and its idempotency key stay the same. Exits with 7 if it was not accepted.',
    examples: [['coinslot deliveries retry dlv_…', 'and show the response']],
    options: command => command.option('--no-wait', 'do not wait for the response'),
    async run({ client, output }, args, { wait }) {
      const id = deliveryId(args);
      const { attempts_made: before } = await client.deliveries.get(id);
      const asked = await client.deliveries.retry(id);
      if (!wait) {
        if (output.isJson) output.json(asked);
        else output.line(`${id} is scheduled.`);
        return EXIT.done;
      }
      const delivery = await output.during('Waiting for the response', watchDelivery(client, id, before));
      printDelivery(output, delivery);
      return codeOf(delivery);
    },
  });
}
