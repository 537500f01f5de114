/** One attempt to hand a webhook over: what was answered, or why nothing was. */
export interface Exchange {
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Null when no complete response headers came. */
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Text for people: undecodable bytes and NUL are replaced. */
  readonly responseBody: string;
  /** More of the body existed, or may have, than was read. */
  readonly responseBodyCut: boolean;
  /** Any 2xx, once the headers were complete. */
  readonly succeeded: boolean;
  /** The game's final no: 4xx with `{"code":"declined"}`. */
  readonly declined: boolean;
  readonly retryAfterSeconds: number | null;
  readonly failure: Failure | null;
  /** A sentence for people; null when it succeeded. */
  readonly error: string | null;
}

/** Where it failed. `blocked`: nothing was sent, because the address is not allowed. */
export type Failure = 'blocked' | 'dns' | 'connect' | 'certificate' | 'timeout' | 'broken' | 'unsendable' | 'status';

type Took = Pick<Exchange, 'startedAtMs' | 'durationMs'>;

export const tookUntil = (startedAtMs: number, nowMs: number): Took => ({
  startedAtMs,
  durationMs: Math.max(0, nowMs - startedAtMs),
});

export const failedExchange = (took: Took, failure: Failure, error: string): Exchange => ({
  ...took,
  status: null,
  responseHeaders: {},
  responseBody: '',
  responseBodyCut: false,
  succeeded: false,
  declined: false,
  retryAfterSeconds: null,
  failure,
  error,
});

interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  cut: boolean;
}

export function answeredExchange(took: Took, { status, headers, body, cut }: Answer): Exchange {
  const succeeded = isSuccess(status);
  const nowMs = took.startedAtMs + took.durationMs;
  return {
    ...took,
    status,
    responseHeaders: headers,
    responseBody: body,
    responseBodyCut: cut,
    succeeded,
    declined: !succeeded && !cut && isDeclined(status, body),
    retryAfterSeconds: succeeded ? null : readRetryAfter(headers['retry-after'], nowMs),
    failure: succeeded ? null : 'status',
    error: statusError(status),
  };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function statusError(status: number): string | null {
  if (isSuccess(status)) return null;
  return status >= 300 && status < 400 ? `answered ${status}, redirects are not followed` : `answered ${status}`;
}

function readAnswer(body: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(body.replace(/^\uFEFF/, ''));
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export const isDeclined = (status: number, body: string): boolean =>
  status >= 400 && status <= 499 && readAnswer(body).code === 'declined';

/** Longer than a sentence or two is no message for a player. */
const MESSAGE_CHARS = 200;

/** What the game says to its player beside its final no; null when it says nothing. One line, and never markup to us. */
export function playerMessage(body: string): string | null {
  const { message } = readAnswer(body);
  if (typeof message !== 'string') return null;
  const line = message.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ').trim();
  const letters = Array.from(line);
  if (letters.length <= MESSAGE_CHARS) return line === '' ? null : line;
  return `${letters.slice(0, MESSAGE_CHARS - 1).join('')}…`;
}

/** Seconds, or a date (RFC 9110); null when it is neither. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const atMs = /[a-z]{3}/i.test(text) && /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

export function readText(chunks: readonly Uint8Array[]): string {
  if (chunks.length === 0) return '';
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\uFFFD');
}

const CONNECT_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'address not available',
  ETIMEDOUT: 'no answer',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
};

const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  CERT_REVOKED: 'certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate is not from a known authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate is not from a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate is not from a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate is not from a known authority',
};

/** `sent` is true once the request was on its way; the same error then means something else. */
export function explain(error: unknown, sent: boolean): { failure: Failure; error: string } {
  const code = errorCode(error);
  const certificate = CERTIFICATE_REASONS[code];
  if (certificate) return { failure: 'certificate', error: certificate };
  if (code === 'UND_ERR_INVALID_ARG') return { failure: 'unsendable', error: 'the request could not be built' };
  if (isParserError(error)) return { failure: 'broken', error: 'the answer is not HTTP/1.1' };
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return { failure: 'broken', error: 'the answer has too many headers' };
  if (sent) return { failure: 'broken', error: 'the connection was closed before an answer' };
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return { failure: 'connect', error: 'could not connect: TLS handshake failed' };
  }
  return { failure: 'connect', error: `could not connect: ${CONNECT_REASONS[code] ?? (code || 'unknown reason')}` };
}

// undici gives most of these no code.
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried: the first one speaks for all.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : '';
}

export const answerText = (last: { lastStatus: number | null; lastError: string | null }): string =>
  last.lastStatus === null ? (last.lastError ?? 'no answer') : `HTTP ${last.lastStatus}`;
