import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { gate } from '@coinslot/testing/gate';
import { badLine, moneyMoved, paymentRows } from '@coinslot/testing/order-rows';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { impossibleCharges } from '@coinslot/testing/simulator-books';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;
const line = badLine();

const DAY_SECONDS = 86_400;
const statuses = async (orderId: string) => (await paymentRows(shop.database.db, orderId)).map(row => row.status);
const money = (orderId: string) => moneyMoved(shop.database.db, orderId);
const stateOf = async (checkoutUrl: string): Promise<string> => {
  const answer = await fetch(`${checkoutUrl}/status?version=-1`);
  return ((await answer.json()) as { state: string }).state;
};
const challenge = (checkoutUrl: string, result: 'complete' | 'fail') =>
  fetch(`${checkoutUrl}/challenge`, { method: 'POST', body: new URLSearchParams({ result }), redirect: 'manual' });

beforeAll(async () => {
  shop = await startProgram({ workers: false, replace: line.replace });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterEach(async () => {
  game.answerAlways(null);
  line.gateway().behave();
  expect(await impossibleCharges(shop.database.db)).toEqual([]);
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

describe('an authorization whose answer is lost', () => {
  it('after it took effect is not a decline: the page says that it is being checked, and it completes once (row 2)', async () => {
    line.gateway().misbehave('authorize', { kind: 'time_out_after' });
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'pending' });
    expect(await stateOf(url)).toBe('paying');
    // No second attempt can start meanwhile.
    await shop.pay(url);
    expect(await statuses(orderId)).toEqual(['pending']);
    await shop.database.advance(20);
    expect(await stateOf(url)).toBe('checking');
    await shop.later(45);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(await money(orderId)).toEqual(['authorized', 'captured']);
  });

  it('before it took effect frees the order, and the lost request can charge no player later (row 2)', async () => {
    line.gateway().misbehave('authorize', { kind: 'time_out_before' });
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url);
    await shop.later(46);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'created' });
    expect(await statuses(orderId)).toEqual(['abandoned']);
    await shop.pay(url);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(await money(orderId)).toEqual(['authorized', 'captured']);
  });

  it('is asked about again, ever more rarely, while the provider stays silent', async () => {
    line.gateway().misbehave('authorize', { kind: 'time_out_after' });
    line.gateway().misbehave('lookUp', { kind: 'time_out_before' }, 4);
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url);
    for (let i = 0; i < 7; i++) {
      expect(['pending', 'paid']).toContain((await shop.readOrder(orderId)).status);
      await shop.later(60);
    }
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(
      line
        .gateway()
        .calls.filter(call => call.call === 'authorize')
        .at(-1),
    ).toBeDefined();
    expect(await money(orderId)).toEqual(['authorized', 'captured']);
  });

  it('that comes to the provider after the order was freed is refused there', async () => {
    const late = gate();
    line.gateway().misbehave('authorize', { kind: 'slow_before', until: late.opened });
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    const paying = shop.pay(url);
    await expect.poll(() => statuses(orderId)).toEqual(['pending']);
    await shop.later(46);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'created' });
    await shop.pay(url);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    late.open();
    await paying;
    await shop.program.parts.background.settle();
    await shop.later(60);
    expect(await money(orderId)).toEqual(['authorized', 'captured']);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });
});

describe('a capture whose answer is lost', () => {
  it.each(['time_out_before', 'time_out_after'] as const)(
    '(%s) is made exactly once, and the order is paid (row 1)',
    async kind => {
      line.gateway().misbehave('capture', { kind }, 2);
      const { order_id: orderId, checkout_url: url } = await shop.createOrder();
      await shop.pay(url);
      expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized', granted_at: expect.any(Number) });
      expect(await stateOf(url)).toBe('asking');
      for (let i = 0; i < 3; i++) await shop.later(60);
      expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
      expect(await money(orderId)).toEqual(['authorized', 'captured']);
      expect(game.requests.filter(request => request.body?.event_data.order_id === orderId)).toHaveLength(1);
    },
  );

  it('for so long that the bank reversed it meanwhile still ends as a chargeback', async () => {
    line.gateway().misbehave('capture', { kind: 'time_out_after' });
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url, CARDS.disputeLost);
    await shop.later(60);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'charged_back' });
  });

  it.each(['time_out_before', 'time_out_after'] as const)('a release (%s) is made sure of as well', async kind => {
    line.gateway().misbehave('void', { kind }, 2);
    game.answer('decline');
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected' });
    expect(await statuses(orderId)).toEqual(['authorized']);
    for (let i = 0; i < 3; i++) await shop.later(60);
    expect(await statuses(orderId)).toEqual(['voided']);
    expect(await money(orderId)).toEqual(['authorized', 'voided']);
  });
});

describe('money of another amount', () => {
  it('waits for a person and is not asked about again by itself (row 13)', async () => {
    line.gateway().misbehave('authorize', { kind: 'time_out_after' });
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url);
    const [payment] = await paymentRows(shop.database.db, orderId);
    line.gateway().pretend(payment!.id, { amountMinor: 1 });
    await shop.later(46);
    const order = await shop.readOrder(orderId);
    expect(order).toMatchObject({ status: 'pending', attention: { code: 'amount_differs', next_check_at: null } });
    const calls = line.gateway().calls.length;
    await shop.later(DAY_SECONDS);
    expect(line.gateway().calls).toHaveLength(calls);
  });
});

describe('two at once', () => {
  it('clicks make one payment (row 5)', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.pay(url)));
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([303]));
    await shop.until(orderId, 'paid');
    expect(await statuses(orderId)).toEqual(['succeeded']);
    expect(await money(orderId)).toEqual(['authorized', 'captured']);
  });

  it('tabs with different cards make one payment; the other is shown how it stands (rows 6, 7)', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url, CARDS.challenge);
    expect(await stateOf(url)).toBe('challenge');
    await shop.pay(url, CARDS.success);
    expect(await statuses(orderId)).toEqual(['requires_action']);
    await Promise.all([challenge(url, 'complete'), challenge(url, 'complete'), challenge(url, 'fail')]);
    await shop.program.parts.background.settle();
    const order = await shop.until(orderId, 'paid', 'created');
    expect(await statuses(orderId)).toEqual([order.status === 'paid' ? 'succeeded' : 'declined']);
  });
});

describe('the end of the 24 hours', () => {
  it('does not stop a payment that began before it (row 8)', async () => {
    const late = gate();
    line.gateway().misbehave('authorize', { kind: 'slow_after', until: late.opened });
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.later(DAY_SECONDS - 30);
    const paying = shop.pay(url);
    await expect.poll(() => statuses(orderId)).toEqual(['pending']);
    await shop.later(31);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'pending' });
    late.open();
    await paying;
    expect(await shop.until(orderId, 'paid')).toMatchObject({ status: 'paid' });
  });

  it('stops one that begins after it, before the sweep has come by', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.database.advance(DAY_SECONDS);
    await shop.pay(url);
    expect(await statuses(orderId)).toEqual([]);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'expired' });
  });

  it.each([
    { how: 'declined', card: CARDS.decline, fault: null },
    { how: 'abandoned', card: CARDS.success, fault: { kind: 'time_out_before' } as const },
  ])('comes when the attempt that was begun in time is $how after it', async ({ card, fault, how }) => {
    const late = gate();
    line.gateway().misbehave('authorize', fault ?? { kind: 'slow_before', until: late.opened });
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.later(DAY_SECONDS - 30);
    const paying = shop.pay(url, card);
    await expect.poll(() => statuses(orderId)).toEqual(['pending']);
    await shop.database.advance(60);
    late.open();
    await paying;
    await shop.later(60);
    expect(await statuses(orderId)).toEqual([how]);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'expired' });
  });
});

describe('a 3-D Secure challenge', () => {
  it('that is left alone for 15 minutes frees the order, and a late Complete does nothing', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url, CARDS.challenge);
    await shop.later(14 * 60);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'pending' });
    await shop.later(2 * 60);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'created' });
    expect(await statuses(orderId)).toEqual(['abandoned']);
    expect((await challenge(url, 'complete')).status).toBe(303);
    await shop.later(60);
    expect(await money(orderId)).toEqual([]);
    await shop.pay(url);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });

  it('that is failed is a decline with a code, and the order can be tried again', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url, CARDS.challenge);
    await challenge(url, 'fail');
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'created' });
    expect(await statuses(orderId)).toEqual(['declined']);
  });

  it('whose answer never reached us is found by asking the provider', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url, CARDS.challenge);
    line.gateway().misbehave('lookUp', { kind: 'time_out_after' });
    await challenge(url, 'complete');
    await shop.program.parts.background.settle();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'pending' });
    await shop.later(46);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(await money(orderId)).toEqual(['authorized', 'captured']);
  });
});

describe('live', () => {
  it('without a provider and a webhook takes no money and says so', async () => {
    const made = await shop.call<{ order_id: string; checkout_url: string }>(
      'POST',
      '/s2s/v1/orders',
      { player_id: 'p', items: [{ sku: 's' }], price_decimal: 1, currency: 'USD' },
      { key: shop.account.live.s2sKey },
    );
    const url = shop.url + new URL(made.body.checkout_url).pathname;
    expect(await stateOf(url)).toBe('not_connected');
    expect((await shop.pay(url)).status).toBe(303);
    expect(await statuses(made.body.order_id)).toEqual([]);
  });
});
