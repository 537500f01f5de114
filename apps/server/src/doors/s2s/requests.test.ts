import type { RequestRecord } from '@coinslot/contract';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LoggedRequest } from '../../domain/game/keys/request-log.sql.ts';
import { createRequestLog } from '../../domain/game/keys/request-log.ts';

let shop: TestProgram;
beforeAll(async () => {
  shop = await startProgram({ workers: false });
});
afterAll(() => shop?.close());

const written = () => shop.program.parts.requestLog.drain();

async function read(query = '', key = shop.account.sandbox.s2sKey): Promise<RequestRecord[]> {
  await written();
  const { body } = await shop.call<{ data: RequestRecord[] }>('GET', `/s2s/v1/requests${query}`, undefined, { key });
  return body.data;
}

it('a key sees what was asked with it and what was wrong, without bodies, secrets and players', async () => {
  const order = { player_id: 'ann', items: [{ sku: 'sword' }], price_decimal: 1, currency: 'EUR' };
  await shop.call('POST', '/s2s/v1/orders', order);
  const email = 'someone@example.com';
  await shop.call('POST', '/s2s/v1/orders', { player_id: 'ann', items: [{ sku: 7 }], email });
  await shop.call('GET', '/s2s/v1/orders/ord_none?wait=0&note=hidden');
  await shop.call('GET', '/s2s/v1/players/ann');
  const found = await read();
  expect(found.map(({ method, path, status, code }) => [method, path, status, code])).toEqual([
    ['GET', '/s2s/v1/players/{player_id}', 200, null],
    ['GET', '/s2s/v1/orders/ord_none', 404, 'order_not_found'],
    ['POST', '/s2s/v1/orders', 422, 'validation_failed'],
    ['POST', '/s2s/v1/orders', 201, null],
  ]);
  expect(found[2]?.message).toContain('/items/0/sku');
  for (const word of [email, 'hidden', 'ann', shop.account.sandbox.s2sKey])
    expect(JSON.stringify(found)).not.toContain(word);
  expect(found[0]).toMatchObject({ request_id: expect.stringMatching(/^req_/), duration_ms: expect.any(Number) });
  expect((await read('?outcome=error')).map(({ status }) => status)).toEqual([404, 422]);
});

it('another key sees none of it, and reading the list is not in the list', async () => {
  expect(await read('', shop.account.live.s2sKey)).toEqual([]);
  expect(await read('', shop.account.live.s2sKey)).toEqual([]);
});

it('of a flood a few successes and more errors are kept, the newest 1,000 of a key for a day', async () => {
  const { db } = shop.database;
  const { environmentId } = shop.account.sandbox;
  const log = createRequestLog({ db, onError: () => {} });
  const request = {
    environmentId,
    keyId: 'key_flood',
    method: 'GET',
    path: '/',
    code: null,
    detail: null,
    durationMs: 1,
  };
  const add = (given: LoggedRequest): void => log.add(given.keyId, given.status >= 400, () => given);
  const count = async () => {
    const rows = await db.query<{ status: number }>({
      name: '',
      text: 'select status from request_log where key_id = $1 order by id',
      values: ['key_flood'],
    });
    return rows.map(({ status }) => status);
  };
  for (let n = 0; n < 100; n++) {
    add({ ...request, id: `req_a${String(n).padStart(3, '0')}`, status: 200 });
    add({ ...request, id: `req_b${String(n).padStart(3, '0')}`, status: 500 });
  }
  await log.drain();
  expect(await count()).toEqual([...Array(5).fill(200), ...Array(20).fill(500)]);

  await db.query({
    name: '',
    text: `insert into request_log (environment_id, key_id, id, method, path, status, duration_ms, created_at)
           select $1, 'key_flood', 'req_c' || lpad(n::text, 4, '0'), 'GET', '/', 200, 1, app_now() from generate_series(1, 1500) n`,
    values: [environmentId],
  });
  add({ ...request, id: 'req_d', status: 200 });
  await log.stop();
  expect((await count()).length).toBe(1_000);
  await shop.later(86_500);
  expect(await count()).toEqual([]);
});
