import type { CommandShape } from '@coinslot/contract';
import { type Coinslot, createCoinslot } from '@coinslot/sdk';
import type { Command } from 'commander';
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
import { isLiveKey, NO_KEY_HINT, readSettings, type Settings } from './settings.ts';
import type { Io } from './terminal/io.ts';
import { createOutput, type Output } from './terminal/output.ts';

/** A developer is waiting, so failing soon is better than retrying for long. */
const RETRIES = 1;

export interface CommonOptions {
  json?: boolean;
  color: boolean;
  key?: string;
  url?: string;
  profile?: string;
}

export interface Context {
  io: Io;
  output: Output;
  settings: Settings & { key: string };
  client: Coinslot;
}

/** A command returns an exit code, or anything else if it is done. */
type Ending = Promise<unknown>;

export interface CommandSpec<Options> extends CommandShape<Command> {
  examples: [command: string, what: string][];
  /** Runs when its group is called without a command. */
  isDefault?: boolean;
  /** What the first argument can be, for the shell's completion. */
  values?: readonly string[];
  /** Refuses a live key, because the command makes up payments or events. */
  sandboxOnly?: boolean;
  run: (context: Context, args: string[], options: Options & CommonOptions) => Ending;
}

export interface BareCommandSpec<Options> extends Omit<CommandSpec<Options>, 'run' | 'sandboxOnly'> {
  run: (bare: { io: Io; output: Output }, args: string[], options: Options & CommonOptions) => Ending;
}

/** Receives the exit code of the command. */
export interface Runner {
  io: Io;
  exitCode: ExitCode;
}

function helpAfter({ more, examples }: Pick<CommandSpec<unknown>, 'more' | 'examples'>): string {
  const shown = examples.map(([command, what]) => `  $ ${command}\n      ${what}`).join('\n');
  return `${more ? `\n${more}\n` : ''}\nExamples:\n${shown}`;
}

function leaf(
  parent: Command,
  { name, summary, options, values, isDefault = false, ...help }: Omit<CommandSpec<never>, 'run'>,
): Command {
  const [word, ...args] = name.split(' ');
  const command = parent.command(word!, { isDefault }).summary(summary).description(summary);
  for (const argument of args) command.argument(argument);
  const [first] = command.registeredArguments;
  if (first && values) first.argChoices = [...values];
  options?.(command);
  return command
    .option('--json', 'print only JSON')
    .option('--no-color', 'print without colors; same as NO_COLOR')
    .option('--url <url>', 'the Coinslot server; prefer COINSLOT_URL')
    .option('--profile <name>', 'a key saved under this name; the same as COINSLOT_PROFILE')
    .option('--key <key>', 'the S2S key; prefer COINSLOT_KEY, because other users can see options')
    .addHelpText('after', helpAfter(help));
}

const isJson = ({ json }: CommonOptions): boolean => json ?? false;

/** A command that needs no server. */
export function addBareCommand<Options>(parent: Command, runner: Runner, spec: BareCommandSpec<Options>): void {
  leaf(parent, spec).action(async (...given: unknown[]) => {
    const { args, options } = readAction(given) as { args: string[]; options: Options & CommonOptions };
    const output = createOutput(runner.io, { json: isJson(options), color: options.color });
    const ending = await spec.run({ io: runner.io, output }, args, options);
    runner.exitCode = typeof ending === 'number' ? (ending as ExitCode) : EXIT.done;
  });
}

/** Finds the key and the server. Refuses a live key for sandbox commands before anything is sent. */
export async function connect(
  { io, output }: { io: Io; output: Output },
  options: CommonOptions,
  sandboxOnly: boolean,
): Promise<Context> {
  const settings = await readSettings(io, options);
  const { key, url } = settings;
  if (key === null) throw new UsageError('No S2S key is set.', NO_KEY_HINT);
  if (settings.keyFrom === 'option') output.note('Note: a key on the command line can be seen by other users.');
  if (sandboxOnly && isLiveKey(key)) {
    throw new UsageError(
      'This command needs a sandbox key, and this is a live key.',
      'Use the S2S key that starts with sk_sandbox_',
    );
  }
  const client = createCoinslot({ key, baseUrl: url, fetch: io.fetch, retries: RETRIES });
  return { io, output, settings: { ...settings, key }, client };
}

export function addCommand<Options>(parent: Command, runner: Runner, spec: CommandSpec<Options>): void {
  const { run, sandboxOnly = false, ...shape } = spec;
  addBareCommand<Options>(parent, runner, {
    ...shape,
    run: async (bare, args, options) => run(await connect(bare, options, sandboxOnly), args, options),
  });
}

/** Commander passes the arguments, then the options, then the command. */
function readAction(given: unknown[]): { args: string[]; options: unknown } {
  const args = given
    .slice(0, -2)
    .flat()
    .filter((part): part is string => typeof part === 'string');
  return { args, options: given.at(-2) };
}
