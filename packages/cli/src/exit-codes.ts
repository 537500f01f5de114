import { isCoinslotError } from '@coinslot/sdk';

/** Exit codes, for scripts. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  notAllowed: 4,
  notFound: 5,
  refused: 6,
  negative: 7,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Record<ExitCode, string> = {
  0: 'done',
  1: 'unexpected error, of this program or inside Coinslot',
  2: 'wrong usage; nothing was sent',
  3: 'Coinslot could not be reached',
  4: 'the key is wrong or not allowed to do this',
  5: 'no such order, delivery or webhook',
  6: 'Coinslot refused: an invalid field, or a status that does not allow it',
  7: 'it ran, but the result is negative: declined, rejected, not verified',
};

const UNREACHABLE = new Set(['connection_failed', 'timeout', 'invalid_answer', 'unavailable']);

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage;
  if (!isCoinslotError(error)) return EXIT.failed;
  if (error.code === 'invalid_argument') return EXIT.usage;
  if (error.code === 'wait_ended') return EXIT.negative;
  if (UNREACHABLE.has(error.code)) return EXIT.unreachable;
  // The server was reached and failed, so waiting or another address does not help.
  if (error.status >= 500) return EXIT.failed;
  if (error.status === 401 || error.status === 403) return EXIT.notAllowed;
  if (error.status === 404) return EXIT.notFound;
  return error.status >= 400 ? EXIT.refused : EXIT.failed;
}

/** A wrong command line. The message says what is wrong, the hint how to fix it. Nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}
