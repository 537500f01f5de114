import { setTimeout as pause } from 'node:timers/promises';
import type { ListRequestsQuery, RequestRecord } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../command.ts';
import { countdown } from '../listen/socket.ts';
import { wholeNumber } from '../read-options.ts';
import { plain } from '../terminal/style.ts';
import { clockWord, orNone, timeWord } from '../terminal/words.ts';

interface Flags {
  errors?: boolean;
}

const POLL_EVERY_MS = 1_000;
const PAGE = 100;
/** Enough to recognize the page that was shown before, and requests that another process writes late. */
const MOST_SEEN = 2_000;

const filterOf = ({ errors }: Flags): ListRequestsQuery => ({ limit: PAGE, ...(errors && { outcome: 'error' }) });

const wrong = ({ code, message }: RequestRecord): string => [code, message].filter(word => word !== null).join(': ');

function printRequest({ output }: Context, request: RequestRecord): void {
  if (output.isJson) {
    output.json(request);
    return;
  }
  const { style } = output;
  const { method, path, status, duration_ms, created_at } = request;
  const color = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green;
  const words = [
    style.dim(clockWord(new Date(created_at * 1000))),
    color(String(status)),
    `${method.padEnd(6)} ${plain(path)}`,
    style.dim(`${duration_ms} ms`),
    plain(wrong(request)),
    status >= 400 ? style.dim(request.request_id) : '',
  ];
  output.line(words.filter(word => word !== '').join('  '));
}

/** Polls for new requests and leaves out those that were there before the first poll. */
async function tail(context: Context, flags: Flags & { count?: number }): Promise<void> {
  const { io, client, output } = context;
  const { signal, count } = countdown(io.signal, flags.count);
  const read = async (): Promise<RequestRecord[]> => (await client.requests.list(filterOf(flags)).page()).data;
  const seen = new Set((await read()).map(({ request_id }) => request_id));
  output.note('Watching the requests of this key. Stop with Ctrl-C.\n');
  while (!signal.aborted) {
    // Rejects if the command is stopped, which the next line checks.
    await pause(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const fresh = (await read()).filter(({ request_id }) => !seen.has(request_id)).toReversed();
    for (const request of fresh) {
      if (signal.aborted) return;
      seen.add(request.request_id);
      printRequest(context, request);
      count();
    }
    for (const id of seen) {
      if (seen.size <= MOST_SEEN) break;
      seen.delete(id);
    }
  }
}

export function addLogs(program: Command, runner: Runner): void {
  const logs = program
    .command('logs')
    .summary('requests of this key and their errors')
    .description('Logs: what your backend asked, and what was wrong. The newest 1,000 requests are kept for a day.');
  const onlyErrors = (command: Command): Command => command.option('--errors', 'only what was refused or failed');
  addCommand<Flags & { count?: number }>(logs, runner, {
    name: 'tail',
    summary: 'watch the requests of this key as they come',
    more: 'In sandbox and live. A request shows about a second after its response.',
    examples: [
      ['coinslot logs tail', 'every request'],
      ['coinslot logs tail --errors --json | jq .message', 'what is wrong, as JSON lines'],
    ],
    options: command =>
      onlyErrors(command).option('--count <n>', 'stop after this many', wholeNumber('--count', 1, 1_000_000)),
    run: (context, _args, flags) => tail(context, flags),
  });
  addCommand<Flags & { limit: number }>(logs, runner, {
    name: 'list',
    summary: 'list the requests of this key, newest first',
    examples: [['coinslot logs list --errors', 'what went wrong lately']],
    options: command =>
      onlyErrors(command).option('--limit <n>', 'maximum number of rows', wholeNumber('--limit', 1, 1_000), 20),
    async run({ client, output }, _args, { limit, ...flags }) {
      const found = await output.during('Reading requests', client.requests.list(filterOf(flags)).take(limit));
      if (output.isJson) {
        for (const request of found) output.json(request);
        return;
      }
      output.table(
        ['TIME', 'STATUS', 'REQUEST', 'MS', 'ERROR', 'ID'],
        found.map(request => [
          timeWord(request.created_at),
          String(request.status),
          `${request.method} ${plain(request.path)}`,
          String(request.duration_ms),
          orNone(plain(wrong(request)) || null),
          request.request_id,
        ]),
        'No requests.',
      );
    },
  });
}
