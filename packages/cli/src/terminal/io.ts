/** Everything a command uses from its environment, so that tests can replace it. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  env: Readonly<Record<string, string | undefined>>;
  isOutTerminal: boolean;
  isErrTerminal: boolean;
  isInTerminal: boolean;
  /** All of standard input. */
  readInput(): Promise<Buffer>;
  /** Asks for a secret on a terminal. Null if the user aborts. */
  askSecret(question: string): Promise<string | null>;
  /** Aborts on Ctrl-C or when the process is asked to stop. */
  signal: AbortSignal;
  homeFolder: string;
  platform: string;
  fetch: typeof globalThis.fetch;
}
