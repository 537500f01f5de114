import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from '../../apps/server/src/domain/webhook/sending/exchange.ts';
import { isDeclined, isSuccess, statusError } from '../../apps/server/src/domain/webhook/sending/exchange.ts';

/** How the game treats what comes for an order, until it is told otherwise. */
export const MOODS = ['well', 'no', 'gone', 'error', 'silent', 'granted but silent', 'slow'] as const;
export type Mood = (typeof MOODS)[number];

export interface GameAnswer {
  /** Null: the time limit passed without headers. */
  status: number | null;
  body: string;
}

interface Delivery {
  event_type: string;
  idempotency_key: string;
  event_data: { order_id: string };
}

const SLOW_MS = 15;
const OK = { status: 200, body: '{"status":"ok"}' };
const NO_ANSWER = { status: null, body: '' };

/** A game that keeps the rules of the interface: each key once, and what it answered with 2xx it did. */
export class MoodyGame {
  readonly moods = new Map<string, Mood>();
  /** Orders whose items the players hold now. */
  readonly held = new Set<string>();
  /** Orders that were granted at any time. */
  readonly granted = new Set<string>();
  /** By order: what the shop did that no honest shop does. */
  readonly complaints = new Map<string, string[]>();
  readonly #bodies = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly #applied = new Set<string>();
  readonly #removed = new Set<string>();

  async receive(body: string): Promise<GameAnswer> {
    const { event_type: kind, idempotency_key: key, event_data: data } = JSON.parse(body) as Delivery;
    if (!kind.startsWith('item.')) return OK;
    const orderId = data.order_id;
    this.#check(orderId, kind, key, body);
    const mood = this.moods.get(orderId) ?? 'well';
    if (mood === 'no' && kind === 'item.add' && !this.#applied.has(key))
      return { status: 422, body: '{"code":"declined"}' };
    if (mood === 'gone') return { status: 410, body: '' };
    if (mood === 'error') return { status: 500, body: 'oops' };
    if (mood === 'silent') return NO_ANSWER;
    if (mood === 'slow') await pause(SLOW_MS);
    this.#apply(orderId, kind, key);
    return mood === 'granted but silent' ? NO_ANSWER : OK;
  }

  #check(orderId: string, kind: string, key: string, body: string): void {
    const complain = (what: string): void =>
      void this.complaints.set(orderId, [...(this.complaints.get(orderId) ?? []), what]);
    if ((this.#bodies.get(key) ?? body) !== body) complain('the bytes changed between attempts');
    this.#bodies.set(key, body);
    const slot = `${kind} ${orderId}`;
    if ((this.#keys.get(slot) ?? key) !== key) complain(`more than one key for ${kind}`);
    this.#keys.set(slot, key);
    if (kind === 'item.remove') this.#removed.add(orderId);
    else if (this.#removed.has(orderId)) complain('item.add came after item.remove');
  }

  #apply(orderId: string, kind: string, key: string): void {
    if (this.#applied.has(key)) return;
    this.#applied.add(key);
    if (kind === 'item.add') {
      this.granted.add(orderId);
      this.held.add(orderId);
    } else this.held.delete(orderId);
  }
}

/** What the sender makes of an answer. */
export function exchangeOf({ status, body }: GameAnswer, startedAtMs: number): Exchange {
  const succeeded = status !== null && isSuccess(status);
  return {
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    status,
    responseHeaders: {},
    responseBody: body,
    responseBodyCut: false,
    succeeded,
    declined: status !== null && isDeclined(status, body),
    retryAfterSeconds: null,
    failure: succeeded ? null : status === null ? 'timeout' : 'status',
    error: status === null ? 'no answer within 10 s' : statusError(status),
  };
}
