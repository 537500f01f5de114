import { brokenOff, type ProviderFault } from '../../base/fault.ts';
import type { OnAnswer, ProviderKeys } from '../../base/provider.ts';
import { mollieFault } from '../mollie-fault.ts';

/** A question is asked again later anyway; what moves money is waited for. */
export const TIMEOUTS_MS = { ask: 10_000, charge: 25_000 } as const;

export interface MollieCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
  /**
   * A second call under it gets the answer of the first, or 409 while that is at work (docs.mollie.com/reference/api-idempotency).
   * Answers are "purged at some point", so that it is good for an hour (`IdempotencyParameter` in @mollie/api-client): after that
   * nothing is asked for again before it was looked up.
   */
  key?: string;
  timeoutMs?: number;
}

export type MollieApi = <T>(call: MollieCall) => Promise<T>;

type Keys = Pick<ProviderKeys, 'secretKey' | 'publishableKey'>;

export interface Dated<T> {
  body: T;
  answeredOn: string | null;
}

export interface MollieClient {
  call<T>(keys: Keys, call: MollieCall): Promise<T>;
  /** The same, with Mollie's clock. */
  callDated<T>(keys: Keys, call: MollieCall): Promise<Dated<T>>;
}

/** A token of an organization serves all its profiles, so each call says which; a key belongs to one. */
export const isOrganizationToken = ({ secretKey }: Pick<ProviderKeys, 'secretKey'>): boolean =>
  secretKey.startsWith('access_');

/** What a call of an organization's token must name. */
export const profileOf = (keys: Keys): { profileId?: string } =>
  isOrganizationToken(keys) ? { profileId: keys.publishableKey } : {};

interface ProblemBody {
  title?: unknown;
  detail?: unknown;
  field?: unknown;
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length < 300 ? value : null;

/** Mollie has no codes: the name of the status is what tells refusals apart, with the field that it names. */
function faultOf(statusCode: number, body: unknown): ProviderFault {
  const problem: ProblemBody = typeof body === 'object' && body !== null ? body : {};
  const title = textOf(problem.title) ?? `http ${statusCode}`;
  return mollieFault({
    statusCode,
    code: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'),
    param: textOf(problem.field),
    said: textOf(problem.detail),
  });
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

async function send(
  url: string,
  init: RequestInit,
  timeoutMs: number,
  onAnswer?: OnAnswer,
): Promise<{ body: unknown; date: string | null }> {
  let status: number;
  let date: string | null;
  let text: string;
  try {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    status = answer.status;
    date = answer.headers.get('date');
    text = await answer.text();
  } catch (error) {
    const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
    throw mollieFault({ code: 'no_answer', ...brokenOff(cause?.code, name === 'TimeoutError') });
  }
  const body = text === '' ? null : parse(text);
  onAnswer?.({ call: `${init.method} ${new URL(url).pathname}`, status, requestId: nameIn(body) });
  if (status >= 400) throw faultOf(status, body);
  // Half an answer, or a page of a proxy: the outcome is not known.
  if (text !== '' && body === null) throw mollieFault({ code: 'unreadable_answer' });
  return { body, date };
}

export interface MollieClientOptions {
  apiBase: string;
  version: string;
  onAnswer?: OnAnswer | undefined;
}

/**
 * Mollie's answers have no name of their own: neither its OpenAPI document nor one of its clients knows such a header. Its support
 * finds what was made by the name of that.
 */
function nameIn(body: unknown): string | null {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return textOf(id);
}

/** Mollie's API, version 2. */
export function createMollieClient({ apiBase, version, onAnswer }: MollieClientOptions): MollieClient {
  const callDated: MollieClient['callDated'] = async <T>({ secretKey }: Keys, call: MollieCall): Promise<Dated<T>> => {
    const query = call.query ? `?${new URLSearchParams(call.query)}` : '';
    const headers: Record<string, string> = {
      authorization: `Bearer ${secretKey}`,
      accept: 'application/hal+json',
      'user-agent': `Coinslot/${version}`,
      ...(call.body && { 'content-type': 'application/json' }),
      ...(call.key !== undefined && { 'idempotency-key': call.key }),
    };
    const init = { method: call.method, headers, ...(call.body && { body: JSON.stringify(call.body) }) };
    const { body, date } = await send(
      `${apiBase}${call.path}${query}`,
      init,
      call.timeoutMs ?? TIMEOUTS_MS.ask,
      onAnswer,
    );
    return { body: body as T, answeredOn: date };
  };
  return { callDated, call: async <T>(keys: Keys, call: MollieCall) => (await callDated<T>(keys, call)).body };
}
