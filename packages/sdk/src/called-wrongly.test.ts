import { describe, expect, it } from 'vitest';
import {
  type Coinslot,
  CoinslotError,
  createCoinslot,
  createWebhookHandler,
  decline,
  memoryStore,
  sqlStore,
  toNodeListener,
} from './index.ts';

/** Types keep TypeScript users from these mistakes; JavaScript users have only the message. */
type Loose = (...args: unknown[]) => unknown;

const neverSent = (() => {
  throw new Error('something was sent');
}) as unknown as typeof fetch;
const coinslot: Coinslot = createCoinslot({ key: 'k', baseUrl: 'http://localhost', fetch: neverSent });
const { orders, payments, items, players, webhooks, deliveries } = coinslot as unknown as Record<
  string,
  Record<string, Loose>
>;
const loose = (call: unknown): Loose => call as Loose;
const item = { sku: 's' };

async function message(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    expect(error).toBeInstanceOf(CoinslotError);
    expect(error).toMatchObject({ code: 'invalid_argument', status: 0 });
    return (error as Error).message;
  }
  return 'nothing was refused';
}

describe('createCoinslot', () => {
  const make = loose(createCoinslot);
  it.each<[unknown, string]>([
    [undefined, 'needs an object such as { key: process.env.S2S_KEY'],
    ['s2s_key', 'needs an object'],
    [{ baseUrl: 'http://x' }, 'key must be your S2S key; got undefined'],
    [{ key: '', baseUrl: 'http://x' }, 'key must be your S2S key; got an empty string'],
    [{ key: 'Bearer abc', baseUrl: 'http://x' }, 'must be the key alone, without "Bearer "'],
    [{ key: 'abc\n', baseUrl: 'http://x' }, 'contains a space or a line break'],
    [{ key: 'k' }, 'baseUrl must be an absolute URL such as https://pay.example.com'],
    [{ key: 'k', baseUrl: 'pay.example.com' }, 'baseUrl must be an absolute URL'],
    [{ key: 'k', baseUrl: 'ftp://x' }, 'baseUrl must be an absolute URL'],
    [{ key: 'k', baseUrl: 'https://pay.example.com/s2s/v1' }, 'must end before /s2s, such as https://pay.example.com'],
    [{ key: 'k', baseUrl: 'https://user:pw@x' }, 'must not contain a user name'],
    [{ key: 'k', baseUrl: 'http://x', timeoutMs: '5s' }, 'timeoutMs must be a whole number'],
    [{ key: 'k', baseUrl: 'http://x', retries: -1 }, 'retries must be a whole number from 0'],
    [{ key: 'k', baseUrl: 'http://x', timeout: 5 }, 'timeout is unknown; there is key, baseUrl'],
    [{ key: 'k', baseUrl: 'http://x', hooks: { onAnswer: () => {} } }, 'hooks.onAnswer is unknown; there is headers'],
    [{ key: 'k', baseUrl: 'http://x', hooks: { onRequest: 1 } }, 'hooks.onRequest must be a function'],
    [{ key: 'k', baseUrl: 'http://pay.example.com' }, 'baseUrl must be https: over plain http the key can be read'],
    [{ key: 'k', baseUrl: 'http://8.8.8.8:4242' }, 'baseUrl must be https'],
    [{ key: 'k', baseUrl: 'http://x', fetch: 'fetch' }, 'fetch must be a function'],
  ])('%j', async (options, words) => {
    expect(await message(() => make(options))).toContain(words);
  });

  it.each([
    'http://localhost:4242',
    'http://127.0.0.1',
    'http://[::1]:4242',
    'http://coinslot:4242',
    'http://10.1.2.3',
    'http://172.20.0.5',
    'http://pay.internal',
    'https://pay.example.com',
  ])('takes %s', baseUrl => {
    expect(() => make({ key: 'k', baseUrl })).not.toThrow();
  });

  it('takes plain http to a public host when it is told to', () => {
    expect(() => make({ key: 'k', baseUrl: 'http://pay.example.com', allowPlainHttp: true })).not.toThrow();
  });

  it('refuses a body that is no JSON before anything is sent', async () => {
    const body = { amount: 1n };
    const call = () => coinslot.request({ method: 'POST', path: '/s2s/v1/new', body, repeatable: true });
    expect(await message(call)).toContain('body cannot be written as JSON');
  });

  it('never repeats a key in its message', async () => {
    expect(await message(() => make({ key: 'Bearer SECRET', baseUrl: 'nowhere' }))).not.toContain('SECRET');
  });
});

describe('orders.create', () => {
  it.each<[unknown, string]>([
    [undefined, `needs an object such as { player_id: 'player_42', items: [{ sku: 'crystals_100' }] }`],
    [{ items: [item] }, 'player_id must be a string such as "player_42"; got undefined'],
    [{ player_id: 42, items: [item] }, 'player_id must be a string such as "player_42"; got 42'],
    [{ playerId: 'p', items: [item] }, 'playerId is written player_id'],
    [{ player_id: 'x'.repeat(256), items: [item] }, 'player_id can have at most 255 characters; this one has 256'],
    [{ player_id: 'p' }, 'items must be a list of 1 to 100 items'],
    [{ player_id: 'p', items: [] }, 'items must be a list of 1 to 100 items'],
    [{ player_id: 'p', items: ['sword'] }, `items.0 must be an object: { sku: 'sword' }`],
    [{ player_id: 'p', items: [{ name: 'Sword' }] }, 'items.0.sku must be a string'],
    [{ player_id: 'p', items: [{ ...item, quantity: 0 }] }, 'items.0.quantity must be a whole number from 1'],
    [{ player_id: 'p', items: [{ ...item, imageUrl: 'x' }] }, 'items.0.imageUrl is written image_url'],
    [{ player_id: 'p', items: [item], price_decimal: '4.99', currency: 'USD' }, 'such as 4.99: 4.99, not "4.99"'],
    [
      { player_id: 'p', items: [item], price_decimal: -1, currency: 'USD' },
      'price_decimal must be a number in major units',
    ],
    [{ player_id: 'p', items: [item], price_decimal: Number.NaN, currency: 'USD' }, 'price_decimal must be a number'],
    [{ player_id: 'p', items: [item], price_decimal: 1 }, 'currency is required with a price'],
    [{ player_id: 'p', items: [item], currency: 'usd' }, 'currency must be an ISO 4217 code in upper case'],
    [
      { player_id: 'p', items: [item], expires_at: Date.now() },
      'is in Unix seconds: Math.floor(date.getTime() / 1000)',
    ],
    [{ player_id: 'p', items: [item], expires_at: new Date() }, 'is in Unix seconds'],
  ])('%j', async (input, words) => {
    expect(await message(() => orders!.create!(input))).toContain(words);
  });

  it('says everything at once, as a sentence and as a list', async () => {
    const error: unknown = await (orders!.create!({ items: ['a'], price_decimal: 1 }) as Promise<unknown>).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({
      errors: [{ pointer: '/player_id' }, { pointer: '/items/0' }, { pointer: '/currency', code: 'currency_required' }],
    });
    expect((error as Error).message).toMatch(/^orders\.create: .*; .*; .*\. Nothing was sent\.$/);
  });

  it('refuses an idempotency key that no header can carry', async () => {
    const order = { player_id: 'p', items: [item] };
    for (const idempotencyKey of ['', 'é', 'a\nb', 'x'.repeat(256), 7])
      expect(await message(() => orders!.create!(order, { idempotencyKey }))).toContain('idempotencyKey');
  });
});

describe('other calls', () => {
  it.each<[string, () => unknown, string]>([
    [
      'the id of something else',
      () => orders!.get!('pay_1'),
      'orderId must be an order id, which starts with ord_; got "pay_1"',
    ],
    ['no id', () => orders!.cancel!(), 'which starts with ord_; got undefined'],
    ['an id that climbs', () => orders!.get!('ord_1/../../x'), 'which starts with ord_'],
    [
      'a partial refund',
      () => orders!.refund!('ord_1', { amount: 5 }),
      'amount is not supported: a refund is always for the full amount',
    ],
    [
      'a refund with a bare reason',
      () => orders!.refund!('ord_1', 'oops'),
      `needs an object such as { reason: 'Bought by mistake' }`,
    ],
    ['a status that is none', () => orders!.list!({ status: 'payed' }), 'status must be one of created, pending'],
    ['camel case in a filter', () => orders!.list!({ playerId: 'p' }), 'playerId is written player_id'],
    ['a page too long', () => orders!.list!({ limit: 500 }), 'limit must be a whole number from 1 to 100'],
    ['milliseconds', () => payments!.list!({ created_from: Date.now() }), 'created_from is in Unix seconds'],
    ['waiting for nothing', () => orders!.waitFor!('ord_1', []), `must be a status such as 'paid'`],
    ['waiting for what never comes', () => orders!.waitFor!('ord_1', 'payed'), 'status must be one of'],
    ['a payment', () => payments!.get!('ord_1'), 'must be a payment id, which starts with pay_'],
    ['an empty sku', () => items!.get!(''), 'sku must not be empty'],
    ['an item without price tag', () => items!.put!('s', { price_decimal: 3 }), 'currency is required with a price'],
    ['an item that is none', () => items!.put!('s'), 'needs an object such as'],
    ['a player', () => players!.get!(7), 'playerId must be a string'],
    [
      'a webhook',
      () => webhooks!.create!({ events: ['item.add'], url: 'game.example.com' }),
      'url must be an absolute URL',
    ],
    [
      'no events',
      () => webhooks!.create!({ url: 'https://x.example' }),
      `events must be a list such as ['item.add', 'item.remove']`,
    ],
    [
      'an event that is none',
      () => webhooks!.update!('whk_1', { events: ['item.added'] }),
      'events.0 must be one of item.add',
    ],
    ['a replay from nowhere', () => webhooks!.replay!('whk_1', {}), 'since must be a whole number'],
    ['a delivery', () => deliveries!.retry!('evt_1'), 'must be a delivery id, which starts with dlv_'],
    ['deliveries of no webhook', () => deliveries!.list!(), 'must be the id of a webhook subscription'],
    ['two ways at once', () => coinslot.sandbox.pay('ord_1', { card: 'success', challenge: 'fail' }), 'needs either'],
    ['an unknown event', () => loose(coinslot.sandbox.trigger)({ event_type: 'item.*' }), 'event_type must be one of'],
    [
      'another host',
      () => loose(coinslot.request)({ method: 'GET', path: 'https://evil.example' }),
      'path must start with one slash',
    ],
    [
      'another host, hidden',
      () => loose(coinslot.request)({ method: 'GET', path: '//evil.example' }),
      'path must start with one slash',
    ],
    ['a method', () => loose(coinslot.request)({ method: 'get', path: '/x' }), 'method must be one of GET'],
  ])('%s', async (_name, call, words) => {
    expect(await message(call)).toContain(words);
  });
});

describe('the webhook side', () => {
  const handler = loose(createWebhookHandler);
  const fine = { secret: 'a signing secret', onItemAdd: () => {}, onItemRemove: () => {}, store: memoryStore() };
  it.each<[string, () => unknown, string]>([
    ['nothing', () => handler(), 'needs { secret, onItemAdd, onItemRemove, store }'],
    ['no secret', () => handler({ ...fine, secret: undefined }), 'secret is missing'],
    ['an empty secret', () => handler({ ...fine, secret: '' }), 'secret is missing or empty'],
    ['a short secret', () => handler({ ...fine, secret: 'short' }), 'secret is too short'],
    ['one short secret of two', () => handler({ ...fine, secret: ['a signing secret', 'x'] }), 'secret is too short'],
    ['a secret of spaces', () => handler({ ...fine, secret: ' '.repeat(20) }), 'secret is too short'],
    ['no onItemAdd', () => handler({ ...fine, onItemAdd: undefined }), 'onItemAdd must be a function'],
    ['no onItemRemove', () => handler({ ...fine, onItemRemove: 1 }), 'onItemRemove must be a function'],
    ['no store', () => handler({ ...fine, store: undefined }), 'store must be memoryStore()'],
    [
      'a list of handlers',
      () => handler({ ...fine, on: { 'order.paid': true } }),
      'on must map event kinds to functions',
    ],
    ['an unknown event', () => handler({ ...fine, on: { 'order.payed': () => {} } }), 'the event "order.payed", which'],
    ['an unknown option', () => handler({ ...fine, tolerance: 5 }), 'tolerance is unknown; there is secret'],
    ['an unknown option of a store', () => loose(memoryStore)({ size: 5 }), 'size is unknown; there is limit'],
    ['and of the other', () => loose(sqlStore)({ query: () => {}, pool: 1 }), 'pool is unknown; there is query'],
    ['a silent no', () => loose(decline)(), 'give a reason'],
    ['no query', () => loose(sqlStore)({}), 'query must be a function'],
    [
      'a table with a trick',
      () => loose(sqlStore)({ query: () => {}, table: 'a; drop table b' }),
      'table must be a plain name',
    ],
    ['no handler', () => loose(toNodeListener)(() => {}), 'needs what createWebhookHandler returns'],
  ])('%s', async (_name, call, words) => {
    expect(await message(call)).toContain(words);
  });
});
