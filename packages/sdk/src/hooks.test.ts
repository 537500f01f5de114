import { describe, expect, it } from 'vitest';
import {
  answerOf,
  CoinslotError,
  createCoinslot,
  type HookFailure,
  type HookRequest,
  type HookResponse,
} from './index.ts';

const KEY = 'sk_sandbox_key_that_must_not_leak';
const ORDER = { player_id: 'p', items: [{ sku: 's' }] };

/** A service that gives these answers in turn. */
function clientFor(answers: (() => Response)[], hooks = {}) {
  const sent: Headers[] = [];
  const fetch = (async (_url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers));
    return (answers[sent.length - 1] ?? answers.at(-1)!)();
  }) as typeof globalThis.fetch;
  return { sent, coinslot: createCoinslot({ key: KEY, baseUrl: 'http://localhost', fetch, hooks }) };
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers: { 'x-request-id': 'req_1', ...headers } });

it('warnings and the request id of a success can be read', async () => {
  const { coinslot } = clientFor([answer(201, { order_id: 'ord_1', warnings: ['/sku'] }), answer(200, { data: [] })]);
  const order = await coinslot.orders.create(ORDER);
  expect(order.warnings).toEqual(['/sku']);
  expect(answerOf(order)).toMatchObject({ status: 201, requestId: 'req_1', warnings: ['/sku'] });
  const page = await coinslot.orders.list().page();
  expect(answerOf(page)).toMatchObject({ status: 200, requestId: 'req_1', warnings: [] });
  expect(() => answerOf({ ...order })).toThrow(CoinslotError);
});

describe('hooks', () => {
  it('see every attempt, its failure and when it is tried again, and neither key nor body', async () => {
    const seen: [string, HookRequest | HookResponse | HookFailure][] = [];
    const note = (name: string) => (fact: HookRequest) => void seen.push([name, fact]);
    const hooks = { onRequest: note('request'), onResponse: note('response'), onFailure: note('failure') };
    const broken = answer(500, { code: 'internal', title: 'No', request_id: 'req_0' }, { 'retry-after': '0' });
    const { coinslot } = clientFor([broken, answer(201, { order_id: 'ord_1', warnings: ['/x'] })], hooks);
    await coinslot.orders.create(ORDER);
    const call = { method: 'POST', path: '/s2s/v1/orders' };
    expect(seen).toMatchObject([
      ['request', { ...call, attempt: 1 }],
      [
        'failure',
        { ...call, attempt: 1, error: { code: 'internal', requestId: 'req_0' }, againInMs: expect.any(Number) },
      ],
      ['request', { ...call, attempt: 2 }],
      [
        'response',
        { ...call, attempt: 2, status: 201, requestId: 'req_1', warnings: ['/x'], tookMs: expect.any(Number) },
      ],
    ]);
    expect(JSON.stringify(seen)).not.toContain(KEY);
    expect(JSON.stringify(seen)).not.toContain('player_id');
  });

  it('learn that a failure is final', async () => {
    const failures: HookFailure[] = [];
    const hooks = { onFailure: (failure: HookFailure) => void failures.push(failure) };
    const { coinslot } = clientFor([answer(404, { code: 'order_not_found', title: 'No' })], hooks);
    await expect(coinslot.orders.get('ord_1')).rejects.toMatchObject({ code: 'order_not_found' });
    expect(failures).toMatchObject([{ againInMs: null, error: { status: 404 } }]);
  });

  it('add headers such as traceparent, but never replace the key', async () => {
    const hooks = { headers: () => ({ traceparent: '00-1-2-01', authorization: 'Bearer other' }) };
    const { sent, coinslot } = clientFor([answer(200, { order_id: 'ord_1' })], hooks);
    await coinslot.orders.get('ord_1');
    expect([sent[0]!.get('traceparent'), sent[0]!.get('authorization')]).toEqual(['00-1-2-01', `Bearer ${KEY}`]);
  });

  it('that throw do not fail the call', async () => {
    const hooks = {
      onResponse() {
        throw new Error('the log is full');
      },
    };
    const { coinslot } = clientFor([answer(200, { order_id: 'ord_1' })], hooks);
    expect(await coinslot.orders.get('ord_1')).toEqual({ order_id: 'ord_1' });
  });
});
