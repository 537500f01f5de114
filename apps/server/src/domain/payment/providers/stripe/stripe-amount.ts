/**
 * Stripe counts most currencies as ISO 4217 does. These it counts otherwise: how many digits it has more.
 * The króna and the Ugandan shilling have no decimals, but are given with two; the ariary has two, but is given with none.
 */
const MORE_DIGITS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: -2 };

/** Three decimals, of which the last must be zero. */
const WHOLE_TENS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** The least that two amounts can differ by at Stripe, in minor units. */
export function stripeStep(currency: string): number {
  if (WHOLE_TENS.has(currency)) return 10;
  const digits = MORE_DIGITS[currency] ?? 0;
  return digits < 0 ? 10 ** -digits : 1;
}

/** Null: Stripe cannot take exactly this amount. Rounding money is not ours to do. */
export function toStripeAmount(amountMinor: number, currency: string): number | null {
  const digits = MORE_DIGITS[currency] ?? 0;
  const amount = digits < 0 ? amountMinor / 10 ** -digits : amountMinor * 10 ** digits;
  if (!Number.isInteger(amount)) return null;
  return WHOLE_TENS.has(currency) && amount % 10 !== 0 ? null : amount;
}

/** In whole minor units: a fee may be a part of one, such as 10.55 ISK, which no balance of ours can hold. */
export function fromStripeAmount(amount: number, currency: string): number {
  const digits = MORE_DIGITS[currency.toUpperCase()] ?? 0;
  return digits < 0 ? amount * 10 ** -digits : Math.round(amount / 10 ** digits);
}
