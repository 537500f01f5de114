import { isId } from '../../../kit/ids.ts';
import { answeredExchange, type Exchange, failedExchange, tookUntil } from '../sending/exchange.ts';

/** One attempt on its way to a developer's computer: the same bytes and headers as over HTTP. */
export interface ListenRequest {
  id: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

export type ListenAnswer =
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: string; cut: boolean }
  | { kind: 'failed'; failure: 'connect' | 'timeout' | 'broken'; reason: string };

export const LISTEN_LIMITS = {
  /** A body of 64 KiB whose every byte is escaped fits. */
  frameBytes: 512 * 1024,
  bodyBytes: 64 * 1024,
  headers: 100,
  headerChars: 16 * 1024,
  reasonChars: 300,
} as const;

/** NUL and halves of characters cannot be stored as text. */
const storable = (text: string): string => Buffer.from(text.replaceAll('\0', '\uFFFD')).toString();

function readHeaders(given: unknown): Record<string, string> | null {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const entries = Object.entries(given);
  if (entries.length > LISTEN_LIMITS.headers) return null;
  let chars = 0;
  const headers: [string, string][] = [];
  for (const [name, value] of entries) {
    if (typeof value !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return null;
    chars += name.length + value.length;
    headers.push([name.toLowerCase(), storable(value)]);
  }
  return chars > LISTEN_LIMITS.headerChars ? null : Object.fromEntries(headers);
}

function readBody(text: string, saysCut: boolean): { body: string; cut: boolean } {
  const bytes = Buffer.from(text);
  const cut = saysCut || bytes.length > LISTEN_LIMITS.bodyBytes;
  return { body: storable(bytes.subarray(0, LISTEN_LIMITS.bodyBytes).toString()), cut };
}

type Fields = Record<string, unknown>;

function readAnswered({ status, headers: given, body = '', cut = false }: Fields): ListenAnswer | null {
  if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599) return null;
  const headers = readHeaders(given);
  if (!headers || typeof body !== 'string' || typeof cut !== 'boolean') return null;
  return { kind: 'answered', status: status as number, headers, ...readBody(body, cut) };
}

function readFailed({ reason, failure = 'connect' }: Fields): ListenAnswer | null {
  if (typeof reason !== 'string' || reason.length > LISTEN_LIMITS.reasonChars) return null;
  if (failure !== 'connect' && failure !== 'timeout' && failure !== 'broken') return null;
  return { kind: 'failed', failure, reason: storable(reason) };
}

function parse(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** Null: not a frame that an honest listener sends. */
export function readListenerFrame(text: string): { id: string; answer: ListenAnswer } | null {
  const frame = parse(text);
  if (!frame || typeof frame.id !== 'string' || !isId(frame.id, 'req')) return null;
  const answer = frame.type === 'answer' ? readAnswered(frame) : frame.type === 'failed' ? readFailed(frame) : null;
  return answer && { id: frame.id, answer };
}

/** The local answer as the outcome of the attempt: judged by the same rules as one that came over HTTP. */
export function exchangeOf(answer: ListenAnswer, startedAtMs: number, nowMs: number): Exchange {
  const took = tookUntil(startedAtMs, nowMs);
  return answer.kind === 'failed'
    ? failedExchange(took, answer.failure, answer.reason)
    : answeredExchange(took, answer);
}
