import type { BulkPreview, BulkRun, ListColumns, SavedView } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import type { Game } from '@coinslot/testing/game-receiver';
import { badLine } from '@coinslot/testing/order-rows';
import type { TestProgram } from '@coinslot/testing/program';
import { startOnBadLine } from '@coinslot/testing/shop-on-bad-line';
import { refusal } from '@coinslot/testing/unreliable-gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';

let shop: TestProgram;
let game: Game;
let support: TestBrowser;
let viewer: TestBrowser;
let base: string;
const line = badLine();

beforeAll(async () => {
  ({ shop, game } = await startOnBadLine(line));
  support = (await signedInMember(shop, 'support')).browser;
  viewer = (await signedInMember(shop, 'viewer')).browser;
  base = `/games/${shop.account.gameId}/sandbox`;
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const paidBy = async (player: string, more: object = {}): Promise<string> => {
  const order = await shop.createOrder({ player_id: player, ...more });
  await shop.pay(order.checkout_url);
  return order.order_id;
};
const preview = async (query: string) => (await support.call<BulkPreview>('GET', `${base}/bulk/preview?${query}`)).body;
const start = (action: string, orderIds: string[], browser = support) =>
  browser.call<BulkRun>('POST', `${base}/bulk`, { action, order_ids: orderIds, reason: 'The event was canceled.' });
const runs = async () => (await viewer.call<{ data: BulkRun[] }>('GET', `${base}/bulk`)).body.data;
const statusOf = async (id: string) => (await shop.readOrder(id)).status;

describe('a bulk action', () => {
  it('shows how many, how much and which not, does exactly that, and lists what it did', async () => {
    const dollars = { price_decimal: 4.99, currency: 'USD' };
    const good = [
      await paidBy('bulk_1', dollars),
      await paidBy('bulk_1', dollars),
      await paidBy('bulk_1', { price_decimal: 1990, currency: 'HUF' }),
    ];
    const unpaid = (await shop.createOrder({ player_id: 'bulk_1' })).order_id;
    const seen = await preview('action=refund&player_id=bulk_1');
    expect(seen).toMatchObject({
      amounts: [
        { currency: 'USD', count: 2, amount: 998 },
        { currency: 'HUF', count: 1, amount: 199_000 },
      ],
      refused_count: 1,
      refused: [{ order_id: unpaid, code: 'not_paid' }],
      is_capped: false,
    });
    expect(seen.order_ids.toSorted()).toEqual(good.toSorted());
    expect((await start('refund', seen.order_ids, viewer)).status).toBe(403);
    const begun = await start('refund', [...seen.order_ids, unpaid]);
    expect(begun).toMatchObject({ status: 201, body: { status: 'running', total: 4, done: 0 } });
    expect(await start('refund', good)).toMatchObject({ status: 409, body: { code: 'bulk_under_way' } });
    await shop.program.workers.drain();
    expect((await runs())[0]).toMatchObject({
      status: 'done',
      total: 4,
      done: 3,
      refused_count: 1,
      refused: [{ order_id: unpaid, code: 'not_paid' }],
      finished_at: expect.any(Number),
    });
    for (const id of good) expect(await statusOf(id)).toBe('refunded');
  });

  it('counts what is refunded and not what was asked for, and ends with the list of the others (row 151)', async () => {
    const [refused, slow, good] = [await paidBy('bulk_5'), await paidBy('bulk_5'), await paidBy('bulk_5')];
    line.gateway().misbehave('refund', { kind: 'refuse', refusal: refusal({ reason: 'The balance is too low.' }) });
    line.gateway().misbehave('refund', { kind: 'time_out_before' });
    await start('refund', [refused, slow, good]);
    await shop.program.workers.drain();
    const counts = { status: 'done', total: 3, done: 1, waiting_count: 1, refused_count: 1 };
    const detail = expect.stringContaining('The balance is too low.');
    expect((await runs())[0]).toMatchObject({
      ...counts,
      refused: [{ order_id: refused, code: 'refund_refused', detail }],
    });
    // The provider is asked again, and the run says what became of it.
    await shop.later(600);
    expect((await runs())[0]).toMatchObject({ ...counts, done: 2, waiting_count: 0 });
    expect(await statusOf(slow)).toBe('refunded');
  });

  it('asks the game again for what waits, and releases what it never answers', async () => {
    game.answerAlways({ status: 500 });
    const stuck = [await paidBy('bulk_2'), await paidBy('bulk_2')];
    const fine = await preview('action=retry&player_id=bulk_2');
    expect(fine.order_ids.toSorted()).toEqual(stuck.toSorted());
    expect((await preview('action=refund&player_id=bulk_2')).refused.map(({ code }) => code)).toEqual([
      'waits_for_game',
      'waits_for_game',
    ]);
    const before = game.requests.length;
    await start('retry', stuck);
    await shop.program.workers.drain();
    expect(game.requests.length).toBeGreaterThanOrEqual(before + 2);
    await start('release', stuck);
    await shop.program.workers.drain();
    game.answerAlways(null);
    await shop.later(60);
    for (const id of stuck) expect(['refunded', 'rejected']).toContain(await statusOf(id));
    expect((await preview('action=retry&player_id=bulk_2')).order_ids).toEqual([]);
  });

  it('that was killed between an order and its note goes on, and does nothing twice', async () => {
    const orders = [await paidBy('bulk_3'), await paidBy('bulk_3'), await paidBy('bulk_3')];
    await start('refund', orders);
    // As if a process had refunded the first and died before it could say so.
    await shop.call('POST', `/s2s/v1/orders/${orders[0]}/refund`, { reason: 'by the process that died' });
    await shop.program.parts.background.settle();
    await shop.program.workers.drain();
    expect((await runs())[0]).toMatchObject({ status: 'done', total: 3, done: 3, refused_count: 0 });
    const [{ count }] = (await shop.database.db.query<{ count: number }>(sql('test_refund_entries')`
      select count(*)::int as count from simulator.entries where kind = 'refunded' and payment_id in
        (select id from payments where order_id = any(${orders}::text[]))`)) as [{ count: number }];
    expect(count).toBe(3);
  });

  it('that is over and that five others have followed is asked to stop by a tab left open (row 283)', async () => {
    const ids: string[] = [];
    for (let run = 0; run < 6; run++) {
      ids.push((await start('retry', ['ord_00000000000000000000000000'])).body.id);
      await shop.program.workers.drain();
    }
    const stopped = await support.call<BulkRun>('POST', `${base}/bulk/${ids[0]}/stop`);
    expect(stopped).toMatchObject({ status: 200, body: { id: ids[0], status: 'done', refused_count: 1 } });
  });

  it('is stopped between two orders, and what was done stays done', async () => {
    const orders = [await paidBy('bulk_4'), await paidBy('bulk_4')];
    const { body } = await start('refund', orders);
    const path = `${base}/bulk/${body.id}/stop`;
    expect((await viewer.call('POST', path)).status).toBe(403);
    expect((await support.call<BulkRun>('POST', path)).body.status).toBe('stopping');
    await shop.program.workers.drain();
    expect((await runs())[0]).toMatchObject({ id: body.id, status: 'stopped', done: 0 });
    for (const id of orders) expect(await statusOf(id)).toBe('paid');
    const missing = await support.call('POST', `${base}/bulk/blk_00000000000000000000000000/stop`);
    expect(missing).toMatchObject({ status: 404, body: { code: 'bulk_not_found' } });
  });
});

it('the order export has order, items, e-mail and refund, for the same filters as the list', async () => {
  const order = await shop.createOrder({ player_id: 'csv_1', items: [{ sku: 'potion', quantity: 3 }] });
  await shop.pay(order.checkout_url, undefined, { email: 'ada@player.test' });
  await shop.call('POST', `/s2s/v1/orders/${order.order_id}/refund`, { reason: 'asked twice' });
  await shop.program.parts.background.settle();
  await paidBy('csv_2');
  const answer = await viewer.fetch('GET', `${base}/orders/export?player_id=csv_1`);
  expect(answer.headers.get('content-disposition')).toMatch(/orders-sandbox-\d{4}-\d\d-\d\d\.csv/);
  const [head, first, end] = (await answer.text()).split('\r\n');
  const cells = Object.fromEntries(
    head!
      .replace('\u{feff}', '')
      .split(',')
      .map((name, i) => [name, first!.split(',')[i]]),
  );
  expect(cells).toMatchObject({
    order_id: order.order_id,
    status: 'refunded',
    amount: '3.00',
    currency: 'USD',
    items: '3 × potion',
    email: 'ada@player.test',
    refund_reason: 'asked twice',
    refunded_amount: '3.00',
    refunded_at: expect.stringMatching(/^\d{4}-/),
  });
  expect(end).toBe('');
});

type Views = { data: SavedView[]; columns: ListColumns[] };

it('a saved view belongs to one member, is replaced by its name, and is removed', async () => {
  const save = (name: string, filters: string) =>
    support.call<Views>('POST', `${base}/views`, { list: 'orders', name, filters });
  await save('Stuck', 'status=authorized');
  const { body } = await save('Stuck', 'status=authorized&range=7d');
  expect(body.data).toMatchObject([{ name: 'Stuck', filters: 'status=authorized&range=7d', is_own: true }]);
  expect((await viewer.call<Views>('GET', `${base}/views`)).body.data).toEqual([]);
  for (let i = 0; i < 19; i++) await save(`view ${i}`, 'status=paid');
  expect(await save('one more', 'status=paid')).toMatchObject({ status: 409, body: { code: 'too_many_views' } });
  const gone = await support.call<Views>('DELETE', `${base}/views/${body.data[0]!.id}`);
  expect(gone.body.data.map(({ name }) => name)).not.toContain('Stuck');
});

it('a view is shared by who keeps it, and each member pins it for themselves', async () => {
  const seen = async (as: typeof viewer) =>
    (await as.call<Views>('GET', `${base}/views`)).body.data.filter(({ list }) => list === 'transactions');
  const view = { list: 'transactions', name: 'Declined', filters: 'status=declined', columns: 'amount,status' };
  const saved = await viewer.call<Views>('POST', `${base}/views`, { ...view, is_pinned: true });
  const [mine] = saved.body.data;
  expect(mine).toMatchObject({ ...view, is_pinned: true, is_shared: false, is_own: true });
  const path = `${base}/views/${mine!.id}`;
  for (const [method, body] of [['PATCH', { is_pinned: true }], ['DELETE']] as const) {
    expect(await support.call(method, path, body)).toMatchObject({ status: 404, body: { code: 'view_not_found' } });
  }
  await viewer.call('PATCH', path, { is_shared: true });
  expect(await seen(support)).toMatchObject([{ ...view, is_pinned: false, is_own: false, kept_by: mine!.kept_by }]);
  await support.call('PATCH', path, { is_pinned: true });
  expect(await seen(support)).toMatchObject([{ is_pinned: true }]);
  await viewer.call('PATCH', path, { is_pinned: false });
  expect(await seen(support)).toMatchObject([{ is_pinned: true }]);
  // Only who keeps it takes it back or deletes it; an owner may delete what a member who left has shared.
  expect((await support.call('PATCH', path, { is_shared: false })).status).toBe(404);
  expect((await support.call('DELETE', path)).status).toBe(404);
  await viewer.call('PATCH', path, { is_shared: false });
  expect(await seen(support)).toEqual([]);
  await viewer.call('PATCH', path, { is_shared: true });
  expect(await seen(support)).toMatchObject([{ is_pinned: false }]);
  const { browser: member } = await signedInMember(shop, 'owner');
  expect((await member.call('DELETE', path)).status).toBe(200);
  expect(await seen(viewer)).toEqual([]);
});

it('columns are kept with the member, for a list in every game and for a view that is open', async () => {
  const choose = (as: typeof viewer, columns: string, view_id?: string) =>
    as.call<Views>('PUT', `${base}/columns`, { list: 'players', columns, view_id });
  expect((await choose(viewer, 'player,orders')).body.columns).toEqual([{ list: 'players', columns: 'player,orders' }]);
  await choose(viewer, 'player');
  const live = base.replace('/sandbox', '/live');
  expect((await viewer.call<Views>('GET', `${live}/views`)).body.columns).toEqual([
    { list: 'players', columns: 'player' },
  ]);
  expect((await support.call<Views>('GET', `${base}/views`)).body.columns).toEqual([]);

  const view = { list: 'players', name: 'Spenders', filters: 'sort=spent', columns: 'spent' };
  const { body } = await viewer.call<Views>('POST', `${base}/views`, { ...view, is_shared: true });
  const { id } = body.data.find(({ name }) => name === 'Spenders')!;
  const seen = async (as: typeof viewer) =>
    (await as.call<Views>('GET', `${base}/views`)).body.data.find(one => one.id === id)?.columns;
  await choose(support, 'spent,orders', id);
  expect(await seen(support)).toBe('spent,orders');
  expect(await seen(viewer)).toBe('spent');
  // What is saved again shows what it is saved with.
  await choose(viewer, 'player', id);
  await viewer.call('POST', `${base}/views`, { ...view, is_shared: true });
  expect(await seen(viewer)).toBe('spent');
  expect(await choose(support, 'spent', 'viw_01kb2m3n4p5q6r7s8t9v0w1234')).toMatchObject({ status: 404 });
  expect(await choose(support, 'no spaces')).toMatchObject({ status: 422 });
  await viewer.call('DELETE', `${base}/views/${id}`);
  expect(await choose(support, 'spent', id)).toMatchObject({ status: 404, body: { code: 'view_not_found' } });
});

it('a bulk action takes the orders that were chosen, and no others', async () => {
  const [one, two] = [await paidBy('bulk_chosen'), await paidBy('bulk_chosen')];
  await paidBy('bulk_chosen');
  const chosen = (ids: readonly string[]) =>
    support.call<BulkPreview>('GET', `${base}/bulk/preview?action=refund&order_ids=${ids.join(',')}`);
  expect((await chosen([one, two, one])).body.order_ids).toEqual([one, two]);
  expect((await chosen(['ord_1'])).status).toBe(422);
  const many = Array.from({ length: 201 }, (_, at) => `ord_01kb2m3n4p5q6r7s8t9v0w1${String(at).padStart(3, '0')}`);
  expect((await chosen(many.slice(1))).body).toMatchObject({ order_ids: [], refused_count: 200 });
  expect((await chosen(many)).status).toBe(422);
});
