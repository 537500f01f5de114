import type { Order, Payment } from '@coinslot/contract';
import { expect } from 'vitest';
import type { Account, Coinslot } from './start-coinslot.ts';

export const CARDS = {
  good: '4242 4242 4242 4242',
  decline: '4832 2850 6160 9015',
  challenge: '4224 7030 8257 5813',
  disputeLost: '4000 0000 0000 0267',
  disputeOpen: '4000 0000 0000 0259',
} as const;

export const patience = { timeout: 60_000, interval: 50 };

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the document, not a type, says what is in it
  body: any;
}

export const A_PURCHASE = { player_id: 'player-1', items: [{ sku: 'sword' }] };

/** What a studio does with the service: calls the API, and looks at the page as a player would. */
export interface Studio {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  createOrder(body?: object): Promise<{ order_id: string; checkout_url: string }>;
  readOrder(id: string): Promise<Order>;
  transactionsOf(id: string): Promise<Payment[]>;
  becomes(id: string, status: string): Promise<void>;
  /** The checkout page's HTML. */
  page(checkoutUrl: string): Promise<string>;
  /** Fills in the form that the page shows and sends it, as a browser without script does. */
  pay(checkoutUrl: string, card?: string, more?: Record<string, string>): Promise<void>;
  /** Creates an order, pays it and waits until it is paid. */
  buy(body?: object): Promise<string>;
  unsubscribeAll(): Promise<void>;
}

const FORM = {
  email: 'player@example.com',
  'cc-exp': '12 / 40',
  'cc-csc': '123',
  'postal-code': '10115',
};

/** The names come from the page itself, found by what browsers fill in. */
function fillIn(html: string, values: Record<string, string>): URLSearchParams {
  const inputs = html.match(/<input [^>]*>/g) ?? [];
  const nameOf = (autocomplete: string): string => {
    const input = inputs.find(tag => tag.includes(`autocomplete="${autocomplete}"`));
    return / name="(\w+)"/.exec(input ?? '')?.[1] ?? `no field for ${autocomplete}`;
  };
  return new URLSearchParams(Object.entries(values).map(([field, value]) => [nameOf(field), value]));
}

export function createStudio({ url }: Coinslot, account: Account): Studio {
  const call: Studio['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${account.sandbox.s2s_key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const studio: Studio = {
    call,
    async createOrder(body = {}) {
      const answer = await call('POST', '/s2s/v1/orders', { ...A_PURCHASE, ...body });
      expect(answer).toMatchObject({ status: 201 });
      return answer.body;
    },
    readOrder: async id => (await call('GET', `/s2s/v1/orders/${id}`)).body,
    transactionsOf: async id => (await call('GET', `/s2s/v1/payments?order_id=${id}`)).body.data,
    becomes: (id, status) => expect.poll(async () => (await studio.readOrder(id)).status, patience).toBe(status),
    page: async checkoutUrl => (await fetch(checkoutUrl)).text(),
    async pay(checkoutUrl, card = CARDS.good, more = {}) {
      const html = await studio.page(checkoutUrl);
      const action = / action="([^"]+)"/.exec(html)?.[1] ?? '';
      const body = fillIn(html, { ...FORM, 'cc-number': card, ...more });
      const answer = await fetch(new URL(action, checkoutUrl), { method: 'POST', body, redirect: 'manual' });
      expect(answer.status).toBe(303);
    },
    async buy(body = {}) {
      const order = await studio.createOrder(body);
      await studio.pay(order.checkout_url);
      await studio.becomes(order.order_id, 'paid');
      return order.order_id;
    },
    async unsubscribeAll() {
      const { body } = await call('GET', '/s2s/v1/webhooks');
      for (const { id } of body.data) await call('DELETE', `/s2s/v1/webhooks/${id}`);
    },
  };
  return studio;
}
