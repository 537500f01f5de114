import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURRENCIES, decimalText, percentOff, toDecimal, toMinor } from './money.ts';

describe('amounts on the wire', () => {
  it.each([
    [19.99, 'USD', 1999],
    [0, 'USD', 0],
    ['-0', 'USD', 0],
    [0.1, 'USD', 10],
    ['1.10', 'USD', 110],
    ['19.990', 'USD', 1999],
    ['1e2', 'JPY', 100],
    [100, 'JPY', 100],
    ['100.00', 'JPY', 100],
    [1.234, 'KWD', 1234],
    [1_000_000_000, 'USD', 100_000_000_000],
    ['1E+9', 'CLF', 10_000_000_000_000],
    ['0.1e1', 'USD', 100],
  ])('%s %s is %s minor units', (amount, currency, minor) => {
    expect(toMinor(amount, currency)).toBe(minor);
  });

  it.each([
    [-1, 'USD', 'negative'],
    ['-0.01', 'USD', 'negative'],
    [19.999, 'USD', 'too_many_decimals'],
    [1.5, 'JPY', 'too_many_decimals'],
    [1e-7, 'USD', 'too_many_decimals'],
    ['1e-400', 'USD', 'too_many_decimals'],
    [0.1 + 0.2, 'USD', 'too_many_decimals'],
    [1e308, 'USD', 'too_large'],
    [1_000_000_000.01, 'USD', 'too_large'],
    ['9007199254740993', 'USD', 'too_large'],
    [Number.NaN, 'USD', 'not_a_number'],
    [Number.POSITIVE_INFINITY, 'USD', 'not_a_number'],
    ['9,99', 'USD', 'not_a_number'],
    [1, 'XXX', 'unknown_currency'],
  ])('%s %s is refused as %s', (amount, currency, problem) => {
    expect(toMinor(amount, currency)).toBe(problem);
  });

  it('survive the way out and back for every currency', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CURRENCIES), fc.integer({ min: 0, max: 1_000_000_000 }), ([currency], minor) => {
        expect(toMinor(toDecimal(minor, currency), currency)).toBe(minor);
        expect(toMinor(decimalText(minor, currency), currency)).toBe(minor);
      }),
    );
  });

  it('have all decimals of their currency as text', () => {
    expect([decimalText(-5, 'USD'), decimalText(-298, 'USD')]).toEqual(['-0.05', '-2.98']);
    expect([decimalText(5, 'USD'), decimalText(1999, 'KWD'), decimalText(7, 'JPY')]).toEqual(['0.05', '1.999', '7']);
  });
});

describe('a discount', () => {
  it('rounds half up to whole minor units', () => {
    expect([percentOff(999, 1500), percentOff(1, 5000), percentOff(100, 10_000), percentOff(100, 0)]).toEqual([
      849, 1, 0, 100,
    ]);
  });
});
