import { explaining, type Plan } from '@coinslot/testing/explain';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { insertPostings } from './ledger.sql.ts';
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

const rollUp = async (db: Db = shop.database.db): Promise<void> => {
  while (await rollUpLedger({ db }));
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
  it('has captured money in the balance, less the fee', async () => {
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
    expect(await accounts(order)).toEqual({ player: -499, disputed: 499, balance: -1_515, fees: 1_515 });
    shop.stripe.closeDispute(first, 'won');
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ player: -499, balance: -1_016, fees: 1_515 });
    const second = shop.stripe.dispute(intent);
    shop.stripe.closeDispute(second, 'lost');
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ balance: -3_015, fees: 3_015 });
  });

  it('is right when a dispute is won and another lost before it is rolled up (row 140)', async () => {
    const order = await paid();
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    for (const outcome of ['won', 'lost'] as const) {
      const dispute = shop.stripe.dispute(intent);
      await shop.hear(order);
      shop.stripe.closeDispute(dispute, outcome);
      await shop.hear(order);
    }
    expect(await accounts(order)).toEqual({ balance: -3_015, fees: 3_015 });
    const sums = (await sumLedger(shop.database.db, shop.environmentId, [await shop.lastPayment(order)])).values();
    expect([...sums]).toMatchObject([{ capturedMinor: 499, disputedMinor: 499, feeMinor: 3_015 }]);
  });

  it('books a dispute about a part with its own amount and its fee (row 138)', async () => {
    const order = await paid();
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    const dispute = shop.stripe.dispute(intent, 'needs_response', { amount: 100 });
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ player: -499, disputed: 100, balance: -1_116, fees: 1_515 });
    shop.stripe.closeDispute(dispute, 'lost');
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ player: -399, balance: -1_116, fees: 1_515 });
  });

  it('has money that left twice, by a refund and by a lost dispute (row 136)', async () => {
    const order = await paid();
    await refund(order);
    const dispute = shop.stripe.dispute(shop.stripe.intentOf(await shop.lastPayment(order)));
    await shop.hear(order);
    shop.stripe.closeDispute(dispute, 'lost');
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ player: 499, balance: -2_014, fees: 1_515 });
  });

  it('has a prevented dispute once, as the refund that it is, also after the refund was posted (row 139)', async () => {
    const order = await paid();
    await refund(order);
    const posted = await accounts(order);
    shop.stripe.dispute(shop.stripe.intentOf(await shop.lastPayment(order)), 'prevented');
    await shop.hear(order);
    expect(await accounts(order)).toEqual(posted);
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

  it('has what a bank did not take back of an order that was never paid, and its second return (row 156)', async () => {
    shop.game.answerAlways({ status: 503 });
    const order = await shop.order({ currency: 'EUR' });
    await shop.payWith(order, { kind: 'redirect', method: 'ideal' });
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    shop.stripe.authenticate(intent, true);
    await shop.hear(order);
    const made = shop.stripe.refundThere(intent);
    await shop.hear(order);
    shop.stripe.failRefund(made);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'rejected', attention: { code: 'refund_failed' } });
    expect(await accounts(order)).toEqual({ player: -499, balance: 484, fees: 15 });
    shop.stripe.refundThere(intent);
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ balance: -15, fees: 15 });
  });

  it.each([
    ['while the bank disputes the payment', true],
    ['and is disputed afterwards', false],
  ])('has money that the bank did not take back once, where the refund fails %s (row 194)', async (_, isSlow) => {
    shop.stripe.settings.slowRefunds = isSlow;
    const order = await paid();
    await refund(order);
    shop.stripe.settings.slowRefunds = false;
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    const made = [...shop.stripe.store.refunds.values()].find(({ payment_intent: of }) => of === intent.id)!;
    const disputed = async () => {
      const dispute = shop.stripe.dispute(intent);
      await shop.hear(order);
      return dispute;
    };
    const failed = async () => {
      shop.stripe.failRefund(made);
      await shop.hear(order);
    };
    if (!isSlow) await failed();
    const dispute = await disputed();
    if (isSlow) await failed();
    shop.stripe.closeDispute(dispute, 'won');
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid', attention: { code: 'refund_failed' } });
    expect(await accounts(order)).toEqual({ player: -499, balance: -1_016, fees: 1_515 });
  });

  it('has a part that went back to the payer before the bank had to ask (row 196)', async () => {
    const order = await paid();
    shop.stripe.dispute(shop.stripe.intentOf(await shop.lastPayment(order)), 'prevented', { amount: 100 });
    await shop.hear(order);
    expect(await accounts(order)).toEqual({ player: -399, balance: 384, fees: 15 });
  });

  it('posts what happened once, however many workers roll up and however often', async () => {
    const order = await paid();
    // The game failed for the orders before: what is new goes to it by a worker.
    await shop.later(0);
    await Promise.all(Array.from({ length: 6 }, () => rollUp()));
    const before = await accounts(order);
    await shop.later(700);
    await rollUp();
    expect(await accounts(order)).toEqual(before);
  });

  it('is right after a transaction that stayed open for an hour while others committed', async () => {
    await rollUp();
    const order = await paid();
    const id = await shop.lastPayment(order);
    const late = new pg.Client({ connectionString: shop.database.url });
    await late.connect();
    await late.query('begin');
    await late.query(
      `insert into events (environment_id, id, type, data, fan_out, created_at)
       select environment_id, 'evt_late', 'payment.refunded', data, false, app_now() from events
       where type = 'payment.succeeded' and data ->> 'payment_id' = $1`,
      [id],
    );
    const next = await paid();
    await shop.later(3_600);
    expect(await accounts(next)).not.toHaveProperty('player');
    await late.query('commit');
    await late.end();
    await Promise.all([rollUp(), rollUp(), rollUp()]);
    expect(await accounts(next)).toEqual({ player: -499, balance: 484, fees: 15 });
    expect(await accounts(order)).toEqual({ balance: -15, fees: 15 });
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

it('is rolled up at the same cost, however much was rolled up before', async () => {
  const { db } = shop.database;
  const grow = (count: number) =>
    db.query(sql('test_ledger_grow')`
      insert into events (environment_id, id, type, data, fan_out, created_at)
      select ${shop.environmentId}, 'evt_' || gen_random_uuid(), case n % 2 when 0 then 'order.created' else 'payment.authorized' end,
             json_build_object('payment_id', 'pay_' || gen_random_uuid(), 'amount', 5, 'currency', 'USD'), false, app_now()
      from generate_series(1, ${count}::int) n`);
  const measure = async (): Promise<Map<string, Plan>> => {
    await db.query(sql('test_ledger_analyze')`analyze events, ledger_entries`);
    await grow(2);
    const { db: explained, plans } = explaining(db);
    await rollUp(explained);
    return plans;
  };
  await grow(500);
  await rollUp();
  const small = await measure();
  await grow(20_000);
  await rollUp();
  const large = await measure();
  expect([...large.keys()]).toEqual(
    expect.arrayContaining(['ledger_list_events', 'ledger_list_posted', 'ledger_insert']),
  );
  for (const [name, { pages, text }] of large) {
    if (name.startsWith('ledger')) expect(text).not.toContain('Seq Scan');
    expect([name, pages, pages <= small.get(name)!.pages + 20]).toEqual([name, pages, true]);
  }
});
