import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from '../../../apps/server/src/domain/webhook/sending/exchange.ts';
import { isDeclined, isSuccess, statusError } from '../../../apps/server/src/domain/webhook/sending/exchange.ts';

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
  event_data: { order_id: string; player_id: string; grant?: string };
}

const SLOW_MS = 15;
const OK = { status: 200, body: '{"status":"ok"}' };
const NO_ANSWER = { status: null, body: '' };

function complain(about: Map<string, string[]>, orderId: string, what: string): void {
  about.set(orderId, [...(about.get(orderId) ?? []), what]);
}

/** A game that keeps the rules of the interface: each key once, and what it answered with 2xx it did. */
export class MoodyGame {
  readonly moods = new Map<string, Mood>();
  /** Orders whose items the players hold now. */
  readonly held = new Set<string>();
  /** Orders that were granted at any time. */
  readonly granted = new Set<string>();
  /** Orders whose grant the game has said yes to, and the shop could hear it. */
  readonly confirmed = new Set<string>();
  /** How often the game was asked to grant. */
  readonly asked = new Map<string, number>();
  /** How often it was asked to take items back. */
  readonly askedBack = new Map<string, number>();
  /** By order: what the shop did that no honest shop does. */
  readonly complaints = new Map<string, string[]>();
  /** The same, of what only a shop may do that died before it could write down what the game said. */
  readonly doubts = new Map<string, string[]>();
  readonly #refused = new Set<string>();
  readonly #players = new Map<string, string>();
  readonly #mayBeErased = new Set<string>();
  readonly #bodies = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly #applied = new Set<string>();
  readonly #removed = new Set<string>();

  async receive(body: string): Promise<GameAnswer> {
    const { event_type: kind, idempotency_key: key, event_data: data } = JSON.parse(body) as Delivery;
    if (!kind.startsWith('item.')) return OK;
    const orderId = data.order_id;
    this.#check(orderId, kind, key, body);
    this.#compare(orderId, kind, data);
    const mood = this.moods.get(orderId) ?? 'well';
    if (mood === 'no' && kind === 'item.add' && !this.#applied.has(key)) {
      this.#refused.add(orderId);
      return { status: 422, body: '{"code":"declined"}' };
    }
    if (mood === 'gone') return { status: 410, body: '' };
    if (mood === 'error') return { status: 500, body: 'oops' };
    if (mood === 'silent') return NO_ANSWER;
    if (mood === 'slow') await pause(SLOW_MS);
    this.#apply(orderId, kind, key);
    if (mood === 'granted but silent') return NO_ANSWER;
    if (kind === 'item.add') this.confirmed.add(orderId);
    return OK;
  }

  /** What is said of an order must fit what was said and answered before. */
  #compare(orderId: string, kind: string, { player_id: player, grant }: Delivery['event_data']): void {
    const isRefused = this.#refused.has(orderId) && !this.granted.has(orderId);
    const isRenamed = (this.#players.get(orderId) ?? player) !== player;
    // Nothing is granted under another name; only what is taken back after an erasure has none.
    const mayBe = kind === 'item.remove' && this.#mayBeErased.has(orderId);
    if (isRenamed && !mayBe) complain(this.complaints, orderId, `${kind} of another player`);
    this.#players.set(orderId, player);
    if (kind === 'item.add') {
      this.asked.set(orderId, (this.asked.get(orderId) ?? 0) + 1);
      if (isRefused) complain(this.doubts, orderId, 'asked again after a final no');
    } else {
      this.askedBack.set(orderId, (this.askedBack.get(orderId) ?? 0) + 1);
      if (isRefused) complain(this.doubts, orderId, 'item.remove came for what the game refused');
      if (!this.asked.has(orderId)) complain(this.doubts, orderId, 'item.remove came, and item.add never did');
      if (grant === 'confirmed' && !this.confirmed.has(orderId))
        complain(this.complaints, orderId, 'item.remove says confirmed, and the game never did');
      if (grant !== 'confirmed' && grant !== 'unknown')
        complain(this.complaints, orderId, `item.remove says grant ${String(grant)}`);
    }
  }

  #check(orderId: string, kind: string, key: string, body: string): void {
    const complainOf = (what: string): void => complain(this.complaints, orderId, what);
    if ((this.#bodies.get(key) ?? body) !== body) complainOf('the bytes changed between attempts');
    this.#bodies.set(key, body);
    const slot = `${kind} ${orderId}`;
    if ((this.#keys.get(slot) ?? key) !== key) complainOf(`more than one key for ${kind}`);
    this.#keys.set(slot, key);
    if (kind === 'item.remove') this.#removed.add(orderId);
    else if (this.#removed.has(orderId)) complainOf('item.add came after item.remove');
  }

  /** The player is being erased: whether it was done is not known when the program dies over it. */
  expectErased(orderId: string): void {
    this.#mayBeErased.add(orderId);
  }

  forget(orderIds: ReadonlySet<string>): void {
    for (const id of orderIds) {
      for (const kept of [this.moods, this.asked, this.askedBack, this.complaints, this.doubts, this.#players])
        kept.delete(id);
      for (const kept of [this.held, this.granted, this.confirmed, this.#refused, this.#removed, this.#mayBeErased])
        kept.delete(id);
    }
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
