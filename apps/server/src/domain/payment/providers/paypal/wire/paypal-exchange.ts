import { brokenOff, type ProviderFault } from '../../base/fault.ts';
import type { OnAnswer } from '../../base/provider.ts';
import { paypalFault } from '../paypal-fault.ts';
import { approvalUrlOf, type PaypalLink } from './paypal-objects.ts';

interface ProblemBody {
  name?: unknown;
  error?: unknown;
  debug_id?: unknown;
  message?: unknown;
  details?: { issue?: unknown; field?: unknown; location?: unknown; description?: unknown }[];
  links?: PaypalLink[];
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length < 200 ? value : null;

function faultOf(statusCode: number, body: unknown, header: string | null): ProviderFault {
  const problem: ProblemBody = typeof body === 'object' && body !== null ? body : {};
  const detail = Array.isArray(problem.details) ? problem.details[0] : undefined;
  return paypalFault({
    statusCode,
    code: textOf(detail?.issue) ?? textOf(problem.name) ?? textOf(problem.error) ?? `HTTP_${statusCode}`,
    param: textOf(detail?.field),
    requestId: textOf(problem.debug_id) ?? header,
    said: textOf(detail?.description) ?? textOf(problem.message),
    actionUrl: Array.isArray(problem.links) ? approvalUrlOf(problem) : null,
  });
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

interface Answered {
  body: unknown;
  /** PayPal's clock. */
  date: string | null;
}

/** One request and its answer. What PayPal refuses, and what does not come back whole, is a fault. */
export async function sendToPaypal(
  url: string,
  init: RequestInit,
  timeoutMs: number,
  onAnswer?: OnAnswer,
): Promise<Answered> {
  let status: number;
  let debugId: string | null;
  let date: string | null;
  let text: string;
  try {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    status = answer.status;
    debugId = answer.headers.get('paypal-debug-id');
    date = answer.headers.get('date');
    text = await answer.text();
    onAnswer?.({ call: `${init.method} ${new URL(url).pathname}`, status, requestId: debugId });
  } catch (error) {
    const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
    throw paypalFault({ code: 'NO_ANSWER', ...brokenOff(cause?.code, name === 'TimeoutError') });
  }
  const body = text === '' ? null : parse(text);
  if (status >= 400) throw faultOf(status, body, debugId);
  // Half an answer, or a page of a proxy: the outcome is not known.
  if (text !== '' && body === null) throw paypalFault({ code: 'UNREADABLE_ANSWER' });
  return { body, date };
}
