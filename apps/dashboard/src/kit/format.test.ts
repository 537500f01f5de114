import { describe, expect, test } from 'vitest';
import {
  formatAgo,
  formatCompact,
  formatCountry,
  formatDay,
  formatDuration,
  formatExactTime,
  formatHour,
  formatPercent,
  formatTime,
  initialOf,
  itemsText,
  memberName,
  prettyText,
  zoneName,
} from './format.ts';

describe('a share', () => {
  test.each([
    [0.0123, '1.23%'],
    [0.9876, '98.8%'],
    [0, '0%'],
    [1, '100%'],
    [0.1, '10%'],
  ])('%d is %s', (share, text) => {
    expect(formatPercent('en', share)).toBe(text);
  });
});

describe('a number on an axis', () => {
  test('is short', () => {
    expect(formatCompact('en', 950)).toBe('950');
    expect(formatCompact('en', 12_345)).toBe('12.3K');
  });
});

describe('a duration', () => {
  test.each([
    [0.4, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [1_250, '1.3 s'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration('en', ms)).toBe(text);
  });

  test('has the separators of the language', () => {
    expect(formatDuration('de', 12_340)).toBe('12,3 s');
  });
});

describe('a time', () => {
  const now = new Date(2026, 5, 1, 12, 5, 9).getTime() / 1_000;

  test('names the year only when it is another one', () => {
    expect(formatTime('en', now, now)).not.toContain('2026');
    expect(formatTime('en', now - 400 * 86_400, now)).toContain('2025');
  });

  test('names its zone, except below a heading that does', () => {
    const zone = zoneName('en', new Date(now * 1_000));
    expect(zone).not.toBe('');
    expect(formatTime('en', now, now)).toContain(zone);
    expect(formatExactTime('en', now)).toContain(zone);
    expect(formatTime('en', now, now, false)).not.toContain(zone);
  });

  test('has hours as the reader’s language writes them', () => {
    const morning = new Date(2026, 5, 1, 9, 5).getTime() / 1_000;
    expect(formatTime('en-US', morning, morning, false)).toMatch(/ 9:05\sAM$/);
    expect(formatTime('de', morning, morning, false)).toMatch(/ 09:05$/);
  });

  test('shows seconds where the sequence matters', () => {
    expect(formatExactTime('de', now)).toContain(':09');
    expect(formatTime('de', now, now)).not.toContain(':09');
  });

  test('on an axis is a day, or an hour without AM and PM', () => {
    expect(formatDay('en', now)).toBe('Jun 1');
    expect(formatHour('en', new Date(2026, 5, 1, 23).getTime() / 1_000)).toBe('23:00');
    expect(formatHour('en', new Date(2026, 5, 1).getTime() / 1_000)).toBe('00:00');
  });

  test.each([
    [1_000, 1_010, 'now'],
    [1_000, 1_050, '50 sec. ago'],
    [1_000, 1_000 + 7_200, '2 hr. ago'],
    [1_180, 1_000, 'in 3 min.'],
    [0, 40 * 86_400, 'last mo.'],
    [0, 800 * 86_400, '2 yr. ago'],
  ])('%d seen from %d is %s', (at, seen, text) => {
    expect(formatAgo('en', at, seen)).toBe(text);
  });
});

describe('a country', () => {
  test('has its name in the language, and an unknown code stands for itself', () => {
    expect(formatCountry('de', 'FR')).toBe('Frankreich');
    expect(formatCountry('en', 'not a country')).toBe('not a country');
  });
});

describe('an initial', () => {
  test.each([
    [' ñandú', 'Ñ'],
    ['👩‍🚀 Space', '👩‍🚀'],
    ['משחק', 'מ'],
    ['لعبة', 'ل'],
    ['', '?'],
    ['   ', '?'],
  ])('of %j is %s', (name, initial) => {
    expect(initialOf(name)).toBe(initial);
  });
});

describe('items in a line', () => {
  test('are counted from two, and named by SKU when they have no name', () => {
    const items = [
      { name: 'Sword', sku: 'sword', quantity: 1 },
      { name: null, sku: 'potion', quantity: 3 },
    ];
    expect(itemsText(items)).toBe('Sword, 3 × potion');
    expect(itemsText([])).toBe('');
  });
});

describe('a member', () => {
  test('without a name is known by the e-mail address', () => {
    expect(memberName({ name: 'Mira', email: 'mira@studio.example' })).toBe('Mira');
    expect(memberName({ name: '', email: 'mira@studio.example' })).toBe('mira@studio.example');
  });
});

describe('a body', () => {
  test('is indented when it is JSON, and left alone when it is not', () => {
    expect(prettyText('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyText('<h1>502</h1>')).toBe('<h1>502</h1>');
    expect(prettyText('')).toBe('');
  });
});
