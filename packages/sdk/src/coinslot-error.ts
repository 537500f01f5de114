import type { ErrorCode, IssueCode } from './word-shapes.ts';

/** What the SDK itself can find wrong; the service never answers with these. */
export type SdkErrorCode =
  /** The call was made wrongly. Nothing was sent. */
  | 'invalid_argument'
  /** No answer: the service could not be reached, or the connection broke. */
  | 'connection_failed'
  /** No answer within the time limit. */
  | 'timeout'
  /** The caller's signal ended the call. */
  | 'aborted'
  /** Something answered, but not Coinslot: a proxy's page, a wrong `baseUrl`. */
  | 'invalid_answer'
  /** `waitFor`: the order came to an end that is not the one waited for. */
  | 'wait_ended';

/** One thing that is wrong with a field. */
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

/** Every failure of the SDK. `code` says which; it is stable, the message may get better. */
export class CoinslotError extends Error {
  override readonly name = 'CoinslotError';
  readonly code: ErrorCode | SdkErrorCode | (string & {});
  /** HTTP status; 0 when no answer arrived or nothing was sent. */
  readonly status: number;
  /** Names the request in the log of the operator. */
  readonly requestId: string | null;
  /** All wrong fields at once. */
  readonly errors: readonly FieldError[];
  /** What the service asked to wait, if it did. */
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

/** Also true for an error of another copy of the SDK in the same program. */
export const isCoinslotError = (error: unknown): error is CoinslotError =>
  error instanceof Error && error.name === 'CoinslotError' && 'code' in error;
