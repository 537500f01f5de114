import { ERRORS, type ErrorCode, type Issue } from '@coinslot/contract';

interface AppErrorOptions {
  /** Describes this occurrence for the caller. It must not hold secrets. */
  detail?: string;
  issues?: Issue[];
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The one error that use cases throw: a code of the closed list. Anything else is a fault of ours. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly issues: Issue[] | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? ERRORS[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail;
    this.issues = options.issues;
    this.headers = options.headers;
  }
}

/** What was looked for, or the code that says it is not there. */
export async function foundOr<T>(code: ErrorCode, found: Promise<T | null>): Promise<T> {
  const value = await found;
  if (value === null) throw new AppError(code);
  return value;
}

/** Refuses a request whose fields are wrong, with every issue at once. */
export function assertNoIssues(...given: (Issue | null)[]): void {
  const issues = given.filter(issue => issue !== null);
  if (issues.length > 0) throw new AppError('validation_failed', { issues });
}

export const invalidField = (pointer: string, code: Issue['code'], message: string): AppError =>
  new AppError('validation_failed', { issues: [{ pointer, code, message }] });
