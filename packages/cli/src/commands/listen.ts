import { EVENT_SELECTORS } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { forward, type LocalAnswer, type WebhookRequest } from '../listen/forward.ts';
import { readTarget } from '../listen/local-target.ts';
import { countdown, type Hello, ListenEnded, listen } from '../listen/socket.ts';
import { listOf, wholeNumber } from '../read-options.ts';
import { plain } from '../terminal/style.ts';
import { clockWord } from '../terminal/words.ts';

interface ListenFlags {
  forwardTo: URL;
  events: string[];
  printJson?: boolean;
  insecure?: boolean;
  count?: number;
}

interface EventBody {
  event_type?: string;
  event_data?: { order_id?: string };
}

function parseBody(text: string): EventBody {
  try {
    return JSON.parse(text) as EventBody;
  } catch {
    return {};
  }
}

function isDeclined(answer: LocalAnswer): boolean {
  if (answer.type !== 'answer' || answer.status < 400 || answer.status > 499) return false;
  try {
    return (JSON.parse(answer.body) as { code?: unknown } | null)?.code === 'declined';
  } catch {
    return false;
  }
}

/** Says how the service treats the response. */
function verdict(kind: string, answer: LocalAnswer): string {
  if (answer.type === 'failed') return 'will be sent again';
  if (answer.status >= 200 && answer.status < 300) {
    return kind === 'item.add' ? 'granted' : kind === 'item.remove' ? 'removed' : 'accepted';
  }
  if (answer.status === 410) return 'ends this listener';
  return kind === 'item.add' && isDeclined(answer) ? 'declined' : 'will be sent again';
}

function report(
  { output }: Context,
  webhook: WebhookRequest,
  answer: LocalAnswer,
  tookMs: number,
  asJson: boolean,
): void {
  const body = parseBody(webhook.body);
  const kind = body.event_type ?? 'unknown';
  if (asJson) {
    output.json({ type: 'webhook', event: body, headers: webhook.headers, answer, took_ms: tookMs });
    return;
  }
  const { style } = output;
  const what = verdict(kind, answer);
  const isGood = answer.type === 'answer' && answer.status >= 200 && answer.status < 300;
  const said = answer.type === 'answer' ? `${answer.status} in ${tookMs} ms` : plain(answer.reason);
  const line = [
    style.dim(clockWord(new Date())),
    style.bold(plain(kind).padEnd(12)),
    plain(body.event_data?.order_id ?? '-'),
    isGood ? style.green(said) : style.red(said),
    what,
  ];
  output.line(line.join('  '));
}

function greet({ output }: Context, target: URL, hello: Hello, isFirst: boolean, asJson: boolean): void {
  if (asJson) {
    output.json({ ...hello, type: isFirst ? 'ready' : 'reconnected', forward_to: target.href });
    return;
  }
  if (!isFirst) {
    output.note('Reconnected.');
    return;
  }
  const secret = hello.signed_with === 's2s_key' ? 'your S2S key' : `the secret of ${hello.webhook_id}`;
  output.note(`Ready. ${hello.events.join(', ')} of ${plain(hello.game)} (sandbox) are forwarded to ${target.href}`);
  output.note(`Signed with ${secret}. Your server's response decides: 2xx grants, 5xx is sent again.`);
  if (hello.other_listeners > 0 && hello.takes_items) {
    output.note(
      `Other listeners on this sandbox: ${hello.other_listeners}. This one is the newest and gets the items.`,
    );
  }
  output.note('Stop with Ctrl-C.\n');
}

async function run(context: Context, flags: ListenFlags & { json?: boolean }): Promise<ExitCode> {
  const { io, settings, output } = context;
  const asJson = (flags.printJson ?? false) || output.isJson;
  const { signal, count } = countdown(io.signal, flags.count);
  try {
    await listen(
      { url: settings.url, key: settings.key, mode: 'forward', events: flags.events, signal },
      {
        hello: (hello, isFirst) => greet(context, flags.forwardTo, hello, isFirst, asJson),
        lost: (why, againInMs) =>
          output.note(`Connection lost (${plain(why)}). Reconnecting in ${(againInMs / 1000).toFixed(1)} s.`),
        async request(webhook) {
          const startedMs = performance.now();
          const answer = await forward(flags.forwardTo, webhook, flags.insecure ?? false);
          report(context, webhook, answer, Math.round(performance.now() - startedMs), asJson);
          // Counts only after the response is sent, so that the connection is not closed before.
          setImmediate(count);
          return answer;
        },
      },
    );
  } catch (error) {
    if (!(error instanceof ListenEnded)) throw error;
    io.err(`Stopped: ${plain(error.message)}.\n`);
    return EXIT.negative;
  }
  return EXIT.done;
}

export function addListen(program: Command, runner: Runner): void {
  addCommand<ListenFlags>(program, runner, {
    name: 'listen',
    summary: 'receive the sandbox’s webhooks on this computer',
    more: `While it runs, this computer is the sandbox's item endpoint instead of the registered webhook. Requests are
signed like real ones, and your server's response counts, so a checkout completes against your laptop. When
it stops, the registered webhook takes over again.`,
    sandboxOnly: true,
    examples: [
      ['coinslot listen --forward-to http://localhost:3000/webhook', 'forward item events to a local server'],
      ['coinslot listen --forward-to 3000/webhook --events "item.*,order.*"', 'order events too; a port is enough'],
      ['coinslot listen --forward-to 3000 --print-json | jq .event', 'every webhook as a line of JSON'],
    ],
    options: command =>
      command
        .requiredOption('--forward-to <url>', 'your local server, such as http://localhost:3000/webhook', readTarget)
        .option('--events <kinds>', 'event kinds, separated by commas', listOf('--events', EVENT_SELECTORS), [
          'item.add',
          'item.remove',
        ])
        .option('--print-json', 'print every webhook and its response as a line of JSON')
        .option('--insecure', 'accept any TLS certificate from your local server')
        .option('--count <n>', 'stop after this many webhooks', wholeNumber('--count', 1, 1_000_000)),
    run: (context, _args, flags) => run(context, flags),
  });
}
