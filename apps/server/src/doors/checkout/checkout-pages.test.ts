import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';

let shop: TestProgram;

beforeAll(async () => {
  shop = await startProgram();
});
afterAll(() => shop?.close());

const answerBank = (checkoutUrl: string): Promise<Response> =>
  fetch(`${checkoutUrl}/challenge`, {
    method: 'POST',
    body: new URLSearchParams({ result: 'complete' }),
    redirect: 'manual',
  });

it('a player whose answer to the bank could not be written is told so, and may give it again', async () => {
  const { db } = shop.database;
  const { order_id, checkout_url } = await shop.createOrder();
  await shop.pay(checkout_url, CARDS.challenge);
  await db.query(sql('t_function')`create function no_space() returns trigger language plpgsql as
    'begin raise exception using errcode = ''53100'', message = ''could not extend file''; end'`);
  await db.query(sql('t_trigger')`create trigger full_disk before insert or update on simulator.charges
    for each row execute function no_space()`);
  const answer = await answerBank(checkout_url);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.text()).toContain('Nothing was lost.');
  await db.query(sql('t_mend')`drop trigger full_disk on simulator.charges`);
  expect((await answerBank(checkout_url)).status).toBe(303);
  await shop.until(order_id, 'authorized', 'paid');
});
