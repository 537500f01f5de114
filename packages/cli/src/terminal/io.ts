/** The world around a command, so that a test can be it. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  env: Readonly<Record<string, string | undefined>>;
  isOutTerminal: boolean;
  isErrTerminal: boolean;
  isInTerminal: boolean;
  /** All of standard input. */
  readInput(): Promise<Buffer>;
  /** Asks for a secret on a terminal; null when the person gave up. */
  askSecret(question: string): Promise<string | null>;
  /** Ends when the person presses Ctrl-C or the process is told to stop. */
  signal: AbortSignal;
  homeFolder: string;
  platform: string;
  fetch: typeof globalThis.fetch;
}
