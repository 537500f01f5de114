import { expect } from 'vitest';
import { type Game, startGame } from './game-receiver.ts';
import { startProgram, type TestProgram, type TestProgramOptions } from './program.ts';

export interface LiveOrder {
  order_id: string;
  checkout_url: string;
}

/** A studio that sells in live, with a game that grants. */
export interface LiveShop extends Omit<TestProgram, 'createOrder' | 'pay' | 'until'> {
  game: Game;
  order(body?: Record<string, unknown>): Promise<LiveOrder>;
  page(order: LiveOrder, init?: RequestInit): Promise<string>;
  /** Posts a form of the page, without following the redirect. */
  post(order: LiveOrder, part: string, fields?: Record<string, string>): Promise<Response>;
  statusOf(order: LiveOrder): Promise<string>;
  until(order: LiveOrder, status: string): Promise<void>;
  paymentsOf(order: LiveOrder): Promise<Record<string, unknown>[]>;
}

const WAIT = { timeout: 60_000, interval: 50 };

export const GOOD_CARD = {
  card_number: '4242 4242 4242 4242',
  card_expiry: '12 / 40',
  card_cvc: '123',
  postal_code: '10115',
};

export async function startLiveShop(options: TestProgramOptions = {}): Promise<LiveShop> {
  const shop = await startProgram(options);
  const key = shop.account.live.s2sKey;
  const game = await startGame({ secret: key });
  const call: TestProgram['call'] = (method, path, body, more = {}) => shop.call(method, path, body, { key, ...more });
  const made = await call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  expect(made.status).toBe(201);
  const statusOf = async ({ order_id: id }: LiveOrder): Promise<string> =>
    String((await call('GET', `/s2s/v1/orders/${id}`)).body.status);
  return {
    ...shop,
    game,
    call,
    async order(body = {}) {
      const price = { price_decimal: 4.99, currency: 'EUR' };
      const order = { player_id: 'mika', items: [{ sku: 'gems' }], ...price, ...body };
      const answer = await call<LiveOrder>('POST', '/s2s/v1/orders', order);
      expect(answer.status).toBe(201);
      return { ...answer.body, checkout_url: shop.url + new URL(answer.body.checkout_url).pathname };
    },
    page: async ({ checkout_url: url }, init) => (await fetch(url, init)).text(),
    post: ({ checkout_url: url }, part, fields = {}) =>
      fetch(`${url}${part}`, {
        method: 'POST',
        body: new URLSearchParams({ email: 'mika@example.com', ...fields }),
        redirect: 'manual',
      }),
    statusOf,
    until: (order, status) => expect.poll(() => statusOf(order), WAIT).toBe(status),
    paymentsOf: async ({ order_id: id }) =>
      (await call<{ data: Record<string, unknown>[] }>('GET', `/s2s/v1/payments?order_id=${id}`)).body.data,
    async close() {
      await game.close();
      await shop.close();
    },
  };
}
