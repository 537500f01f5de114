import type { AttentionItem } from '@coinslot/contract';
import { signedInMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { badLine } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { refusal } from '@coinslot/testing/unreliable-gateway';
import { afterAll, beforeAll, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;
const line = badLine();

beforeAll(async () => {
  shop = await startProgram({ workers: false, replace: line.replace });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

it('the list says what happened, what happens next and what can be done, and a member does it', async () => {
  const support = (await signedInMember(shop, 'support')).browser;
  const viewer = (await signedInMember(shop, 'viewer')).browser;
  const path = `/games/${shop.account.gameId}/sandbox/attention`;
  const list = async (browser = support) => {
    const { body } = await browser.call<{ data: AttentionItem[]; count: number }>('GET', path);
    expect(body.count).toBe(body.data.length);
    return body.data;
  };
  expect(await list()).toEqual([]);
  line.gateway().misbehave('capture', { kind: 'refuse', refusal: refusal({ code: 'expired_reservation' }) });
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  const [item] = await list();
  expect(item).toMatchObject({
    order_id: order.order_id,
    order_status: 'authorized',
    attention: { code: 'capture_refused', detail: expect.stringContaining('expired_reservation') },
    actions: ['ask_again', 'refund', 'void'],
  });
  expect((await list(viewer))[0]!.actions).toEqual([]);
  const base = `/games/${shop.account.gameId}/sandbox`;
  for (const name of ['orders', 'transactions']) {
    const ids = async (query: string) =>
      (await viewer.call<{ data: { order_id: string }[] }>('GET', `${base}/${name}?${query}`)).body.data.map(
        ({ order_id }) => order_id,
      );
    expect(await ids('attention=true')).toEqual([order.order_id]);
    expect(await ids('attention=true&status=refunded')).toEqual([]);
    expect(await ids(`attention=true&player_id=player_1`)).toEqual([order.order_id]);
    expect(await ids(`attention=true&q=${order.order_id}`)).toEqual([order.order_id]);
  }
  for (const [at, browser, actions] of [
    [`orders/${order.order_id}`, support, item!.actions],
    [`transactions/${item!.payment_id}`, support, item!.actions],
    [`transactions/${item!.payment_id}`, viewer, []],
  ] as const) {
    expect((await browser.call('GET', `${base}/${at}`)).body).toMatchObject({
      needs_attention: [{ payment_id: item!.payment_id, actions }],
      timeline: expect.arrayContaining([
        expect.objectContaining({ kind: 'payment.attention', code: null, detail: item!.attention!.detail }),
      ]),
    });
  }
  const german = { headers: { 'accept-language': 'de' } };
  const page = await support.call<{ data: AttentionItem[] }>('GET', path, undefined, german);
  const detail = page.body.data[0]!.attention!.detail;
  expect(detail).toMatch(/^Der Anbieter hat den Einzug abgelehnt: .*expired_reservation/);
  const inGerman = await support.call('GET', `${base}/transactions/${item!.payment_id}`, undefined, german);
  expect(inGerman.body).toMatchObject({
    payment: { problem: detail, attention: { detail } },
    needs_attention: [{ attention: { detail } }],
    timeline: expect.arrayContaining([expect.objectContaining({ kind: 'payment.attention', detail })]),
  });
  const one = `${path}/${item!.payment_id}`;
  expect((await viewer.call('POST', one, { action: 'ask_again' })).status).toBe(403);
  expect(await support.call('POST', one, { action: 'accept' })).toMatchObject({
    status: 409,
    body: { code: 'payment_not_in_review' },
  });
  expect(await support.call('POST', one, { action: 'ask_again' })).toMatchObject({
    status: 200,
    body: { status: 'succeeded', order_status: 'paid', attention: null, actions: [] },
  });
  expect(await list()).toEqual([]);
});

it('a game that has not answered is asked again by the same button', async () => {
  const support = (await signedInMember(shop, 'support')).browser;
  const path = `/games/${shop.account.gameId}/sandbox/attention`;
  game.answerAlways({ status: 500 });
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  for (const step of [2, 5, 10, 27]) await shop.later(step + 3);
  const [item] = (await support.call<{ data: AttentionItem[] }>('GET', path)).body.data;
  expect(item).toMatchObject({ order_id: order.order_id, actions: ['ask_again', 'refund'] });
  const asked = game.requests.length;
  game.answerAlways(null);
  const ask = () => support.call('POST', `${path}/${item!.payment_id}`, { action: 'ask_again' });
  expect((await ask()).status).toBe(200);
  await shop.later(1);
  expect(game.requests).toHaveLength(asked + 1);
  expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid', attention: null });
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'payment_not_in_review' } });
});

interface Inbox {
  data: AttentionItem[];
  count: number;
  snoozed: number;
}

it('a member takes it, snoozes it with a note, and it comes back on its day or when something else happens', async () => {
  const first = await signedInMember(shop, 'support');
  const second = await signedInMember(shop, 'support');
  const viewer = await signedInMember(shop, 'viewer');
  const base = `/games/${shop.account.gameId}/sandbox`;
  const list = async (view = 'open', { browser } = first): Promise<Inbox> =>
    (await browser.call<Inbox>('GET', `${base}/attention?view=${view}`)).body;
  const homeCount = async () =>
    (await first.browser.call<{ needs_attention: number }>('GET', `${base}/home`)).body.needs_attention;
  line.gateway().misbehave('capture', { kind: 'refuse', refusal: refusal({ code: 'low_balance' }) });
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  const before = await list();
  const id = before.data[0]!.payment_id;
  expect(before.data[0]).toMatchObject({ order_id: order.order_id, mark: null });
  const mark = (body: object, { browser } = first) => browser.call('PATCH', `${base}/attention/${id}/mark`, body);
  const seconds = async () => {
    const [row] = await shop.database.db.query<{ now: number }>({
      name: '',
      text: 'select extract(epoch from app_now())::int as now',
      values: [],
    });
    return row!.now;
  };

  expect(await mark({ assignee_id: second.userId }, viewer)).toMatchObject({ status: 403 });
  expect(await mark({ assignee_id: viewer.userId })).toMatchObject({ status: 404, body: { code: 'member_not_found' } });
  expect(await mark({ assignee_id: 'usr_none' })).toMatchObject({ status: 404, body: { code: 'member_not_found' } });
  expect(await mark({ assignee_id: second.userId })).toMatchObject({
    status: 200,
    body: { assignee: { user_id: second.userId, email: second.email }, is_snoozed: false },
  });
  expect((await list('mine')).data).toEqual([]);
  expect((await list('mine', second)).data.map(({ payment_id }) => payment_id)).toEqual([id]);
  expect((await second.browser.call('GET', `${base}/orders/${order.order_id}`)).body).toMatchObject({
    needs_attention: [{ mark: { assignee: { user_id: second.userId } } }],
  });

  const now = await seconds();
  const day = 86_400;
  for (const [body, pointer, code] of [
    [{ snoozed_until: now + day }, '/note', 'required'],
    [{ snoozed_until: now - 5, note: 'x' }, '/snoozed_until', 'time_past'],
    [{ snoozed_until: now + 91 * day, note: 'x' }, '/snoozed_until', 'time_too_late'],
  ] as const) {
    expect(await mark(body)).toMatchObject({ body: { code: 'validation_failed', errors: [{ pointer, code }] } });
  }
  expect(await mark({ snoozed_until: now + 3_000, note: 'The bank answers at noon.' })).toMatchObject({
    status: 200,
    body: { is_snoozed: true, note: 'The bank answers at noon.', snoozed_by: first.email },
  });
  const snoozed = await list();
  expect(snoozed).toMatchObject({ count: before.count - 1, snoozed: 1 });
  expect(snoozed.data.some(({ payment_id }) => payment_id === id)).toBe(false);
  expect(await homeCount()).toBe(before.count - 1);
  expect((await list('snoozed')).data).toMatchObject([
    { payment_id: id, mark: { assignee: { user_id: second.userId }, snoozed_until: now + 3_000 } },
  ]);
  expect(await mark({ snoozed_until: null })).toMatchObject({ body: { is_snoozed: false, note: null } });
  expect((await list()).count).toBe(before.count);

  await mark({ snoozed_until: now + 3_000, note: 'The bank answers at noon.' });
  await shop.later(3_001);
  expect((await list()).data[0]).toMatchObject({
    payment_id: id,
    mark: { is_snoozed: false, note: 'The bank answers at noon.' },
  });
  expect(await homeCount()).toBe(before.count);

  await mark({ snoozed_until: (await seconds()) + day, note: 'Later.' });
  const entries = await shop.database.db.query<{ kind: string; after: object | null }>({
    name: '',
    text: 'select kind, after from audit_entries where object_id = $1 order by seq',
    values: [id],
  });
  expect(entries.map(({ kind }) => kind)).toEqual([
    'attention.assigned',
    'attention.snoozed',
    'attention.unsnoozed',
    'attention.snoozed',
    'attention.snoozed',
  ]);
  expect(entries[0]!.after).toEqual({ assignee: second.email });
  await shop.database.db.query({
    name: '',
    text: `update payments set attention = jsonb_set(attention::jsonb, '{code}', '"fraud_warning"')::json, version = version + 1 where id = $1`,
    values: [id],
  });
  expect((await list()).data[0]).toMatchObject({ payment_id: id, mark: null });
  expect((await list()).snoozed).toBe(0);
});

it('another company’s payment cannot be marked, nor one that needs nothing', async () => {
  const support = (await signedInMember(shop, 'support')).browser;
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  const [row] = await shop.database.db.query<{ id: string }>({
    name: '',
    text: 'select id from payments where order_id = $1',
    values: [order.order_id],
  });
  for (const subject of [row!.id, 'pay_none', 'dif_none', 'stripe']) {
    const path = `/games/${shop.account.gameId}/sandbox/attention/${subject}/mark`;
    expect(await support.call('PATCH', path, { assignee_id: null })).toMatchObject({
      status: 404,
      body: { code: 'attention_not_found' },
    });
  }
});
