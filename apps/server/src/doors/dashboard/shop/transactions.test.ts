import type {
  DashboardAnswer,
  dashboardEndpoints,
  OrderDetail,
  RefundPreview,
  TransactionDetail,
} from '@coinslot/contract';
import { PASSWORD, signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { moneyMoved } from '@coinslot/testing/order-rows';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rebuildFigures } from '../../../domain/reporting/roll-ups/roll-up.ts';

type Page = DashboardAnswer<typeof dashboardEndpoints.listTransactions>;
type Audit = { data: { kind: string; actor: string; object_id: string | null }[] };

let shop: TestProgram;
let game: Game;
let support: TestMember;
let viewer: TestMember;
let at: string;

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  support = await signedInMember(shop, 'support');
  viewer = await signedInMember(shop, 'viewer');
  at = `/games/${shop.account.gameId}/sandbox`;
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

async function paidOrder(playerId: string, card: string = CARDS.success) {
  const order = await shop.createOrder({ player_id: playerId });
  await shop.pay(order.checkout_url, card);
  const { payment_id: paymentId } = await shop.readOrder(order.order_id);
  return { orderId: order.order_id, paymentId: paymentId! };
}

const read = <T>(path: string) => viewer.browser.call<T>('GET', at + path);

describe('transactions', () => {
  it('are listed whether they went well or not, with what was answered', async () => {
    const declined = await paidOrder('alice', CARDS.decline);
    const paid = await paidOrder('alice');
    const { body } = await read<Page>('/transactions?player_id=alice');
    expect(body).toMatchObject({
      data: [
        {
          payment_id: paid.paymentId,
          status: 'succeeded',
          brand: 'visa',
          last4: '4242',
          country: 'GB',
          method: 'card',
        },
        {
          payment_id: declined.paymentId,
          status: 'declined',
          response_code: '16',
          response_description: 'Payment declined',
        },
      ],
      next_cursor: null,
      searched_back_to: null,
    });
    const refused = await read<Page>('/transactions?player_id=alice&status=declined,abandoned');
    expect(refused.body.data.map(({ payment_id: id }) => id)).toEqual([declined.paymentId]);
    expect((await read<Page>(`/transactions?q=${paid.orderId}`)).body.data).toMatchObject([{ order_id: paid.orderId }]);
    expect((await read<{ count: number }>('/transactions/count?player_id=alice')).body).toEqual({
      count: 2,
      is_exact: true,
    });
  });

  it('are paged by a cursor, and a made-up cursor is refused', async () => {
    for (let n = 0; n < 3; n++) await paidOrder('pager');
    const all = await read<Page>('/transactions?player_id=pager');
    const first = await read<Page>('/transactions?player_id=pager&limit=2');
    await paidOrder('pager');
    const second = await read<Page>(`/transactions?player_id=pager&limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(all.body.data);
    const ours = Buffer.from('ord_00000000000000000000000000').toString('base64url');
    for (const cursor of ['x', ours, '%00', encodeURIComponent(`' or 1=1`)]) {
      expect((await read(`/transactions?cursor=${cursor}`)).status).toBe(422);
    }
  });

  it.each([
    'status=nonsense',
    'status=paid,',
    'country=xx',
    'currency=usd',
    'amount_from=-1',
    'amount_from=1e9',
    'amount_from=99999999999999999999',
    'amount_to=9007199254740992',
    'created_from=abc',
    'limit=0',
    'limit=101',
    'q=',
    'q=%00',
    `q=${'x'.repeat(300)}`,
  ])('refuse ?%s', async query => {
    expect((await read(`/transactions?${query}`)).status).toBe(422);
  });

  it('are exported as a file that no spreadsheet runs', async () => {
    await paidOrder('=cmd|calc');
    const response = await viewer.browser.fetch(
      'GET',
      `${at}/transactions/export?q=%3Dcmd&columns=player_id,amount,currency,items`,
    );
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="transactions-sandbox-[\d-]+\.csv"$/,
    );
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(text).toBe(`\u{feff}player_id,amount,currency,items\r\n'=cmd|calc,1.00,USD,crystals_100\r\n`);
  });

  it('offer the values that occur, once they are rolled up', async () => {
    await rebuildFigures(shop.database.db);
    await shop.later(2);
    const { body } = await read<Record<string, { value: string; label: string | null }[]>>('/transactions/filters');
    expect(body).toMatchObject({
      methods: [{ value: 'card' }],
      brands: [{ value: 'visa' }],
      countries: [{ value: 'GB' }],
      currencies: [{ value: 'USD' }],
      response_codes: [{ value: '16', label: 'Payment declined' }],
    });
  });
});

describe("a transaction's page", () => {
  it('tells everything in the order it happened', async () => {
    const first = await paidOrder('bob');
    game.answer({ status: 500 });
    const order = await shop.createOrder({ player_id: 'bob', items: [{ sku: 'crystals_100', name: 'Crystals' }] });
    await fetch(order.checkout_url);
    await shop.pay(order.checkout_url);
    await shop.later(3);
    await shop.until(order.order_id, 'paid');
    await shop.later(1);
    const { payment_id: paymentId } = await shop.readOrder(order.order_id);
    const { body } = await read<TransactionDetail>(`/transactions/${paymentId}`);
    const kinds = body.timeline.map(({ kind }) => kind);
    const inOrder = [
      'order.created',
      'checkout.opened',
      'payment.pending',
      'payment.authorized',
      'item.add',
      'item.add.attempt',
      'item.add.attempt',
      'item.add.end',
      'payment.succeeded',
      'order.paid',
      'receipt.created',
    ];
    expect(kinds.filter(kind => inOrder.includes(kind))).toEqual(expect.arrayContaining(inOrder));
    for (const [earlier, later] of [
      ['order.created', 'payment.pending'],
      ['payment.authorized', 'item.add.attempt'],
      ['item.add.attempt', 'payment.succeeded'],
    ] as const) {
      expect(kinds.indexOf(earlier)).toBeLessThan(kinds.indexOf(later));
    }
    const attempts = body.timeline.filter(({ kind }) => kind === 'item.add.attempt');
    expect(attempts).toMatchObject([
      { attempt: 1, status: '500' },
      { attempt: 2, status: '200' },
    ]);
    expect(body.order).toMatchObject({ order_id: order.order_id, items: [{ sku: 'crystals_100', name: 'Crystals' }] });
    expect(body.other_payments.map(({ payment_id: id }) => id)).toEqual([first.paymentId]);
    expect(body.raw.map(({ name }) => name)).toEqual(expect.arrayContaining(['payment', 'order']));
    expect(body.actions).toEqual([]);
    const forSupport = await support.browser.call<TransactionDetail>('GET', `${at}/transactions/${paymentId}`);
    expect(forSupport.body.actions).toEqual(['refund']);
  });
});

describe('a refund', () => {
  it('is told before, asked for with a reason, done whole, audited, and shown', async () => {
    const { orderId, paymentId } = await paidOrder('carol');
    const path = `${at}/transactions/${paymentId}/refund`;
    const preview = await support.browser.call<RefundPreview>('GET', path);
    expect(preview.body).toMatchObject({
      allowed: true,
      amount: 100,
      currency: 'USD',
      effects: ['money_returned', 'items_removed'],
      items: [{ sku: 'crystals_100', quantity: 1 }],
    });
    expect((await support.browser.call('POST', path, {})).status).toBe(422);
    expect((await support.browser.call('POST', path, { reason: 'x', password: 'wrong' })).body).toMatchObject({
      code: 'password_wrong',
    });
    const asked = await support.browser.call<TransactionDetail>('POST', path, {
      reason: 'Bought twice',
      password: PASSWORD,
    });
    expect(asked.status).toBe(200);
    await shop.until(orderId, 'refunded');
    expect((await support.browser.call('POST', path, { reason: 'again' })).status).toBe(200);
    expect(await moneyMoved(shop.database.db, orderId)).toEqual(['authorized', 'captured', 'refunded']);
    const { body } = await support.browser.call<TransactionDetail>('GET', `${at}/transactions/${paymentId}`);
    expect(body).toMatchObject({ payment: { status: 'refunded', refund_reason: 'Bought twice' }, actions: [] });
    expect(body.timeline.filter(({ kind }) => kind === 'person')).toMatchObject([
      { action: 'payment.refund_requested', actor: support.email, detail: 'Bought twice', payment_id: paymentId },
    ]);
    expect((await support.browser.call<RefundPreview>('GET', path)).body).toMatchObject({
      allowed: false,
      effects: [],
    });
    const owner = await signedInMember(shop, 'owner');
    const log = await owner.browser.call<Audit>('GET', `/companies/${shop.account.companyId}/audit`);
    expect(log.body.data.filter(({ object_id: id }) => id === paymentId)).toHaveLength(1);
  });

  it('is of the payment in the address, whatever the body names (row 134)', async () => {
    const [asked, other] = [await paidOrder('fay'), await paidOrder('gus')];
    const answer = await support.browser.call('POST', `${at}/transactions/${asked.paymentId}/refund`, {
      reason: 'x',
      paymentId: other.paymentId,
    });
    expect(answer.status).toBe(200);
    await shop.until(asked.orderId, 'refunded');
    expect(await shop.readOrder(other.orderId)).toMatchObject({ status: 'paid' });
  });

  it('is refused for what holds no money', async () => {
    const { paymentId } = await paidOrder('dora', CARDS.decline);
    const answer = await support.browser.call('POST', `${at}/transactions/${paymentId}/refund`, { reason: 'x' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'order_wrong_status' } });
  });

  it('of an earlier attempt never touches the later one', async () => {
    const order = await shop.createOrder({ player_id: 'eve' });
    await shop.pay(order.checkout_url, CARDS.decline);
    const { payment_id: earlier } = await shop.readOrder(order.order_id);
    await shop.pay(order.checkout_url);
    const answer = await support.browser.call('POST', `${at}/transactions/${earlier}/refund`, { reason: 'x' });
    expect(answer.status).toBe(409);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid' });
  });
});

describe('orders', () => {
  it('are listed, found and canceled, once and with an entry', async () => {
    const order = await shop.createOrder({ player_id: 'frank' });
    const listed = await read<{ data: { order_id: string }[] }>('/orders?q=fran');
    expect(listed.body.data).toMatchObject([{ order_id: order.order_id, status: 'created' }]);
    expect((await read<{ data: unknown[] }>('/orders?player_id=frank&status=paid,refunded')).body.data).toEqual([]);
    expect((await read<{ data: unknown[] }>('/orders?player_id=frank&status=created')).body.data).toHaveLength(1);
    expect((await read<{ data: unknown[] }>(`/orders?q=${order.order_id}`)).body.data).toHaveLength(1);
    const before = await support.browser.call<OrderDetail>('GET', `${at}/orders/${order.order_id}`);
    expect(before.body.actions).toEqual(['cancel']);
    const path = `${at}/orders/${order.order_id}/cancel`;
    const canceled = await support.browser.call<OrderDetail>('POST', path);
    expect(canceled.body).toMatchObject({ order: { status: 'canceled' }, actions: [] });
    expect((await support.browser.call('POST', path)).status).toBe(200);
    expect(canceled.body.timeline.filter(({ kind }) => kind === 'person')).toMatchObject([
      { action: 'order.canceled' },
    ]);
  });

  it('show every attempt to pay them', async () => {
    const order = await shop.createOrder({ player_id: 'gina' });
    await shop.pay(order.checkout_url, CARDS.decline);
    await shop.pay(order.checkout_url);
    const { body } = await read<OrderDetail>(`/orders/${order.order_id}`);
    expect(body.payments.map(({ status }) => status)).toEqual(['succeeded', 'declined']);
    expect(body.deliveries).toMatchObject([
      { event_type: 'item.add', status: 'succeeded', attempts: [{ status: 200 }] },
    ]);
    expect((await read<{ data: unknown[] }>('/orders?q=player@example.com')).body.data.length).toBeGreaterThan(0);
  });
});

describe('players', () => {
  it('are listed by id, found by its beginning or by who paid, and shown with what they bought', async () => {
    await paidOrder('hank_1');
    await paidOrder('hank_2');
    const { body } = await read<{ data: { player_id: string }[]; next_cursor: string | null }>(
      '/players?q=hank_&limit=1',
    );
    expect(body.data.map(({ player_id: id }) => id)).toEqual(['hank_1']);
    const next = await read<{ data: { player_id: string }[] }>(`/players?q=hank_&limit=1&cursor=${body.next_cursor}`);
    expect(next.body.data.map(({ player_id: id }) => id)).toEqual(['hank_2']);
    const paid = await read<{ data: { player_id: string }[] }>('/players?q=PLAYER@example.com&limit=100');
    expect(paid.body.data.map(({ player_id: id }) => id)).toEqual(expect.arrayContaining(['hank_1', 'hank_2']));
    const page = await read('/players/hank_1');
    expect(page.body).toMatchObject({
      player: { player_id: 'hank_1' },
      spent: [{ currency: 'USD', amount: 100, payments: 1 }],
      declined: 0,
      payments: [{ status: 'succeeded' }],
      orders: [{ status: 'paid' }],
    });
  });
});

describe('items', () => {
  it('are created once, edited whole, found and deleted, each with an entry', async () => {
    const { browser } = await signedInMember(shop, 'developer');
    const sale = { discount_percent: 20 };
    const item = { sku: 'sword/1', name: 'Sword', price_decimal: 4.99, currency: 'EUR', sale };
    expect((await browser.call('POST', `${at}/items`, item)).body).toMatchObject({
      sku: 'sword/1',
      price_decimal: 4.99,
      sale,
    });
    expect(await browser.call('POST', `${at}/items`, item)).toMatchObject({
      status: 409,
      body: { code: 'item_exists' },
    });
    const path = `${at}/items/${encodeURIComponent('sword/1')}`;
    const changed = await browser.call('PUT', path, { name: 'Blade', image_url: 'https://example.com/a.png' });
    expect(changed.body).toMatchObject({ name: 'Blade', price_decimal: null, sale: null });
    expect((await read<{ data: unknown[] }>('/items?q=LAD')).body.data).toHaveLength(1);
    expect((await read<{ data: unknown[] }>('/items?q=%25')).body.data).toEqual([]);
    expect((await browser.call('GET', path)).status).toBe(200);
    expect((await browser.call('DELETE', path)).status).toBe(204);
    expect((await browser.call('DELETE', path)).status).toBe(404);
    expect((await browser.call('PUT', path, { name: 'Ghost' })).status).toBe(404);
    const bad = await browser.call('POST', `${at}/items`, { sku: 'x', price_decimal: 1.999, currency: 'USD' });
    expect(bad.status).toBe(422);
    const owner = await signedInMember(shop, 'owner');
    const log = await owner.browser.call<Audit>('GET', `/companies/${shop.account.companyId}/audit`);
    const kinds = log.body.data.filter(({ object_id: id }) => id === 'sword/1').map(({ kind }) => kind);
    expect(kinds).toEqual(['item.deleted', 'item.changed', 'item.created']);
  });
});
