import type { Payment } from '@coinslot/contract';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileCommand } from '../../commands/reconcile.ts';
import { sql } from '../../db/sql.ts';
import type { LedgerLine } from '../ledger/ledger.sql.ts';
import { actOnAttention } from '../purchase/member-actions/act-on-attention.ts';
import type { BookedEntry } from './balance.sql.ts';
import { booksDiffer } from './books.ts';

const AT = new Date('2026-01-01T12:00:00Z');

const line = (kind: LedgerLine['kind'], amountMinor: number): LedgerLine => ({
  paymentId: 'pay_1',
  postingId: kind,
  kind,
  account: 'balance',
  amountMinor,
  currency: 'USD',
  occurredAt: AT,
});

const entry = (kind: BookedEntry['kind'], grossMinor: number, feeMinor = 0): BookedEntry => ({
  paymentId: 'pay_1',
  kind,
  grossMinor,
  feeMinor,
  currency: 'USD',
  originalMinor: null,
  originalCurrency: null,
  occurredAt: AT,
});

const PAID = {
  keptSince: null,
  lines: [line('captured', 499), line('fee', -15)],
  entries: [entry('payment', 499, 15)],
};

describe('the books of a payment', () => {
  it('agree by what moved and by what it cost, to the cent', () => {
    expect(booksDiffer({ status: 'succeeded', ...PAID })).toBeNull();
    const cent = { ...PAID, entries: [entry('payment', 499, 16)] };
    expect(booksDiffer({ status: 'succeeded', ...cent })).toEqual({
      ours: 'moved 4.99 USD, fees 0.15 USD',
      theirs: 'moved 4.99 USD, fees 0.16 USD',
    });
  });

  it('differ where a refund and then a dispute took the money twice and our ledger has one of them (row 145)', () => {
    const lines = [...PAID.lines, line('refunded', -499)];
    const entries = [...PAID.entries, entry('refund', -499), entry('dispute', -499, 1_500)];
    expect(booksDiffer({ ...PAID, status: 'refunded', lines, entries })).toEqual({
      ours: 'fees 0.15 USD',
      theirs: 'moved -4.99 USD, fees 15.15 USD',
    });
  });

  it('differ where a dispute about a part is booked whole, without its fee (row 145)', () => {
    const lines = [...PAID.lines, line('disputed', -499)];
    const entries = [...PAID.entries, entry('dispute', -100, 1_500)];
    expect(booksDiffer({ ...PAID, status: 'disputed', lines, entries })).toMatchObject({
      theirs: 'moved 3.99 USD, fees 15.15 USD',
    });
  });

  it('are not compared while the game is asked, nor before the provider’s books were kept', () => {
    expect(booksDiffer({ ...PAID, status: 'authorized', lines: [] })).toBeNull();
    expect(booksDiffer({ ...PAID, status: 'succeeded', entries: [] })).toBeNull();
  });
});

it('a capture that the provider never booked differs from the day on which its books are kept (row 145)', () => {
  const books = { ...PAID, status: 'succeeded', entries: [], keptSince: AT } as const;
  expect(booksDiffer(books)).toMatchObject({ theirs: 'nothing moved' });
  expect(booksDiffer({ ...books, keptSince: new Date(AT.getTime() + 1) })).toBeNull();
});

describe('every night', () => {
  let shop: StripeShop;

  beforeAll(async () => {
    shop = await startStripeShop();
  });

  afterAll(() => shop?.close());

  async function compared(): Promise<{ kind: string; paymentId: string; ours: string; theirs: string }[]> {
    const day = new Date(shop.stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);
    const write = (): void => {};
    await reconcileCommand.run(['--day', day], { ...shop.program.purchasing, write, writeError: write });
    return shop.database.db.query(sql('test_books_differences')`
      select kind, payment_id as "paymentId", ours, theirs from reconciliation_differences where state = 'open'`);
  }

  it('disputes, their fees and refunds of a day are in agreement, and a fee that is missing here is named (row 145)', async () => {
    const order = await shop.order();
    await shop.payBy(order);
    await shop.call('POST', `/s2s/v1/orders/${order}/refund`, {}, { key: shop.account.live.s2sKey });
    await shop.program.parts.background.settle();
    const id = await shop.lastPayment(order);
    const dispute = shop.stripe.dispute(shop.stripe.intentOf(id), 'needs_response', { amount: 100 });
    shop.stripe.closeDispute(dispute, 'lost');
    await shop.hear(order);
    expect(await compared()).toEqual([]);
    const booked = [...shop.stripe.store.booked.values()].find(({ source }) => source === dispute.id)!;
    // The dispute itself does not tell of what was booked later.
    shop.stripe.store.booked.set(booked.id, { ...booked, fee: booked.fee + 1 });
    expect(await compared()).toEqual([
      {
        kind: 'books_differ',
        paymentId: id,
        ours: 'moved -1.00 USD, fees 15.15 USD',
        theirs: 'moved -1.00 USD, fees 15.16 USD',
      },
    ]);
  });

  const booksOf = async (id: string) =>
    (await compared()).filter(({ kind, paymentId }) => kind === 'books_differ' && paymentId === id);

  const act = (paymentId: string, action: 'accept') => {
    const { companyId } = shop.account;
    const actor = { userId: 'usr_test', email: 'ada@example.com', ip: '127.0.0.1' };
    const input = { companyId, environmentId: shop.environmentId, paymentId, action, reason: null };
    return actOnAttention(shop.program.purchasing, actor, input);
  };

  async function bought(): Promise<{ order: string; id: string }> {
    const order = await shop.order();
    await shop.payBy(order);
    return { order, id: await shop.lastPayment(order) };
  }

  const keyed = { key: '' };
  const read = async (path: string) => (await shop.call<Payment>('GET', `/s2s/v1/${path}`, undefined, keyed)).body;

  it('a part that is refunded at the provider shows on the payment, needs attention each time, and is in the books (row 158)', async () => {
    keyed.key = shop.account.live.s2sKey;
    const { order, id } = await bought();
    shop.stripe.refundThere(shop.stripe.intentOf(id), 100);
    await shop.hear(order);
    const shown = await read(`payments/${id}`);
    expect(shown).toMatchObject({ status: 'succeeded', refunded_amount: 100, attention: { code: 'amount_differs' } });
    expect(shown.attention!.detail).toContain('1.00 USD of 4.99 USD');
    expect(await booksOf(id)).toEqual([]);
    await act(id, 'accept');
    expect(await read(`payments/${id}`)).toMatchObject({ refunded_amount: 100, attention: null });
    shop.stripe.refundThere(shop.stripe.intentOf(id), 50);
    await shop.hear(order);
    expect(await read(`payments/${id}`)).toMatchObject({
      refunded_amount: 150,
      attention: { detail: expect.stringContaining('1.50 USD of 4.99 USD') },
    });
    expect(await booksOf(id)).toEqual([]);
    // The rest goes back by our own refund, and the ledger has every cent once.
    await shop.call('POST', `/s2s/v1/orders/${order}/refund`, {}, keyed);
    await shop.program.parts.background.settle();
    expect(await read(`payments/${id}`)).toMatchObject({ status: 'refunded', refunded_amount: 499, attention: null });
    expect(await booksOf(id)).toEqual([]);
  });

  it('a part that was refunded at the provider and that the bank did not take is here again (row 195)', async () => {
    keyed.key = shop.account.live.s2sKey;
    const { order, id } = await bought();
    const made = shop.stripe.refundThere(shop.stripe.intentOf(id), 100);
    await shop.hear(order);
    await act(id, 'accept');
    shop.stripe.failRefund(made);
    await shop.hear(order);
    const shown = await read(`payments/${id}`);
    expect(shown).toMatchObject({ refunded_amount: null, attention: { code: 'amount_differs' } });
    expect(shown.attention!.detail).toContain('The bank did not take a part');
    expect(await booksOf(id)).toEqual([]);
  });

  it('a refund that the bank works on for days is no difference until it has ended (row 197)', async () => {
    shop.stripe.settings.slowRefunds = true;
    const { order, id } = await bought();
    await shop.call('POST', `/s2s/v1/orders/${order}/refund`, {}, { key: shop.account.live.s2sKey });
    await shop.program.parts.background.settle();
    shop.stripe.settings.slowRefunds = false;
    expect(await shop.read(order)).toMatchObject({ status: 'refund_requested' });
    expect(await booksOf(id)).toEqual([]);
    const made = [...shop.stripe.store.refunds.values()].at(-1)!;
    shop.stripe.completeRefund(made);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await booksOf(id)).toEqual([]);
  });

  it('a ledger that has the money of a dispute once too little, or whole for a part, is named by the comparison itself (row 158)', async () => {
    const twice = await bought();
    const part = await bought();
    const lost = async ({ order, id }: typeof part, amount: number) => {
      const dispute = shop.stripe.dispute(shop.stripe.intentOf(id), 'needs_response', { amount });
      shop.stripe.closeDispute(dispute, 'lost');
      await shop.hear(order);
    };
    await shop.call('POST', `/s2s/v1/orders/${twice.order}/refund`, {}, { key: shop.account.live.s2sKey });
    await shop.program.parts.background.settle();
    await lost(twice, 499);
    await lost(part, 100);
    // As a program without records of disputes would have left its books.
    await shop.database.db.execute(sql('test_rows_of_old')`
      update disputes set is_posted = true where payment_id = any(${[twice.id, part.id]}::text[])`);
    await shop.database.db.execute(sql('test_whole_for_part')`
      insert into ledger_entries (environment_id, posting_id, account, payment_id, kind, amount_minor, currency, occurred_at, created_at)
      select environment_id, 'test_whole', account, id, 'disputed', amount, 'USD', updated_at, updated_at
      from payments, lateral (values ('balance', -499), ('disputed', 499)) as t (account, amount) where id = ${part.id}`);
    // A difference of another kind does not hide it.
    await shop.database.db.execute(sql('test_other_difference')`
      insert into reconciliation_differences (company_id, id, account_id, day, kind, subject, state, created_at)
      select 'cmp_x', 'dif_x', account_id, current_date, 'partial_refund', payment_id, 'resolved', created_at
      from provider_charges where payment_id = ${part.id}`);
    expect(await booksOf(twice.id)).toMatchObject([
      { ours: 'fees 0.15 USD', theirs: 'moved -4.99 USD, fees 15.15 USD' },
    ]);
    expect(await booksOf(part.id)).toMatchObject([{ ours: 'fees 0.15 USD', theirs: 'moved 3.99 USD, fees 15.15 USD' }]);
  });
});
