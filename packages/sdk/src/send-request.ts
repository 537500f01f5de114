import { CoinslotError, type FieldError } from './coinslot-error.ts';
import { isRecord } from './input-check.ts';
import { LONGEST_RETRY_AFTER_SECONDS, retryAfterSeconds, retryDelayMs } from './retry-delay.ts';

/** The same as in package.json; a test compares them. */
export const VERSION = '0.1.0';

/** Options that every call accepts. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal;
  /** Time limit of each attempt, in milliseconds. */
  timeoutMs?: number;
  /** How often a failed attempt is retried. */
  retries?: number;
}

export interface RequestOptions extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root, such as `/s2s/v1/orders`. */
  path: string;
  query?: Record<string, string | number | boolean | null | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /**
   * Whether sending it twice has the same effect as once. Only then it is retried after a lost connection, a timeout or a
   * 503; a 429 is always retried, because then nothing was done. GET, PUT and DELETE are repeatable by default.
   */
  repeatable?: boolean;
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
  /** Identifies the request in the operator's log. */
  requestId: string | null;
}

export interface Connection {
  key: string;
  origin: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  retries: number;
}

const aborted = (signal: AbortSignal): CoinslotError =>
  new CoinslotError({ code: 'aborted', message: 'The call was aborted by its signal.', cause: signal.reason });

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(aborted(signal!));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Node puts the reason of a failed connection into `cause`. */
function reasonOf(error: unknown): string {
  const inner = isRecord(error) ? error.cause : undefined;
  const code = isRecord(inner) && typeof inner.code === 'string' ? inner.code : undefined;
  return code ?? (error instanceof Error ? error.message : String(error));
}

function failureOf(error: unknown, origin: string, timedOutMs: number | null): CoinslotError {
  if (timedOutMs !== null) {
    const message = `No response from ${origin} within ${timedOutMs} ms.`;
    return new CoinslotError({ code: 'timeout', message, cause: error });
  }
  const message = `Could not reach Coinslot at ${origin}: ${reasonOf(error)}.`;
  return new CoinslotError({ code: 'connection_failed', message, cause: error });
}

function problemOf(response: Response, text: string, nowMs: number): CoinslotError {
  const { status, headers } = response;
  const facts = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after'), nowMs),
  };
  const body = parse(text);
  if (!isRecord(body) || typeof body.code !== 'string') {
    const message = `${status} without a Coinslot error. Check baseUrl, and whether a proxy responded.`;
    return new CoinslotError({ ...facts, code: 'invalid_answer', message });
  }
  const errors = Array.isArray(body.errors) ? (body.errors as FieldError[]) : [];
  const fields = errors.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ');
  const words = [body.title, body.detail].filter(part => typeof part === 'string').join(': ');
  return new CoinslotError({
    ...facts,
    code: body.code,
    message: `${status} ${body.code}: ${words}${fields && ` (${fields})`}`,
    requestId: typeof body.request_id === 'string' ? body.request_id : facts.requestId,
    errors,
  });
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function urlOf(origin: string, { path, query = {} }: RequestOptions): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  return origin + path + (search && `?${search}`);
}

async function attempt<T>(connection: Connection, request: RequestOptions, timeoutMs: number): Promise<Answer<T>> {
  const { signal, body } = request;
  const controller = new AbortController();
  let timedOutMs: number | null = null;
  const timer = setTimeout(() => {
    timedOutMs = timeoutMs;
    controller.abort();
  }, timeoutMs);
  const stop = (): void => controller.abort();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const response = await connection.fetch(urlOf(connection.origin, request), {
      method: request.method,
      headers: {
        accept: 'application/json',
        'user-agent': `coinslot-sdk/${VERSION}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
        authorization: `Bearer ${connection.key}`,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect would send the key to another server.
      redirect: 'manual',
      signal: controller.signal,
    });
    const text = await response.text();
    const content = parse(text);
    if (!response.ok || (text !== '' && content === undefined)) throw problemOf(response, text, Date.now());
    const { status, headers } = response;
    return { status, headers, body: content as T, requestId: headers.get('x-request-id') };
  } catch (error) {
    if (error instanceof CoinslotError) throw error;
    if (signal?.aborted) throw aborted(signal);
    throw failureOf(error, connection.origin, timedOutMs);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

const LOST = new Set(['connection_failed', 'timeout']);

function mayRepeat({ code, status, retryAfterSeconds: asked }: CoinslotError, repeatable: boolean): boolean {
  if (asked !== null && asked > LONGEST_RETRY_AFTER_SECONDS) return false;
  return status === 429 || (repeatable && (status === 503 || LOST.has(code)));
}

/** Sends a request and retries it where that is safe. Throws only `CoinslotError`. */
export async function sendRequest<T>(connection: Connection, request: RequestOptions): Promise<Answer<T>> {
  const { signal, method } = request;
  // Time that the service was asked to wait does not count against the time limit.
  const timeoutMs = (request.timeoutMs ?? connection.timeoutMs) + Number(request.query?.wait ?? 0) * 1000;
  const retries = request.retries ?? connection.retries;
  const repeatable = request.repeatable ?? (method !== 'POST' && method !== 'PATCH');
  for (let triesMade = 1; ; triesMade += 1) {
    if (signal?.aborted) throw aborted(signal);
    try {
      return await attempt<T>(connection, request, timeoutMs);
    } catch (error) {
      if (!(error instanceof CoinslotError) || triesMade > retries || !mayRepeat(error, repeatable)) throw error;
      await sleep(retryDelayMs(triesMade, error.retryAfterSeconds, Math.random()), signal);
    }
  }
}
