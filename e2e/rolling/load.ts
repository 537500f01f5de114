import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, fetch } from 'undici';
import { payForm } from '../nothing-is-lost/pay-form.ts';

const CARD = '4242 4242 4242 4242';
const REQUEST_MS = 60_000;

export interface Load {
  /** Answers so far. */
  readonly answers: number;
  /** What went wrong, each in a line. */
  readonly failures: readonly string[];
  /** The orders that were paid, each acknowledged. */
  readonly paid: readonly string[];
  /** Ends after what is under way. */
  end(): Promise<void>;
}

/** Players who buy one thing after the other: create, look at the page, pay, wait until it is granted and captured. */
export function startLoad(name: string, url: string, ca: string, key: string, players: number): Load {
  const dispatcher = new Agent({ connect: { ca: readFileSync(ca, 'utf8') } });
  const failures: string[] = [];
  const paid: string[] = [];
  let answers = 0;
  const over = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

  async function ask(what: string, expected: number, target: string, init: object = {}): Promise<string | null> {
    const began = Date.now();
    try {
      const signal = AbortSignal.timeout(REQUEST_MS);
      const answer = await fetch(target, { ...init, dispatcher, signal, redirect: 'manual' });
      const text = await answer.text();
      answers += 1;
      if (answer.status === expected) return text;
      failures.push(
        `${name}: ${what} was answered ${answer.status} after ${Date.now() - began} ms: ${text.slice(0, 200)}`,
      );
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      failures.push(`${name}: ${what} failed after ${Date.now() - began} ms: ${String(cause)}`);
    }
    return null;
  }

  async function buy(): Promise<void> {
    const body = JSON.stringify({ player_id: 'player', items: [{ sku: 'sword' }] });
    // As the SDK does.
    const once = { ...headers, 'idempotency-key': randomUUID() };
    const created = await ask('create', 201, `${url}/s2s/v1/orders`, { method: 'POST', headers: once, body });
    if (created === null) return;
    const { order_id, checkout_url } = JSON.parse(created) as { order_id: string; checkout_url: string };
    // Each proxy has its own port here; players know one address.
    const page = url + new URL(checkout_url).pathname;
    if ((await ask('page', 200, page)) === null) return;
    const form = { method: 'POST', body: payForm(CARD) };
    if ((await ask('pay', 303, `${page}/pay`, form)) === null) return;
    for (;;) {
      const read = await ask('read', 200, `${url}/s2s/v1/orders/${order_id}?wait=5`, { headers });
      if (read === null) return;
      if ((JSON.parse(read) as { status: string }).status === 'paid') break;
    }
    paid.push(order_id);
  }

  const running = Promise.all(
    Array.from({ length: players }, async () => {
      while (!over.signal.aborted) await buy();
    }),
  );
  return {
    get answers() {
      return answers;
    },
    failures,
    paid,
    async end() {
      over.abort();
      await running;
      await dispatcher.destroy();
    },
  };
}
