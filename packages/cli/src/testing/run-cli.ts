import { run } from '../run.ts';
import type { Io } from '../terminal/io.ts';

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  /** Standard output and error act as a terminal. */
  terminal?: boolean;
  secret?: string | null;
  homeFolder?: string;
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** No command may use the network unless its test provides one. */
const noNetwork: typeof globalThis.fetch = () => Promise.reject(new Error('the network was asked'));

export interface Running {
  ended: Promise<Ran>;
  out(): string;
  err(): string;
}

/** Runs the command line in this process. */
export function startCli(argv: string[], options: RunOptions = {}): Running {
  let out = '';
  let err = '';
  const io: Io = {
    out: text => {
      out += text;
    },
    err: text => {
      err += text;
    },
    env: options.env ?? {},
    isOutTerminal: options.terminal ?? false,
    isErrTerminal: options.terminal ?? false,
    isInTerminal: options.input === undefined,
    readInput: async () => Buffer.from(options.input ?? ''),
    askSecret: async () => options.secret ?? null,
    signal: options.signal ?? new AbortController().signal,
    homeFolder: options.homeFolder ?? '/nonexistent',
    platform: 'linux',
    fetch: options.fetch ?? noNetwork,
  };
  const ended = run(argv, io).then(code => ({ code, out, err }));
  return { ended, out: () => out, err: () => err };
}

export const runCli = (argv: string[], options: RunOptions = {}): Promise<Ran> => startCli(argv, options).ended;
