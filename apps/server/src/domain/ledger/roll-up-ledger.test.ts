import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Statement, sql } from '../../db/sql.ts';
import { type StripeShop, startStripeShop } from '../../testing/stripe-shop.ts';
import { insertPostings, listEventsAfter } from './ledger.sql.ts';
import { MOVES } from './ledger.ts';
import { rollUpLedger } from './roll-up-ledger.ts';
import { sumLedger } from './sum-ledger.ts';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});

afterEach(async () => {
  const unbalanced = await shop.database.db.query(sql('test_ledger_sums')`
    select posting_id from ledger_entries group by environment_id, posting_id, currency having sum(amount_minor) <> 0`);
  expect(unbalanced).toEqual([]);
  shop.game.answerAlways({ status: 200 });
});

afterAll(() => shop?.close());

const rollUp = async () => {
  while (await rollUpLedger({ db: shop.database.db }));
};

/** What each account holds of a payment. */
async function accounts(order: string): Promise<Record<string, number>> {
  await rollUp();
  const id = await shop.lastPayment(order);
  const rows = await shop.database.db.query<{ account: string; sum: number }>(sql('test_ledger_accounts')`
    select account, sum(amount_minor)::int as sum from ledger_entries where payment_id = ${id}
    group by account having sum(amount_minor) <> 0 order by account`);
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]));
}

const refund = async (order: string) => {
  await shop.call('POST', `/s2s/v1/orders/${order}/refund`, {}, { key: shop.account.live.s2sKey });
  await shop.program.parts.background.settle();
};

const paid = async (): Promise<string> => {
  const order = await shop.order();
  await shop.payBy(order);
  return order;
};

describe('the ledger', () => {
  it('has collected money in the balance, less the fee', async () => {
    const order = await paid();
    expect(await accounts(order)).toEqual({ player: -499, balance: 484, fees: 15 });
    const id = await shop.lastPayment(order);
    const sums = await sumLedger(shop.database.db, shop.environmentId, [id, 'pay_none']);
    expect(sums.get(id)).toEqual({
      authorizedMinor: 499,
      capturedMinor: 499,
      refundedMinor: 0,
      disputedMinor: 0,
      feeMinor: 15,
      feeCurrency: 'USD',
    });
    expect(sums.get('pay_none')).toMatchObject({ capturedMinor: 0, feeCurrency: null });
  });

  it('gives a released reservation back', async () => {
    shop.game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    const order = await paid();
    await shop.later(60);
    expect(await accounts(order)).toEqual({});
  });

  it('gives a refund back; only the fee stays spent', async () => {
    const order = await paid();
    await refund(order);
    expect(await accounts(order)).toEqual({ balance: -15, fees: 15 });
  });

  it('keeps money in question apart until the bank has decided', async () => {
    const order = await paid();
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    const first = shop.stripe.dispute(intent);
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ player: -499, disputed: 499, balance: -15, fees: 15 });
    shop.stripe.closeDispute(first, 'won');
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ player: -499, balance: 484, fees: 15 });
    const second = shop.stripe.dispute(intent);
    shop.stripe.closeDispute(second, 'lost');
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ balance: -15, fees: 15 });
  });

  it('counts what was returned before the game had answered as never ours', async () => {
    shop.game.answerAlways({ status: 503 });
    const order = await shop.order({ currency: 'EUR' });
    await shop.payWith(order, { kind: 'redirect', method: 'ideal' });
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    shop.stripe.authenticate(intent, true);
    await shop.hear(order);
    shop.stripe.refundThere(intent);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await accounts(order)).toEqual({ balance: -15, fees: 15 });
  });

  it('posts what happened once, whoever rolls up and however often', async () => {
    const order = await paid();
    await Promise.all(Array.from({ length: 6 }, rollUp));
    const before = await accounts(order);
    await shop.later(700);
    await rollUp();
    expect(await accounts(order)).toEqual(before);
  });

  it('takes up what was committed after a higher number had been read', async () => {
    await rollUp();
    const late = await paid();
    // As if its number had been given out before, and its commit came after: the prompt reader is past it.
    await shop.database.db.query(sql('test_ledger_skip')`
      update ledger_readers set seq = (select max(seq) from events) where name = 'prompt'`);
    expect(await accounts(late)).not.toHaveProperty('player');
    await shop.later(700);
    expect(await accounts(late)).toEqual({ player: -499, balance: 484, fees: 15 });
  });

  it('knows nothing of sandbox, where no money moves', async () => {
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    await rollUp();
    const rows = await shop.database.db.query(sql('test_ledger_sandbox')`
      select 1 from ledger_entries where environment_id <> ${shop.environmentId}`);
    expect(rows).toEqual([]);
  });
});

describe('the database', () => {
  const half = { environmentId: 'env_1', postingId: 'p_1', paymentId: 'pay_1', kind: 'captured' } as const;

  it('refuses a posting that does not sum to zero', async () => {
    const insert = shop.database.db.query(sql('test_ledger_half')`
      insert into ledger_entries (environment_id, posting_id, account, payment_id, kind, amount_minor, currency, occurred_at, created_at)
      values ('env_1', 'half', 'balance', 'pay_1', 'captured', 5, 'USD', app_now(), app_now())`);
    await expect(insert).rejects.toThrow('does not sum to zero');
  });

  it('refuses to change or forget an entry', async () => {
    const posting = { ...half, ...MOVES.captured, amountMinor: 5, currency: 'USD', occurredAt: new Date(0) };
    await shop.database.db.transaction(tx => insertPostings(tx, [posting]));
    const change = shop.database.db.query(sql('test_ledger_change')`update ledger_entries set amount_minor = 6`);
    await expect(change).rejects.toThrow('never changed');
    const forget = shop.database.db.query(sql('test_ledger_forget')`delete from ledger_entries`);
    await expect(forget).rejects.toThrow('never changed');
  });
});

it('is rolled up without reading what was rolled up before, however much that is', async () => {
  const { db } = shop.database;
  await db.query(sql('test_many_events')`
    insert into events (environment_id, id, type, data, fan_out, created_at)
    select 'env_old', 'evt_' || n, 'order.created', '{}', false, app_now() from generate_series(1, 5000) n`);
  await db.query(sql('test_analyze')`analyze events`);
  const plan = await db.transaction(async tx => {
    // The planner may as well read all of a table this small; what counts is whether it could do without.
    await tx.query(sql('test_no_sort')`set local enable_sort = off`);
    const explained = {
      ...tx,
      query: <Row>({ text, values }: Statement) =>
        tx.query<Row>({ name: '', text: `explain (analyze, costs off, timing off, summary off) ${text}`, values }),
    };
    return (await listEventsAfter(explained, 0, 10, 0)) as unknown as { 'QUERY PLAN': string }[];
  });
  const text = plan.map(row => row['QUERY PLAN']).join('\n');
  expect(text).toContain('Index Scan using events_by_seq');
  expect(text).not.toContain('Rows Removed');
  expect(text).not.toContain('Sort');
});
