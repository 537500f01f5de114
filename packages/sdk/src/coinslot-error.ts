import type { ErrorCode, IssueCode } from './word-shapes.ts';

/** Codes of the SDK itself; the service never returns these. */
export type SdkErrorCode =
  /** The arguments are invalid. Nothing was sent. */
  | 'invalid_argument'
  /** The service could not be reached, or the connection broke. */
  | 'connection_failed'
  /** No response within the time limit. */
  | 'timeout'
  /** The caller's signal aborted the call. */
  | 'aborted'
  /** The response is not from Coinslot, but for example from a proxy or a wrong `baseUrl`. */
  | 'invalid_answer'
  /** `waitFor`: the order can no longer reach the status. */
  | 'wait_ended';

/** One problem with a field. */
export interface FieldError {
  /** JSON Pointer to the field; for a query parameter or header `/` and its name. */
  pointer: string;
  code: IssueCode | (string & {});
  message: string;
}

export interface CoinslotErrorFacts {
  message: string;
  code: string;
  status?: number;
  requestId?: string | null;
  errors?: FieldError[];
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** Every error the SDK throws. `code` is stable; the message may change. */
export class CoinslotError extends Error {
  override readonly name = 'CoinslotError';
  readonly code: ErrorCode | SdkErrorCode | (string & {});
  /** HTTP status; 0 when there was no response or nothing was sent. */
  readonly status: number;
  /** Identifies the request in the operator's log. */
  readonly requestId: string | null;
  /** All invalid fields. */
  readonly errors: readonly FieldError[];
  /** How long the service asked to wait, if it did. */
  readonly retryAfterSeconds: number | null;

  constructor(facts: CoinslotErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? 0;
    this.requestId = facts.requestId ?? null;
    this.errors = facts.errors ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}

/** Thrown by functions that send nothing, if their arguments are invalid. */
export const invalidArgument = (call: string, message: string): CoinslotError =>
  new CoinslotError({ code: 'invalid_argument', message: `${call}: ${message}` });

/** An unknown option is a typing error. */
export function checkNames(call: string, options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find(name => !names.includes(name));
  if (unknown) throw invalidArgument(call, `${unknown} is unknown; there is ${names.join(', ')}`);
}

/** Also true for errors from another copy of the SDK in the same program. */
export const isCoinslotError = (error: unknown): error is CoinslotError =>
  error instanceof Error && error.name === 'CoinslotError' && 'code' in error;
