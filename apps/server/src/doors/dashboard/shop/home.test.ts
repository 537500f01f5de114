import type { Home } from '@coinslot/contract';
import { PASSWORD, signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/** The figures wait for every transaction that began before, those of other tests on the same server too. */
const FOLDED = { timeout: 60_000, interval: 20 };

let shop: TestProgram;
let game: Game;
let member: TestMember;
let at: string;

beforeAll(async () => {
  shop = await startProgram();
  await shop.untilMorning();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  member = await signedInMember(shop, 'viewer');
  at = `/games/${shop.account.gameId}/sandbox`;
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const readHome = async (query = ''): Promise<Home> =>
  (await member.browser.call<Home>('GET', `${at}/home${query}`)).body;

describe('the home page', () => {
  it('is empty at first, with every day', async () => {
    const home = await readHome();
    expect(home).toMatchObject({
      today: { orders: 0, paid: 0, conversion: null, refund_rate: null, dispute_rate: null, money: [], declines: [] },
      grants_waiting: 0,
      oldest_grant_since: null,
      needs_attention: 0,
      webhooks: { enabled: 1, disabled: 0, takes_items: true, attempts: 0, p95_ms: null },
    });
    expect(home.days).toHaveLength(30);
    expect(home.before).toMatchObject({ orders: 0, conversion: null });
    expect(home.hours).toHaveLength(24);
  });

  it('counts what happened, by currency and reason, from the roll-up', async () => {
    const pay = async (body: object, card?: string) => {
      const order = await shop.createOrder(body as Record<string, unknown>);
      await fetch(order.checkout_url);
      await shop.pay(order.checkout_url, card);
      return order.order_id;
    };
    await pay({ price_decimal: 4.99, currency: 'EUR' });
    const refunded = await pay({});
    await pay({}, CARDS.decline);
    await pay({}, CARDS.noFunds);
    await shop.call('POST', `/s2s/v1/orders/${refunded}/refund`, { reason: 'x' });
    await shop.until(refunded, 'refunded');
    const wanted = {
      orders: 4,
      opened: 4,
      started: 4,
      paid: 2,
      declined: 2,
      conversion: 0.5,
      refund_rate: 0.5,
      dispute_rate: 0,
    };
    const {
      today,
      range: month,
      days,
      webhooks,
    } = await vi.waitFor(async () => {
      await shop.later(2);
      const home = await readHome();
      expect(home).toMatchObject({
        today: { ...wanted, money: [{}, { returned_orders: 1 }] },
        webhooks: { attempts: 3 },
      });
      return home;
    }, FOLDED);
    expect(today).toEqual(month);
    expect(today.money).toEqual([
      { currency: 'EUR', paid: 499, paid_orders: 1, returned: 0, returned_orders: 0, net: 499 },
      { currency: 'USD', paid: 100, paid_orders: 1, returned: 100, returned_orders: 1, net: 0 },
    ]);
    expect(today.declines).toEqual([
      { code: '16', description: 'Payment declined', count: 1 },
      { code: '2051', description: 'Insufficient funds', count: 1 },
    ]);
    expect(days.at(-1)).toMatchObject({ orders: 4, paid: 2 });
    expect(webhooks.succeeded).toBe(3);
    await shop.later(200);
    expect((await readHome()).range.orders).toBe(4);
  });

  it('adds up currencies only by rates that the studio entered, and names those without one', async () => {
    expect((await readHome()).range.sum).toBeNull();
    const owner = await signedInMember(shop, 'owner');
    const rates = `/companies/${shop.account.companyId}/rates`;
    const put = (body: object, who = owner) => who.browser.call('PUT', rates, body);
    expect((await put({ currency: 'JPY', rates: [{ currency: 'EUR', rate: 160 }] })).status).toBe(200);
    const { range, days } = await readHome();
    expect(range.sum).toEqual({ currency: 'JPY', paid: 798, net: 798, missing: ['USD'] });
    expect(days.at(-1)!.sum).toEqual(range.sum);
    await put({ currency: 'USD', rates: [{ currency: 'EUR', rate: 1.1 }] });
    expect((await readHome()).range.sum).toEqual({ currency: 'USD', paid: 649, net: 549, missing: [] });
    const twice = [
      { currency: 'EUR', rate: 1 },
      { currency: 'EUR', rate: 2 },
    ];
    expect((await put({ currency: 'USD', rates: twice })).status).toBe(422);
    expect((await put({ currency: 'USD', rates: [{ currency: 'EUR', rate: 0 }] })).status).toBe(422);
    expect((await put({ currency: null, rates: [] }, member)).status).toBe(403);
    expect((await member.browser.call('GET', rates)).body).toMatchObject({ currency: 'USD' });
    await put({ currency: null, rates: [] });
    expect((await readHome()).range.sum).toBeNull();
  });

  it('shows any range beside as many days before it', async () => {
    const today = (await readHome()).to;
    const shifted = (days: number): string =>
      new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
    const day = await readHome(`?from=${today}&to=${today}`);
    expect(day).toMatchObject({ from: today, to: today, range: { paid: 2 }, before: { orders: 0 } });
    expect(day.days).toHaveLength(1);
    const ahead = await readHome(`?from=${shifted(1)}&to=${shifted(2)}`);
    expect(ahead).toMatchObject({ range: { orders: 0 }, before: { orders: 4, paid: 2, refund_rate: 0.5 } });
    expect((await readHome(`?from=${shifted(-365)}`)).days).toHaveLength(366);
    const statusOf = async (query: string) => (await member.browser.call('GET', `${at}/home?${query}`)).status;
    expect(await statusOf(`from=${shifted(-366)}`)).toBe(422);
    expect(await statusOf(`from=${today}&to=${shifted(-1)}`)).toBe(422);
    expect(await statusOf('from=2026-02-31')).toBe(422);
  });

  it('moves its days with the viewer, and shows 30 of them when none are named', async () => {
    const east = await readHome('?utc_offset_minutes=840');
    expect(east.range.paid).toBe(2);
    expect((await member.browser.call('GET', `${at}/home?utc_offset_minutes=900`)).status).toBe(422);
    await shop.later(40 * 86_400);
    member = await signedInMember(shop, 'viewer');
    expect((await readHome()).range).toMatchObject({ orders: 0, paid: 0 });
  });
});

describe('live changes', () => {
  const decoder = new TextDecoder();

  async function open(browser: TestMember['browser']) {
    const response = await browser.fetch('GET', `${at}/changes`);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = response.body!.getReader();
    let text = '';
    return {
      /** Reads until the text holds what is waited for; null when the stream ends before. */
      async until(what: string): Promise<string | null> {
        while (!text.includes(what)) {
          const { done, value } = await reader.read();
          if (done) return null;
          text += decoder.decode(value);
        }
        return text;
      },
      close: () => reader.cancel(),
    };
  }

  it('tell which lists to read again, and only of this environment', async () => {
    const watcher = await signedInMember(shop, 'viewer');
    const stream = await open(watcher.browser);
    await stream.until('retry');
    const order = await shop.createOrder({ player_id: 'live' });
    await shop.pay(order.checkout_url);
    const text = await stream.until('payments');
    expect(text).toContain('event: changed');
    expect(text).toContain('"orders"');
    await stream.close();
  });

  it('end when the session does', async () => {
    const watcher = await signedInMember(shop, 'viewer');
    const stream = await open(watcher.browser);
    await stream.until('retry');
    await watcher.browser.call('POST', '/sign_out');
    expect(await stream.until('event: end')).toContain('access');
  });

  it('are bounded for each member: one more than twelve ends the oldest, and the others stay (row 112)', async () => {
    const watcher = await signedInMember(shop, 'viewer');
    const streams = [];
    for (let n = 0; n < 13; n++) {
      const stream = await open(watcher.browser);
      await stream.until('retry');
      streams.push(stream);
    }
    const [oldest, ...others] = streams;
    expect(await oldest!.until('never written')).toBeNull();
    await shop.createOrder({ player_id: 'bounded' });
    for (const stream of others) {
      expect(await stream.until('"orders"')).toContain('event: changed');
      await stream.close();
    }
  });

  it('end when the role changes', async () => {
    const owner = await signedInMember(shop, 'owner');
    const watcher = await signedInMember(shop, 'viewer');
    const stream = await open(watcher.browser);
    await stream.until('retry');
    const path = `/companies/${shop.account.companyId}/members/${watcher.userId}`;
    const changed = await owner.browser.call('PATCH', path, { role: 'support', password: PASSWORD });
    expect(changed.status).toBe(200);
    expect(await stream.until('event: end')).toContain('access');
  });
});
