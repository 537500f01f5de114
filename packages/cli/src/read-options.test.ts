import { describe, expect, it } from 'vitest';
import { UsageError } from './exit-codes.ts';
import { checkId, listOf, oneOf, readOverrides, readPairs, timeOf, wholeNumber } from './read-options.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const since = timeOf('--since', () => NOW_MS);

describe('overrides', () => {
  it('are text after =, JSON after :=, and go into objects by dots', () => {
    expect(
      readOverrides(['player_id=42', 'amount:=499', 'metadata.level=7', 'metadata.guild=a=b', 'paid_at:=null']),
    ).toEqual({
      player_id: '42',
      amount: 499,
      metadata: { level: '7', guild: 'a=b' },
      paid_at: null,
    });
  });

  it.each(['player_id', '=x', 'a..b=1', '__proto__.x=1', 'a.__proto__=1', 'a b=1'])(
    'refuse %j and say how it is right',
    text => {
      expect(() => readOverrides([text])).toThrow(UsageError);
    },
  );

  it('refuse JSON that is none', () => {
    expect(() => readOverrides(['amount:=4,99'])).toThrow(/not JSON/);
  });
});

describe('a time', () => {
  it.each([
    ['90s', NOW_MS / 1000 - 90],
    ['15m', NOW_MS / 1000 - 900],
    ['2h', NOW_MS / 1000 - 7_200],
    ['7d', NOW_MS / 1000 - 604_800],
    ['1767225600', 1_767_225_600],
    ['2026-01-31T12:00:00Z', NOW_MS / 1000],
  ])('%s is read', (text, seconds) => expect(since(text)).toBe(seconds));

  it.each(['', 'yesterday', '7', '7w', '1767225600000', '2026-13-45'])('%j is refused', text => {
    expect(() => since(text)).toThrow(/such as 15m/);
  });
});

describe('a word', () => {
  it('of a closed list is found, and a near one is proposed', () => {
    expect(oneOf('--card', ['success', 'decline'])('decline')).toBe('decline');
    expect(() => oneOf('--card', ['success', 'decline'])('declined')).toThrow(/one of success, decline/);
    try {
      oneOf('--card', ['success', 'decline'])('declined');
    } catch (error) {
      expect((error as UsageError).hint).toBe('Did you mean decline?');
    }
  });

  it('can be one of several', () => {
    expect(listOf('--events', ['a', 'b'])('a, b')).toEqual(['a', 'b']);
    expect(() => listOf('--events', ['a', 'b'])('a,,b')).toThrow(UsageError);
  });
});

it.each(['', '0', '1.5', '-1', '1e3', 'ten', '101'])('%j is no whole number from 1 to 100', text => {
  expect(() => wholeNumber('--limit', 1, 100)(text)).toThrow(/from 1 to 100/);
});

it('an id of something else is told apart', () => {
  expect(checkId('ord_01abc', 'ord', 'an order')).toBe('ord_01abc');
  for (const text of [undefined, '', 'pay_01abc', 'ord_', 'ord_01/../x']) {
    expect(() => checkId(text, 'ord', 'an order')).toThrow(/starts with ord_/);
  }
});

it('pairs keep what follows the first equals sign', () => {
  expect(readPairs('--metadata', ['a=1', 'b=c=d', 'e='])).toEqual({ a: '1', b: 'c=d', e: '' });
  expect(() => readPairs('--metadata', ['=x'])).toThrow(/key=value/);
});
