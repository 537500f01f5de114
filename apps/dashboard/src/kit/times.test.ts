import { describe, expect, test } from 'vitest';
import {
  daysOfRange,
  dayText,
  fieldTime,
  isRangeWord,
  noonOf,
  periodDays,
  rangeOfDays,
  secondsOf,
  spanOf,
  utcDayText,
} from './times.ts';

const now = new Date(2026, 4, 20, 15, 30);
const at = (year: number, month: number, day: number): number => new Date(year, month - 1, day).getTime() / 1_000;

describe('a time span', () => {
  test('counts whole days, today among them', () => {
    expect(spanOf('today', now)).toEqual({ created_from: at(2026, 5, 20) });
    expect(spanOf('7d', now)).toEqual({ created_from: at(2026, 5, 14) });
    expect(spanOf('30d', now)).toEqual({ created_from: at(2026, 4, 21) });
  });

  test('of two days includes the last one', () => {
    expect(spanOf('2026-05-01..2026-05-02', now)).toEqual({ created_from: at(2026, 5, 1), created_to: at(2026, 5, 3) });
    expect(spanOf('2026-12-31..2026-12-31', now)).toEqual({
      created_from: at(2026, 12, 31),
      created_to: at(2027, 1, 1),
    });
  });

  test('may have one end', () => {
    expect(spanOf('2026-05-01..', now)).toEqual({ created_from: at(2026, 5, 1) });
    expect(spanOf('..2026-05-01', now)).toEqual({ created_to: at(2026, 5, 2) });
  });

  test.each([undefined, 'all', '', 'nonsense', '2026-13-01..2026-02-31', '999d'])('%s is all time', text => {
    expect(spanOf(text, now)).toEqual({});
  });
});

describe('two date fields', () => {
  test('come back from the address as they were written to it', () => {
    expect(rangeOfDays('2026-05-01', '2026-05-02', now)).toBe('2026-05-01..2026-05-02');
    expect(daysOfRange('2026-05-01..2026-05-02')).toEqual({ from: '2026-05-01', to: '2026-05-02' });
  });

  test('with an open end stop today, and without a day say nothing', () => {
    expect(rangeOfDays('2026-05-01', '', now)).toBe('2026-05-01..2026-05-20');
    expect(rangeOfDays('', '', now)).toBeUndefined();
  });

  test('are empty for a word', () => {
    expect(daysOfRange('7d')).toEqual({ from: '', to: '' });
    expect(daysOfRange(undefined)).toEqual({ from: '', to: '' });
    expect(isRangeWord('7d')).toBe(true);
    expect(isRangeWord('8d')).toBe(false);
    expect(isRangeWord(undefined)).toBe(false);
  });
});

describe('a day and a time field', () => {
  test('keep what they were given', () => {
    expect(dayText(new Date(2026, 0, 5))).toBe('2026-01-05');
    expect(utcDayText(new Date('2026-01-05T23:59:59+14:00'))).toBe('2026-01-05');
    expect(utcDayText(new Date('2026-01-05T01:00:00+14:00'))).toBe('2026-01-04');
    const seconds = at(2026, 1, 5) + 3_600;
    expect(secondsOf(fieldTime(seconds))).toBe(seconds);
  });

  test('without a value are empty', () => {
    expect(fieldTime(undefined)).toBe('');
    expect(secondsOf('')).toBeUndefined();
  });

  test('a day of the server is drawn at its noon', () => {
    expect(dayText(new Date(noonOf('2026-03-29') * 1_000))).toBe('2026-03-29');
    expect(new Date(noonOf('2026-03-29') * 1_000).getHours()).toBe(12);
  });
});

describe('a period of figures', () => {
  const monthEnd = new Date(2026, 2, 31, 15);

  test.each([
    ['today', '2026-03-31', '2026-03-31'],
    ['7d', '2026-03-25', '2026-03-31'],
    [undefined, '2026-03-02', '2026-03-31'],
    ['month', '2026-03-01', '2026-03-31'],
    ['last_month', '2026-02-01', '2026-02-28'],
    ['2025-12-30..2026-01-02', '2025-12-30', '2026-01-02'],
    ['2026-02-31..nonsense', '2026-03-02', '2026-03-31'],
  ])('%s has a first and a last day', (text, from, to) => {
    expect(periodDays(text, monthEnd)).toEqual({ from, to });
  });
});
