import { describe, expect, test } from 'vitest';
import { placeOf } from '../ui/use-floating.ts';
import { amountRangeOf, amountSpanOf, amountText } from './amount-range.ts';
import { addressOf } from './api.ts';
import { formatAgo, formatDuration, formatMoney, formatPercent, formatTime, initialOf } from './format.ts';
import { isTouched, mergeHeld } from './live.ts';
import { dayText, spanOf } from './range.ts';

describe('an address', () => {
  test('has its names filled in and leaves out what is empty', () => {
    const params = { game_id: 'game_1', mode: 'live', sku: 'a/b c' };
    const query = { q: 'x&y', status: '', limit: 50, cursor: undefined };
    expect(addressOf('/games/{game_id}/{mode}/items/{sku}', { params, query })).toBe(
      '/games/game_1/live/items/a%2Fb%20c?q=x%26y&limit=50',
    );
  });
});

describe('money and time', () => {
  test('minor units are shown with as many decimals as the currency has', () => {
    expect(formatMoney('en', 499, 'USD')).toBe('$4.99');
    expect(formatMoney('en', 499, 'JPY')).toBe('¥499');
    expect(formatMoney('de', 1_234_567, 'EUR')).toMatch(/^12\.345,67\s€$/);
  });

  test('a word that is no currency is shown beside the number', () => {
    expect(formatMoney('en', 499, 'no currency')).toBe('4.99 no currency');
  });

  test('small shares keep their decimals', () => {
    expect(formatPercent('en', 0.0123)).toBe('1.23%');
    expect(formatPercent('en', 0.9876)).toBe('98.8%');
  });

  test('durations change their unit at a second', () => {
    expect(formatDuration('en', 999)).toBe('999 ms');
    expect(formatDuration('en', 1_250)).toBe('1.3 s');
  });

  test('the year is named only when it is another one', () => {
    const now = Date.UTC(2026, 5, 1, 12) / 1_000;
    expect(formatTime('en', now, now)).not.toContain('2026');
    expect(formatTime('en', now - 400 * 86_400, now)).toContain('2025');
  });

  test('a moment is now, and more is counted', () => {
    expect(formatAgo('en', 1_000, 1_010)).toBe('now');
    expect(formatAgo('en', 1_000, 1_000 + 7_200)).toBe('2 hr. ago');
    expect(formatAgo('en', 1_000 + 180, 1_000)).toBe('in 3 min.');
  });

  test('a name begins with what people see as its first letter', () => {
    expect(initialOf(' ñandú')).toBe('Ñ');
    expect(initialOf('👩‍🚀 Space')).toBe('👩‍🚀');
    expect(initialOf('')).toBe('?');
  });
});

describe('a time span', () => {
  const now = new Date(2026, 4, 20, 15, 30);
  const at = (year: number, month: number, day: number): number => new Date(year, month - 1, day).getTime() / 1_000;

  test('counts whole days, today among them', () => {
    expect(spanOf('today', now)).toEqual({ created_from: at(2026, 5, 20) });
    expect(spanOf('7d', now)).toEqual({ created_from: at(2026, 5, 14) });
  });

  test('of two days holds the last one whole', () => {
    expect(spanOf('2026-05-01..2026-05-02', now)).toEqual({
      created_from: at(2026, 5, 1),
      created_to: at(2026, 5, 3),
    });
  });

  test.each([undefined, 'all', 'nonsense', '2026-13-01..2026-02-31'])('%s is all time', text => {
    expect(spanOf(text, now)).toEqual({});
  });

  test('is written as it is read', () => {
    expect(dayText(now)).toBe('2026-05-20');
  });
});

describe('a range of amounts', () => {
  test.each([
    ['5..20', 'USD', { amount_from: 500, amount_to: 2_000 }],
    ['4.99', 'USD', { amount_from: 499, amount_to: 499 }],
    ['1000..', 'JPY', { amount_from: 1_000 }],
    ['..0,5', 'EUR', { amount_to: 50 }],
    ['lots..', 'EUR', {}],
    [undefined, 'EUR', {}],
  ])('%s in %s is what the server counts', (text, currency, span) => {
    expect(amountSpanOf(text, currency)).toEqual(span);
  });

  test('is said as people say it', () => {
    expect(amountText('en', '5..20', 'USD')).toBe('$5.00 – $20.00');
    expect(amountText('de', '5..', 'EUR')).toBe('≥ 5,00\u00a0€');
    expect(amountText('en', '..1000', 'JPY')).toBe('≤ ¥1,000');
  });

  test('is written as it is read, and not at all when nobody can read it', () => {
    expect(amountRangeOf('4,99', '')).toBe('4.99..');
    expect(amountRangeOf(' ', '20')).toBe('..20');
    expect(amountRangeOf('', '')).toBeUndefined();
    expect(amountRangeOf('five', '20')).toBeUndefined();
  });
});

describe('a list that grows', () => {
  const row = (id: string, status = 'pending') => ({ id, status });
  const idOf = ({ id }: { id: string }): string => id;

  test('keeps its rows in place, shows their news, and counts what waits', () => {
    const shown = [row('b'), row('a')];
    const fresh = [row('d'), row('c'), row('b', 'paid'), row('a')];
    expect(mergeHeld(shown, fresh, idOf)).toEqual({ rows: [row('b', 'paid'), row('a')], waiting: 2 });
  });

  test('has nothing waiting when nothing is new', () => {
    expect(mergeHeld([row('a')], [row('a')], idOf).waiting).toBe(0);
  });
});

describe('a change', () => {
  const route = (path: string): string => `GET /dashboard/api/games/{game_id}/{mode}${path}`;

  test('is read again where it is shown, and nowhere else', () => {
    expect(isTouched(route('/transactions'), ['payments'])).toBe(true);
    expect(isTouched(route('/players/{player_id}'), ['payments'])).toBe(true);
    expect(isTouched(route('/webhooks'), ['payments'])).toBe(false);
    expect(isTouched('GET /dashboard/api/me', ['orders', 'payments', 'deliveries', 'grants', 'home'])).toBe(false);
  });
});

describe('a panel beside its button', () => {
  const room = { width: 400, height: 600 };
  const panel = { left: 0, top: 0, width: 200, height: 300 };

  test('stands below it, aligned as wanted', () => {
    const trigger = { left: 20, top: 50, width: 80, height: 30 };
    expect(placeOf(trigger, panel, room, 'start')).toMatchObject({ left: 20, top: 84 });
    expect(placeOf({ ...trigger, left: 300 }, panel, room, 'end')).toMatchObject({ left: 180, top: 84 });
  });

  test('never leaves the window', () => {
    expect(placeOf({ left: 390, top: 50, width: 80, height: 30 }, panel, room, 'start').left).toBe(192);
    expect(placeOf({ left: 0, top: 50, width: 20, height: 30 }, panel, room, 'end').left).toBe(8);
  });

  test('goes above where there is more room', () => {
    expect(placeOf({ left: 20, top: 550, width: 80, height: 30 }, panel, room, 'start').top).toBe(246);
  });
});
