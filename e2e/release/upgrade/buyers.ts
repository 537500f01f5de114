/** Players who buy one thing after the other, each at one of the programs that take orders at the moment. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { payForm } from '../../nothing-is-lost/pay-form.ts';

const CARD = '4242 4242 4242 4242';
const REQUEST_MS = 90_000;

export interface Buyers {
  /** Player → order, of every order that was created. */
  readonly created: ReadonlyMap<string, string>;
  readonly paid: ReadonlySet<string>;
  /** What was not answered as it must be, each in a line. */
  readonly failures: readonly string[];
  /** Takes a program into the round. */
  use(url: string): void;
  /** Sends nothing more to this program, and answers when nothing is under way there. */
  leave(url: string): Promise<void>;
  /** Answers when so many more were paid. */
  morePaid(count: number): Promise<void>;
  end(): Promise<void>;
}

export function startBuyers(key: string, buyers: number): Buyers {
  const created = new Map<string, string>();
  const paid = new Set<string>();
  const failures: string[] = [];
  const underWay = new Map<string, number>();
  let urls: string[] = [];
  let bought = 0;
  const over = new AbortController();

  async function ask(what: string, expected: number, url: string, init: RequestInit = {}): Promise<string> {
    const signal = AbortSignal.timeout(REQUEST_MS);
    const answer = await fetch(url, { redirect: 'manual', signal, ...init });
    const text = await answer.text();
    if (answer.status !== expected) throw new Error(`${what} was answered ${answer.status}: ${text.slice(0, 300)}`);
    return text;
  }

  async function buy(url: string): Promise<void> {
    bought += 1;
    const player = `player-${bought}`;
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const body = JSON.stringify({ player_id: player, items: [{ sku: 'sword' }], price_decimal: 4.99, currency: 'EUR' });
    const order = JSON.parse(await ask('create', 201, `${url}/s2s/v1/orders`, { method: 'POST', headers, body })) as {
      order_id: string;
      checkout_url: string;
    };
    created.set(player, order.order_id);
    // Every program has an address of its own here; players know one.
    const page = url + new URL(order.checkout_url).pathname;
    await ask('page', 200, page);
    await ask('pay', 303, `${page}/pay`, { method: 'POST', body: payForm(CARD) });
    for (;;) {
      const read = await ask('read', 200, `${url}/s2s/v1/orders/${order.order_id}?wait=5`, { headers });
      const { status } = JSON.parse(read) as { status: string };
      if (status === 'paid') break;
      if (!['pending', 'authorized'].includes(status)) throw new Error(`the order is ${status}`);
    }
    paid.add(order.order_id);
  }

  async function shop(): Promise<void> {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const url = urls[turn % Math.max(1, urls.length)];
      if (url === undefined) {
        await pause(20);
        continue;
      }
      underWay.set(url, (underWay.get(url) ?? 0) + 1);
      await buy(url).catch((error: unknown) => failures.push(`${url}: ${String(error)}`));
      underWay.set(url, underWay.get(url)! - 1);
      // A failure at once, again and again, would say nothing more.
      if (failures.length > 20) return;
    }
  }

  const running = Promise.all(Array.from({ length: buyers }, shop));
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition() && failures.length === 0) await pause(50);
  };
  return {
    created,
    paid,
    failures,
    use: url => void urls.push(url),
    async leave(url) {
      urls = urls.filter(one => one !== url);
      await until(() => (underWay.get(url) ?? 0) === 0);
    },
    async morePaid(count) {
      const before = paid.size;
      await until(() => paid.size >= before + count);
    },
    async end() {
      over.abort();
      await running;
    },
  };
}
