import { CoinslotError, type FieldError, invalidArgument } from './coinslot-error.ts';
import { callHook, type Hooks } from './hooks.ts';
import { isRecord } from './input-check.ts';
import { LONGEST_RETRY_AFTER_SECONDS, retryAfterSeconds, retryDelayMs } from './retry-delay.ts';

/** The same as in package.json; a test compares them. */
export const VERSION = '1.0.0-rc.1';

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
   * Whether sending it twice has the same effect as once. Only then it is retried after a lost connection, a timeout, a
   * 500, 502, 503 or 504; a 429 is always retried, because then nothing was done. GET, PUT and DELETE are repeatable by default.
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

/** What the service said about a call that succeeded, beside its body. */
export interface AnswerDetails {
  status: number;
  headers: Headers;
  /** Identifies the request in the operator's log. */
  requestId: string | null;
  /** What the service ignored: pointers to fields that it does not know. Empty when there was nothing. */
  warnings: readonly string[];
}

const details = new WeakMap<object, AnswerDetails>();

/** Request id, warnings and headers of what a call returned: `answerOf(order).requestId`. */
export function answerOf(result: object): AnswerDetails {
  const found = details.get(result);
  if (found) return found;
  throw invalidArgument('answerOf', 'needs the object that a call returned, not a copy or a part of it');
}

export interface Connection {
  key: string;
  origin: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  retries: number;
  hooks: Hooks;
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

/** Reads the title of an HTML page, which a proxy or a wrong server returned. */
function foreignPage(headers: Headers, text: string): string | null {
  const isHtml = (headers.get('content-type') ?? '').includes('html') || /^\s*<(?:!doctype|html)/i.test(text);
  if (!isHtml) return null;
  const title = /<(title|h1)[^>]*>([^<]{1,80})/i.exec(text)?.[2]?.trim();
  return `with an HTML page${title ? ` ("${title}")` : ''} instead of a Coinslot response`;
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
    const what = status < 400 ? 'response' : 'error';
    const message = `${status} ${foreignPage(headers, text) ?? `without a Coinslot ${what}`}. Check baseUrl, and whether a proxy responded.`;
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

interface Attempt {
  request: RequestOptions;
  /** The body as JSON; undefined without one. */
  text: string | undefined;
  number: number;
  timeoutMs: number;
}

async function attempt<T>(connection: Connection, { request, text, number, timeoutMs }: Attempt): Promise<Answer<T>> {
  const { signal, method, path } = request;
  const controller = new AbortController();
  let timedOutMs: number | null = null;
  const timer = setTimeout(() => {
    timedOutMs = timeoutMs;
    controller.abort();
  }, timeoutMs);
  const stop = (): void => controller.abort();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const about = { method, path, attempt: number };
    const added = callHook(connection.hooks.headers, about);
    callHook(connection.hooks.onRequest, about);
    const response = await connection.fetch(urlOf(connection.origin, request), {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': `coinslot-sdk/${VERSION}`,
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...added,
        ...request.headers,
        authorization: `Bearer ${connection.key}`,
      },
      ...(text !== undefined && { body: text }),
      // A redirect would send the key to another server.
      redirect: 'manual',
      signal: controller.signal,
    });
    return readAnswer<T>(response, await response.text());
  } catch (error) {
    if (error instanceof CoinslotError) throw error;
    if (signal?.aborted) throw aborted(signal);
    throw failureOf(error, connection.origin, timedOutMs);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function readAnswer<T>(response: Response, text: string): Answer<T> {
  const body = parse(text);
  if (!response.ok || (text !== '' && body === undefined)) throw problemOf(response, text, Date.now());
  const { status, headers } = response;
  const requestId = headers.get('x-request-id');
  if (isRecord(body)) {
    const warnings = Array.isArray(body.warnings) ? (body.warnings as string[]) : [];
    details.set(body, { status, headers, requestId, warnings });
  }
  return { status, headers, body: body as T, requestId };
}

const LOST = new Set(['connection_failed', 'timeout']);
/** The service or a proxy failed, and whether the call was carried out is unknown. */
const BROKEN = new Set([500, 502, 503, 504]);

function mayRepeat({ code, status, retryAfterSeconds: asked }: CoinslotError, repeatable: boolean): boolean {
  if (asked !== null && asked > LONGEST_RETRY_AFTER_SECONDS) return false;
  return status === 429 || (repeatable && (BROKEN.has(status) || LOST.has(code)));
}

function bodyText(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalidArgument('request', `body cannot be written as JSON: ${why}. Nothing was sent`);
  }
}

/** Sends a request and retries it where that is safe. Throws only `CoinslotError`. */
export async function sendRequest<T>(connection: Connection, request: RequestOptions): Promise<Answer<T>> {
  const { signal, method, path } = request;
  const { hooks } = connection;
  // The time that the service was asked to wait does not count against the time limit.
  const timeoutMs = (request.timeoutMs ?? connection.timeoutMs) + Number(request.query?.wait ?? 0) * 1000;
  const retries = request.retries ?? connection.retries;
  const repeatable = request.repeatable ?? (method !== 'POST' && method !== 'PATCH');
  const text = bodyText(request.body);
  for (let number = 1; ; number += 1) {
    if (signal?.aborted) throw aborted(signal);
    const startedMs = Date.now();
    const about = () => ({ method, path, attempt: number, tookMs: Date.now() - startedMs });
    try {
      const answer = await attempt<T>(connection, { request, text, number, timeoutMs });
      const { status, requestId, body } = answer;
      const warnings = isRecord(body) ? answerOf(body).warnings : [];
      callHook(hooks.onResponse, { ...about(), status, requestId, warnings });
      return answer;
    } catch (error) {
      if (!(error instanceof CoinslotError)) throw error;
      const isLast = number > retries || !mayRepeat(error, repeatable);
      const againInMs = isLast ? null : retryDelayMs(number, error.retryAfterSeconds, Math.random());
      callHook(hooks.onFailure, { ...about(), error, againInMs });
      if (againInMs === null) throw error;
      await sleep(againInMs, signal);
    }
  }
}
