import type { ErrorCode, Issue } from '@coinslot/contract';
import { t, tryText } from '../texts/texts.ts';

interface ProblemFields {
  status: number;
  code: ErrorCode | 'network';
  message: string;
  issues?: Issue[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
}

/** A refusal or failure that the server reported. */
export class Problem extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'network';
  readonly issues: Issue[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(fields: ProblemFields) {
    super(fields.message);
    this.name = 'Problem';
    this.status = fields.status;
    this.code = fields.code;
    this.issues = fields.issues ?? [];
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }
}

/** Whether the same request may be answered another time: not one that asks for what is not there or not allowed. */
export const mayHelpToRetry = ({ code, status }: Problem): boolean =>
  code === 'network' || code === 'rate_limited' || status >= 500;

/** Uses our own translation if there is one, or the server's message. */
const issueText = ({ code, message }: Issue): string => tryText(`issue.${code}`) ?? message;

const DEFAULT_WAIT_SECONDS = 60;

export function problemText(error: unknown): string {
  if (!(error instanceof Problem)) return t('problem.unknown');
  if (error.code === 'network') return t('problem.network');
  if (error.code === 'rate_limited') {
    return t('problem.rate', { seconds: error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS });
  }
  if (error.issues.length > 0) return error.issues.map(issueText).join(' ');
  const known = tryText(`problem.code.${error.code}`);
  if (known !== undefined) return known;
  return error.status >= 500 ? t('problem.server', { id: error.requestId ?? '–' }) : error.message;
}

/** Finds the text for a field by its JSON pointer. */
export function issueOf(error: Problem | null, ...pointers: string[]): string | undefined {
  const issue = error?.issues.find(({ pointer }) => pointers.includes(pointer));
  return issue && issueText(issue);
}

/** For a form with a single field: shows the field's issue, or the whole problem. */
export const fieldProblem = (error: Problem | null, pointer: string): string | undefined =>
  error ? (issueOf(error, pointer) ?? problemText(error)) : undefined;

/** For a form whose fields show their own issues: shows only what belongs to no field. */
export const otherProblem = (error: Problem | null, ...pointers: string[]): string | undefined =>
  error && issueOf(error, ...pointers) === undefined ? problemText(error) : undefined;
