import type { Home } from '@coinslot/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { speak } from '../../texts/texts.ts';
import { doneAt, isBadRate, moneyText, openSteps, shareText, successRate, todayMoney } from './home-figures.ts';

beforeAll(() => speak('en'));

const span = (...money: [paid: number, currency: string][]): Home['today'] =>
  ({ money: money.map(([paid, currency]) => ({ paid, net: paid - 1, currency })) }) as Home['today'];

describe('the volume', () => {
  test('of several currencies is never added up', () => {
    expect(moneyText(span([499, 'USD'], [1_000, 'JPY']))).toBe('$4.99 + ¥1,000');
    expect(moneyText(span())).toBe('–');
    expect(moneyText(span([499, 'USD'], [1_000, 'JPY']), 'net')).toBe('$4.98 + ¥999');
  });

  test('of a quiet day is zero in the usual currency', () => {
    expect(todayMoney({ today: span(), last_30_days: span([5_000, 'EUR']) })).toEqual({
      main: { paid: 0, net: 0, currency: 'EUR' },
      others: [],
    });
    expect(todayMoney({ today: span(), last_30_days: span() }).main).toBeNull();
  });

  test('shows the first currency of today and lists the others', () => {
    const { main, others } = todayMoney({ today: span([1, 'USD'], [2, 'EUR']), last_30_days: span([9, 'GBP']) });
    expect(main).toMatchObject({ paid: 1, currency: 'USD' });
    expect(others).toHaveLength(1);
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
  const none = { order_created_at: null, order_paid_at: null, webhook_added_at: null, item_granted_at: null };

  test('are open until they happened, in their order', () => {
    expect(openSteps(none)).toEqual(['order', 'pay', 'webhook', 'grant']);
    expect(openSteps({ ...none, webhook_added_at: 5 })).toEqual(['order', 'pay', 'grant']);
    expect(openSteps({ order_created_at: 1, order_paid_at: 2, webhook_added_at: 3, item_granted_at: 4 })).toEqual([]);
  });

  test('keep the time they were done', () => {
    expect(doneAt({ ...none, order_paid_at: 7 }, 'pay')).toBe(7);
    expect(doneAt(none, 'grant')).toBeNull();
  });
});
