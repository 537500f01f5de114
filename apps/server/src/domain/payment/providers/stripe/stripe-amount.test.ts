import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '../../../../kit/money.ts';
import { fromStripeAmount, toStripeAmount } from './stripe-amount.ts';

describe('an amount for Stripe', () => {
  it.each([
    [499, 'USD', 499],
    [500, 'JPY', 500],
    [500, 'ISK', 50_000],
    [500, 'UGX', 50_000],
    [12_300, 'MGA', 123],
    [1_230, 'KWD', 1_230],
  ])('%i %s (minor units) is %i', (amountMinor, currency, amount) => {
    expect(toStripeAmount(amountMinor, currency)).toBe(amount);
    expect(fromStripeAmount(amount, currency)).toBe(amountMinor);
  });

  it.each([
    [1_234, 'KWD'],
    [12_345, 'MGA'],
  ])('%i %s cannot be given exactly, and is not rounded', (amountMinor, currency) => {
    expect(toStripeAmount(amountMinor, currency)).toBeNull();
  });

  it('of any currency comes back as it went', () => {
    for (const currency of CURRENCIES.keys()) {
      expect(fromStripeAmount(toStripeAmount(120_000, currency)!, currency.toLowerCase())).toBe(120_000);
    }
  });
});
