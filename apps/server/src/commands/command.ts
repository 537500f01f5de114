import { existsSync } from 'node:fs';
import type { CommandShape } from '@coinslot/contract';
import type { Command } from 'commander';
import { AppError } from '../kit/app-error.ts';

/** Where a command writes: its result, and beside it progress and problems, so that `--json` prints one value only. */
export interface Io {
  write: (text: string) => void;
  writeError: (text: string) => void;
}

const lineOf = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

export const CONSOLE: Io = {
  write: text => void process.stdout.write(lineOf(text)),
  writeError: text => void process.stderr.write(lineOf(text)),
};

interface CommandSpec<Opened, Options> extends CommandShape<Command> {
  /** Introduces an error message, such as "The account was not created". */
  refusal?: string;
  /** Opens what the command works with, and closes it after `work`. */
  open: (work: (opened: Opened) => Promise<number>) => Promise<number>;
  run: (opened: Opened & Io, args: string[], options: Options) => Promise<number>;
}

/** The command was called wrongly: the message and the help are printed, and the exit code is 2. */
export class UsageError extends Error {}

/** A clone runs commands by npm's scripts, the packed program by its path, because a stranger can take a free name in a registry. */
export const isClone = existsSync(new URL('../../../../tools/bundle.mjs', import.meta.url));
const WITHOUT_SCRIPT = new Set(['serve', 'work', 'provider', 'user']);

const quoted = (path: string): string => (/^[\w./@:-]+$/.test(path) ? path : `'${path}'`);

export function commandLine(name: string, flags = ''): string {
  if (!isClone) return `node ${quoted(process.argv[1] ?? 'main.js')} ${name}`;
  return WITHOUT_SCRIPT.has(name) ? `node apps/server/dist/main.js ${name}` : `npm run ${flags}${name} --`;
}

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const FLAG_WIDTH = 14;
const flagOf = (pointer: string): string => `--${pointer.slice(1).replaceAll('_', '-')}`;

function describe({ issues, message }: AppError, refusal: string | undefined): string {
  if (!issues) return refusal ? `${refusal}: ${message}` : message;
  const lines = issues.map(issue => `  ${flagOf(issue.pointer).padEnd(FLAG_WIDTH)}${issue.message}`);
  return [`${refusal ?? 'Nothing was changed'}:`, ...lines].join('\n');
}

/** Parses the arguments and runs `work`, or prints the help or what is wrong with them. */
async function withArguments(
  { name, summary, more, refusal, options }: Omit<CommandSpec<never, never>, 'open' | 'run'>,
  argv: string[],
  io: Io,
  work: (args: string[], options: object) => Promise<number>,
): Promise<number> {
  const [word = '', ...parameters] = name.split(' ');
  // The parser is not loaded into a process that serves for weeks.
  if (argv.length === 0 && parameters.length === 0 && !options) return work([], {});
  const { Command, CommanderError } = await import('commander');
  let printed = '';
  const print = (text: string): void => {
    printed += text;
  };
  const command = new Command(commandLine(word)).description(summary).allowExcessArguments(false);
  for (const parameter of parameters) command.argument(parameter);
  options?.(command);
  if (more) command.addHelpText('after', `\n${more}`);
  command.exitOverride().showHelpAfterError().configureOutput({ writeOut: print, writeErr: print });
  try {
    command.parse(argv, { from: 'user' });
    return await work(command.args, command.opts());
  } catch (error) {
    if (error instanceof UsageError) {
      io.writeError(`${error.message}\n\n${command.helpInformation()}`);
      return EXIT_USAGE;
    }
    if (error instanceof AppError) {
      io.writeError(describe(error, refusal));
      return EXIT_FAILED;
    }
    if (!(error instanceof CommanderError)) throw error;
    const isHelp = error.exitCode === 0;
    (isHelp ? io.write : io.writeError)(printed);
    return isHelp ? 0 : EXIT_USAGE;
  }
}

export interface ServerCommand<Opened = never> {
  name: string;
  summary: string;
  /** Runs the command with parts that are open already. */
  run: (argv: string[], opened: Opened & Io) => Promise<number>;
  /** Runs the command as an operator calls it. */
  main: (argv: string[]) => Promise<number>;
}

export function defineCommand<Opened, Options = object>(spec: CommandSpec<Opened, Options>): ServerCommand<Opened> {
  const { name, summary } = spec;
  return {
    name,
    summary,
    run: (argv, opened) =>
      withArguments(spec, argv, opened, (args, options) => spec.run(opened, args, options as Options)),
    main: argv =>
      withArguments(spec, argv, CONSOLE, (args, options) =>
        spec.open(opened => spec.run({ ...opened, ...CONSOLE }, args, options as Options)),
      ),
  };
}
