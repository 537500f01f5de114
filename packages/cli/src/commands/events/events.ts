import { EVENT_SELECTORS, type EventKind, type EventRecord, type ListEventsQuery, type Page } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../../command.ts';
import { countdown, listen } from '../../listen/socket.ts';
import { checkId, listOf, oneOf, timeOf, wholeNumber } from '../../read-options.ts';
import { plain } from '../../terminal/style.ts';
import { clockWord, moneyWord, orNone, timeWord } from '../../terminal/words.ts';
import { addFeed } from './follow-events.ts';

const KINDS = EVENT_SELECTORS.filter((selector): selector is EventKind => !selector.includes('*'));

interface ListFlags {
  event?: EventKind;
  order?: string;
  since?: number;
  limit: number;
}

/** The fields that best describe the event, on one line. */
function summaryOf({ event_data: data, test }: EventRecord): string {
  const items = Array.isArray(data.items) ? (data.items as { sku?: unknown }[]).map(item => String(item.sku)) : [];
  const words = [
    typeof data.player_id === 'string' ? `player ${data.player_id}` : '',
    items.length > 0 ? items.join(', ') : '',
    typeof data.price_decimal === 'number'
      ? moneyWord({ price_decimal: data.price_decimal, currency: String(data.currency) })
      : '',
    typeof data.response_description === 'string' ? data.response_description : '',
    test ? '(test)' : '',
  ];
  return plain(words.filter(word => word !== '').join(' · '));
}

function printEvent({ output }: Pick<Context, 'output'>, event: EventRecord, asJson = output.isJson): void {
  if (asJson) {
    output.json(event);
    return;
  }
  const { style } = output;
  const time = clockWord(new Date(event.event_time * 1000));
  output.line(
    [style.dim(time), style.bold(plain(event.event_type).padEnd(23)), orNone(event.order_id), summaryOf(event)].join(
      '  ',
    ),
  );
}

async function readEvents({ client }: Context, { event, order, since, limit }: ListFlags): Promise<EventRecord[]> {
  const filter: ListEventsQuery = {
    limit: Math.min(limit, 100),
    ...(event && { event_type: event }),
    ...(order && { order_id: order }),
    ...(since !== undefined && { created_from: since }),
  };
  const found: EventRecord[] = [];
  for (let cursor: string | null | undefined; found.length < limit && cursor !== null; ) {
    const query = { ...filter, ...(cursor && { cursor }) };
    const { body } = await client.request<Page<EventRecord>>({ method: 'GET', path: '/s2s/v1/events', query });
    found.push(...body.data);
    cursor = body.next_cursor;
  }
  return found.slice(0, limit);
}

function addList(events: Command, runner: Runner): void {
  addCommand<ListFlags>(events, runner, {
    name: 'list',
    summary: 'list events, newest first',
    examples: [['coinslot events list --order ord_…', 'everything that happened to an order']],
    options: command =>
      command
        .option('--event <kind>', 'only this kind', oneOf('--event', KINDS))
        .option('--order <id>', 'only for this order', (text: string) => checkId(text, 'ord', 'an order'))
        .option('--since <time>', 'only since 15m, 2h, 7d, a date or Unix seconds', timeOf('--since', Date.now))
        .option('--limit <n>', 'maximum number of rows', wholeNumber('--limit', 1, 10_000), 20),
    async run(context, _args, flags) {
      const { output } = context;
      const found = await output.during('Reading events', readEvents(context, flags));
      if (output.isJson) {
        for (const event of found) output.json(event);
        return;
      }
      output.table(
        ['TIME', 'EVENT', 'ORDER', 'ABOUT'],
        found.map(event => [timeWord(event.event_time), event.event_type, orNone(event.order_id), summaryOf(event)]),
        'No events.',
      );
    },
  });
}

export function addEvents(program: Command, runner: Runner): void {
  const events = program
    .command('events')
    .summary('list and watch events')
    .description('Events: what happened, in sandbox or live.');
  addFeed(events, runner, printEvent);
  addCommand<{ events: string[]; count?: number }>(events, runner, {
    name: 'tail',
    summary: 'watch every event as it happens (sandbox)',
    more: 'It only watches: nothing is delivered, and your webhook still gets its events.',
    sandboxOnly: true,
    examples: [
      ['coinslot events tail', 'everything'],
      ['coinslot events tail --events "payment.*" --json | jq .event_data', 'payments, as JSON lines'],
    ],
    options: command =>
      command
        .option('--events <kinds>', 'event kinds, separated by commas', listOf('--events', EVENT_SELECTORS), ['*'])
        .option('--count <n>', 'stop after this many events', wholeNumber('--count', 1, 1_000_000)),
    async run(context, _args, flags) {
      const { io, output, settings } = context;
      const { signal, count } = countdown(io.signal, flags.count);
      await listen(
        { url: settings.url, key: settings.key, mode: 'tail', events: flags.events, signal },
        {
          hello: (hello, isFirst) =>
            output.note(isFirst ? `Watching ${plain(hello.game)} (sandbox). Stop with Ctrl-C.\n` : 'Reconnected.'),
          lost: (why, againInMs) =>
            output.note(`Connection lost (${plain(why)}). Reconnecting in ${(againInMs / 1000).toFixed(1)} s.`),
          event(event) {
            if (signal.aborted) return;
            printEvent(context, event);
            count();
          },
        },
      );
    },
  });
  addList(events, runner);
}
