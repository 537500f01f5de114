import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileCommand } from '../../commands/reconcile.ts';
import { sql } from '../../db/sql.ts';
import type { LedgerLine } from '../ledger/ledger.sql.ts';
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

const PAID = { lines: [line('captured', 499), line('fee', -15)], entries: [entry('payment', 499, 15)] };

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
    expect(booksDiffer({ status: 'refunded', lines, entries })).toEqual({
      ours: 'fees 0.15 USD',
      theirs: 'moved -4.99 USD, fees 15.15 USD',
    });
  });

  it('differ where a dispute about a part is booked whole, without its fee (row 145)', () => {
    const lines = [...PAID.lines, line('disputed', -499)];
    const entries = [...PAID.entries, entry('dispute', -100, 1_500)];
    expect(booksDiffer({ status: 'disputed', lines, entries })).toMatchObject({
      theirs: 'moved 3.99 USD, fees 15.15 USD',
    });
  });

  it('are not compared while the game is asked, nor before the provider’s books were kept', () => {
    expect(booksDiffer({ status: 'authorized', lines: [], entries: PAID.entries })).toBeNull();
    expect(booksDiffer({ status: 'succeeded', lines: PAID.lines, entries: [] })).toBeNull();
  });
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
});
