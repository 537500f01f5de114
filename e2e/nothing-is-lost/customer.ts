import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../apps/server/src/kit/ids.ts';
import { payForm } from './pay-form.ts';

/** What the shop has promised to one customer or the game's backend. */
export interface Promised {
  kind: string;
  mood: string;
  amountMinor: number;
  idempotencyKey: string;
  /** Every order id that was answered for the one key. */
  orderIds: Set<string>;
  /** When the order was first acknowledged. */
  at: number;
  refundAccepted: boolean;
  cancelAccepted: boolean;
}

export interface CustomerOptions {
  url: () => Promise<string>;
  key: string;
  surprises: string[];
  isStopped: () => boolean;
}

const REQUEST_MS = 15_000;
const WAIT_MS = 4_000;
const TRIES_TO_PAY = 4;
const AGAIN_MS = 20;
/** The request did not arrive in time, as on a machine that is too busy: nothing was done with it, and it is sent again. */
const REQUEST_TIMEOUT = 408;

/** One order from the side of those who use the shop: they repeat what got no answer, as people and programs do. */
export class Customer {
  readonly promised: Promised;
  readonly #options: CustomerOptions;
  #path = '';

  constructor(options: CustomerOptions) {
    this.#options = options;
    this.promised = {
      kind: '',
      mood: '',
      amountMinor: 0,
      idempotencyKey: newId('req'),
      orderIds: new Set(),
      at: 0,
      refundAccepted: false,
      cancelAccepted: false,
    };
  }

  get orderId(): string {
    return [...this.promised.orderIds][0]!;
  }

  async createOrder(playerId: string, amountMinor: number, mood: string, kind: string, twice: boolean): Promise<void> {
    Object.assign(this.promised, { kind, mood, amountMinor });
    const body = JSON.stringify({
      player_id: playerId,
      items: [{ sku: `sku_${this.promised.idempotencyKey}`, name: 'Crystals' }],
      price_decimal: amountMinor / 100,
      currency: 'EUR',
      metadata: { mood },
    });
    const create = () =>
      this.#call('POST', '/s2s/v1/orders', body, { 'idempotency-key': this.promised.idempotencyKey });
    for (const answer of await Promise.all(twice ? [create(), create()] : [create()])) {
      if (answer.status !== 201) this.#options.surprises.push(`create: ${answer.status} ${answer.text}`);
      const { order_id, checkout_url } = JSON.parse(answer.text) as { order_id: string; checkout_url: string };
      this.promised.orderIds.add(order_id);
      this.promised.at ||= Date.now();
      this.#path = new URL(checkout_url).pathname;
    }
  }

  async pay(card: string): Promise<void> {
    await this.#post(`${this.#path}/pay`, payForm(card), [303]);
  }

  /** Presses again when an attempt was given up, and leaves it at that after a few times. */
  async payUntilTaken(card: string): Promise<void> {
    for (let tries = 0; tries < TRIES_TO_PAY && !this.#options.isStopped(); tries++) {
      await this.pay(card);
      const status = await this.status();
      if (status !== 'created' && status !== 'pending') return;
      if (status === 'pending') await this.until('created', 'authorized', 'paid', 'rejected');
    }
  }

  async claim(): Promise<void> {
    await this.#post(`${this.#path}/claim`, new URLSearchParams({ email: 'player@example.com' }), [303]);
  }

  async answerChallenge(result: 'complete' | 'fail'): Promise<void> {
    await this.#post(`${this.#path}/challenge`, new URLSearchParams({ result }), [303]);
  }

  async cancel(): Promise<void> {
    const answer = await this.#call('POST', `/s2s/v1/orders/${this.orderId}/cancel`);
    if (answer.status === 200) this.promised.cancelAccepted = true;
    else this.#expectStatus('cancel', answer, [409]);
  }

  async refund(): Promise<void> {
    const answer = await this.#call('POST', `/s2s/v1/orders/${this.orderId}/refund`);
    if (answer.status === 200) this.promised.refundAccepted = true;
    else this.#expectStatus('refund', answer, [409]);
  }

  async status(): Promise<string> {
    const answer = await this.#call('GET', `/s2s/v1/orders/${this.orderId}`);
    this.#expectStatus('read', answer, [200]);
    return (JSON.parse(answer.text) as { status: string }).status;
  }

  /** Waits for a status; gives up silently, because what must happen in the end is for the oracle to say. */
  async until(...statuses: string[]): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    while (Date.now() < deadline && !this.#options.isStopped()) {
      if (statuses.includes(await this.status())) return;
      await this.#call('GET', `/s2s/v1/orders/${this.orderId}?wait=1`);
    }
  }

  #expectStatus(what: string, answer: { status: number; text: string }, expected: number[]): void {
    if (!expected.includes(answer.status)) this.#options.surprises.push(`${what}: ${answer.status} ${answer.text}`);
  }

  async #post(path: string, form: URLSearchParams, expected: number[]): Promise<void> {
    const answer = await this.#insist(path, { method: 'POST', body: form, redirect: 'manual' });
    this.#expectStatus(path.slice(path.lastIndexOf('/')), { ...answer, text: '' }, expected);
  }

  #call(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    return this.#insist(path, {
      method,
      headers: {
        authorization: `Bearer ${this.#options.key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body }),
    });
  }

  /** The same request until it is answered; a 503 says to come back, a 408 that it did not arrive. */
  async #insist(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
    for (;;) {
      const url = await this.#options.url();
      try {
        const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
        const text = await response.text();
        if (response.status !== 503 && response.status !== REQUEST_TIMEOUT) return { status: response.status, text };
        if (response.status === 503 && !response.headers.has('retry-after'))
          this.#options.surprises.push(`503 without Retry-After: ${path}`);
      } catch {
        // The program died; its successor is asked.
      }
      await pause(AGAIN_MS);
    }
  }
}
