import type { Home } from '@coinslot/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { setLanguage } from '../../texts/texts.ts';
import {
  changeOf,
  doneAt,
  isBadRate,
  openSteps,
  periodMoney,
  shareText,
  signedPercent,
  successRate,
} from './home-figures.ts';

beforeAll(() => setLanguage('en'));

type Period = Pick<Home['range'], 'money' | 'sum'>;

const span = (...money: [paid: number, currency: string][]): Period =>
  ({ money: money.map(([paid, currency]) => ({ paid, net: paid - 1, currency })), sum: null }) as unknown as Period;

describe('the volume', () => {
  test('of several currencies is not added up unless the studio gave rates', () => {
    const found = periodMoney(span([499, 'USD'], [1_000, 'JPY']), span([200, 'JPY'], [100, 'USD']));
    expect(found).toMatchObject({ currency: 'USD', paid: 499, net: 498, paidBefore: 100, netBefore: 99, isSum: false });
    expect(found!.others).toMatchObject([{ currency: 'JPY', paid: 1_000 }]);
    const sum = { currency: 'EUR', paid: 900, net: 800, missing: ['KWD'] };
    const summed = periodMoney(
      { ...span([499, 'USD'], [1_000, 'JPY']), sum },
      { ...span(), sum: { ...sum, paid: 450 } },
    );
    expect(summed).toMatchObject({ currency: 'EUR', paid: 900, paidBefore: 450, others: [], missing: ['KWD'] });
  });

  test('of a quiet span is zero in the currency of the one before', () => {
    expect(periodMoney(span(), span([5_000, 'EUR']))).toMatchObject({
      paid: 0,
      net: 0,
      currency: 'EUR',
      paidBefore: 5_000,
    });
    expect(periodMoney(span(), span())).toBeNull();
  });
});

describe('a change', () => {
  test('has a sign, and is none where nothing was before', () => {
    expect(signedPercent(changeOf(112, 100)!)).toBe('+12%');
    expect(signedPercent(changeOf(50, 100)!)).toBe('−50%');
    expect(signedPercent(changeOf(7, 7)!)).toBe('0%');
    expect(changeOf(5, 0)).toBeNull();
  });
});

describe('a rate', () => {
  test('of nothing is no rate, and not a bad one', () => {
    expect(successRate({ attempts: 0, succeeded: 0 })).toBeNull();
    expect(shareText(null)).toBe('–');
    expect(isBadRate(null)).toBe(false);
  });

  test('is bad below 95 percent', () => {
    expect(isBadRate(successRate({ attempts: 100, succeeded: 94 }))).toBe(true);
    expect(isBadRate(successRate({ attempts: 100, succeeded: 95 }))).toBe(false);
    expect(shareText(0.945)).toBe('94.5%');
  });
});

describe('the first steps', () => {
  const none = {
    order_created_at: null,
    order_paid_at: null,
    webhook_added_at: null,
    item_granted_at: null,
    seller_complete_at: null,
  };
  const tried = { order_created_at: 1, order_paid_at: 2, webhook_added_at: 3, item_granted_at: 4 };

  test('are open until they happened, in their order', () => {
    expect(openSteps(none)).toEqual(['order', 'pay', 'webhook', 'grant', 'seller']);
    expect(openSteps({ ...none, webhook_added_at: 5 })).toEqual(['order', 'pay', 'grant', 'seller']);
    expect(openSteps({ ...none, ...tried })).toEqual(['seller']);
    expect(openSteps({ ...tried, seller_complete_at: 5 })).toEqual([]);
  });

  test('keep the time they were done', () => {
    expect(doneAt({ ...none, order_paid_at: 7 }, 'pay')).toBe(7);
    expect(doneAt({ ...none, seller_complete_at: 8 }, 'seller')).toBe(8);
    expect(doneAt(none, 'grant')).toBeNull();
  });
});
