import { readFileSync } from 'node:fs';
import { isCoinslotError } from '@coinslot/sdk';
import { Command, CommanderError } from 'commander';
import type { Runner } from './command.ts';
import { addChaos } from './commands/chaos.ts';
import { addCompletion } from './commands/completion.ts';
import { addDeepLinks } from './commands/deep-links.ts';
import { addDeliveries } from './commands/deliveries.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEvents } from './commands/events/events.ts';
import { addExam } from './commands/exam.ts';
import { addItems } from './commands/items.ts';
import { addListen } from './commands/listen.ts';
import { addLogin } from './commands/login.ts';
import { addLogs } from './commands/logs.ts';
import { addOrders } from './commands/orders.ts';
import { addPayments } from './commands/payments.ts';
import { addRequest } from './commands/request.ts';
import { addSignature } from './commands/signature.ts';
import { addTrigger } from './commands/trigger.ts';
import { addWebhooks } from './commands/webhooks/webhooks.ts';
import { EXIT, EXIT_MEANINGS, exitCodeOf, UsageError } from './exit-codes.ts';
import { addInit } from './init/init.ts';
import type { Io } from './terminal/io.ts';
import { createStyle, plain, wantsColor } from './terminal/style.ts';

const { version: VERSION } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const exitCodes = Object.entries(EXIT_MEANINGS)
  .map(([code, meaning]) => `  ${code}  ${meaning}`)
  .join('\n');

const AFTER = `
First steps:
  $ export COINSLOT_KEY=sk_sandbox_…         the key from \`npm run setup\`; or run: coinslot login
  $ coinslot listen --forward-to http://localhost:3000/webhook
  $ coinslot orders create --player player_42 --sku crystals_100
  $ coinslot orders pay ord_… --card success

Settings:
  COINSLOT_KEY   the S2S key; decides between sandbox and live
  COINSLOT_URL   the server; defaults to http://localhost:4242
  COINSLOT_PROFILE  a key and a server saved with login --profile
  NO_COLOR       turns off colors

Exit codes:
${exitCodes}`;

function buildProgram(runner: Runner): Command {
  const { io } = runner;
  const program = new Command('coinslot')
    .description('Coinslot for game developers: orders, webhooks on your own computer, test payments and events.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(add --help for more)')
    .showSuggestionAfterError()
    .addHelpText('after', AFTER)
    .exitOverride()
    .configureOutput({ writeOut: text => io.out(text), writeErr: text => io.err(text) });
  for (const add of [
    addInit,
    addListen,
    addTrigger,
    addExam,
    addChaos,
    addOrders,
    addPayments,
    addItems,
    addEvents,
    addDeliveries,
    addLogs,
    addWebhooks,
    addSignature,
    addRequest,
    addDoctor,
    addDeepLinks,
    addLogin,
    addCompletion,
  ]) {
    add(program, runner);
  }
  return program;
}

const HINTS: Record<string, string> = {
  connection_failed: 'Is it running? Start it with `npm start`, or set COINSLOT_URL to another server.',
  unauthorized: 'Check COINSLOT_KEY, or run: coinslot login',
  sandbox_only: 'Use the S2S key that starts with sk_sandbox_',
};

function explain(io: Io, error: unknown, asJson: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const known = isCoinslotError(error) ? error : null;
  const hint = error instanceof UsageError ? error.hint : known ? (HINTS[known.code] ?? null) : null;
  if (asJson) {
    const code = known?.code ?? (error instanceof UsageError ? 'invalid_argument' : 'failed');
    io.err(`${JSON.stringify({ error: { code, message, request_id: known?.requestId ?? null, hint } })}\n`);
    return;
  }
  const style = createStyle(wantsColor(io, io.isErrTerminal));
  io.err(`${style.red('Error:')} ${plain(message)}\n`);
  if (hint) io.err(`${plain(hint)}\n`);
  if (known?.requestId) io.err(`${style.dim(`request ${plain(known.requestId)}`)}\n`);
}

/** Runs one command line and returns its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const runner: Runner = { io, exitCode: EXIT.done };
  const program = buildProgram(runner);
  if (argv.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return runner.exitCode;
  } catch (error) {
    // Commander has already printed the message, and help and version too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    explain(io, error, argv.includes('--json'));
    return exitCodeOf(error);
  }
}
