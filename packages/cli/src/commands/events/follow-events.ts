import { type EventFeedPage, type EventRecord, isCoinslotError } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../../command.ts';
import { countdown, pause } from '../../listen/socket.ts';
import { oneOf, wholeNumber } from '../../read-options.ts';
import { plain } from '../../terminal/style.ts';

interface FeedFlags {
  from: string;
  follow?: boolean;
  format: 'text' | 'ndjson';
  count?: number;
}

type PrintEvent = (context: Context, event: EventRecord, asJson: boolean) => void;

const PAGE = 100;
const LOOK_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** The server is away, busy or restarting: it is the same call a moment later. */
const isTemporary = (error: unknown): boolean =>
  isCoinslotError(error) && (error.status === 0 || error.status === 429 || error.status >= 500);

/** While it follows, an outage ends nothing: the cursor stays where it is until the server answers again. */
async function readPatiently(
  { client, output }: Context,
  after: string,
  { follow }: FeedFlags,
  signal: AbortSignal,
): Promise<EventFeedPage | null> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      return await client.events.after(after, { limit: PAGE }, { signal });
    } catch (error) {
      if (signal.aborted) return null;
      if (!follow || !isTemporary(error)) throw error;
      const asked = isCoinslotError(error) ? error.retryAfterSeconds : null;
      const waitMs = asked === null ? Math.min(LONGEST_WAIT_MS, LOOK_MS * 2 ** tries) : asked * 1000;
      output.note(`${plain((error as Error).message)} Trying again in ${(waitMs / 1000).toFixed(0)} s.`);
      await pause(waitMs, signal);
    }
  }
  return null;
}

async function readFeed(context: Context, flags: FeedFlags, print: PrintEvent): Promise<void> {
  const { signal, count } = countdown(context.io.signal, flags.count);
  const asJson = flags.format === 'ndjson' || context.output.isJson;
  let after = flags.from;
  while (!signal.aborted) {
    const page = await readPatiently(context, after, flags, signal);
    if (!page) return;
    for (const event of page.data) {
      // Each line holds its own cursor, so what was printed is what was read.
      if (signal.aborted) return;
      print(context, event, asJson);
      count();
    }
    after = page.next_cursor;
    if (page.has_more) continue;
    if (!flags.follow) return;
    await pause(LOOK_MS, signal);
  }
}

export function addFeed(events: Command, runner: Runner, print: PrintEvent): void {
  addCommand<FeedFlags>(events, runner, {
    name: 'feed',
    isDefault: true,
    summary: 'every event, oldest first and without a gap, for a data warehouse',
    more: 'Runs when `coinslot events` is called without a command. To go on later, give the `cursor` of the last line that you stored.',
    examples: [
      ['coinslot events --format ndjson > events.ndjson', 'all that is kept'],
      ['coinslot events --follow --from CURSOR --format ndjson >> events.ndjson', 'what came since, and what comes'],
    ],
    options: command =>
      command
        .option('--from <cursor>', 'the cursor of the last event that you have, start or now', 'start')
        .option('--follow', 'wait for what comes; ends with Ctrl-C, and not when the server is away')
        .option(
          '--format <format>',
          'text, or ndjson: one JSON document on each line',
          oneOf('--format', ['text', 'ndjson'] as const),
          'text',
        )
        .option('--count <n>', 'stop after this many events', wholeNumber('--count', 1, 1_000_000_000)),
    run: (context, _args, flags) => readFeed(context, flags, print),
  });
}
