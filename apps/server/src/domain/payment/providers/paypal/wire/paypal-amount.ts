import { CURRENCIES, decimalText, toMinor } from '../../../../../kit/money.ts';
import type { Fee } from '../../base/charge-shape.ts';
import type { PaypalMoney } from './paypal-objects.ts';

/** What PayPal takes. The yuan, the real and the ringgit only from accounts of their own country, which PayPal says itself. */
export const PAYPAL_CURRENCIES: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
);

/** Two decimals by ISO 4217, none at PayPal. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['HUF', 'TWD']);

/** The least that two amounts can differ by at PayPal, in minor units. */
export const paypalStep = (currency: string): number =>
  WITHOUT_DECIMALS.has(currency) ? 10 ** (CURRENCIES.get(currency) ?? 0) : 1;

/** Null: PayPal cannot take exactly this amount. Rounding money is not ours to do. */
export function toPaypalMoney(amountMinor: number, currency: string): PaypalMoney | null {
  const step = paypalStep(currency);
  if (amountMinor % step !== 0) return null;
  const value = step === 1 ? decimalText(amountMinor, currency) : String(amountMinor / step);
  return { currency_code: currency, value };
}

const HUNDREDTHS = /^\d{1,10}(?:\.\d{1,2})?$/;

const roundedMinor = ({ value, currency_code: currency }: PaypalMoney): number =>
  Math.abs(Math.round(Number(value) * 10 ** (CURRENCIES.get(currency) ?? 2)));

/** A fee tells nothing about the payment, so an odd one is rounded, and one that is no amount is left out. */
export function feeIn(money: PaypalMoney | null | undefined): Fee | null {
  const amountMinor = money ? roundedMinor(money) : Number.NaN;
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency: money!.currency_code } : null;
}

/**
 * For lists of a whole account, which may hold what is not ours in a currency that is not known here: its amount counts in
 * hundredths, as it is shown, so that one line does not cost the day.
 */
export function listedMinor(money: PaypalMoney): number {
  const value = money.value.replace(/^-/, '');
  const isUnknown = !CURRENCIES.has(money.currency_code) && HUNDREDTHS.test(value);
  if (isUnknown) return fromPaypalMoney({ value, currency_code: 'EUR' });
  const minor = toMinor(value, money.currency_code);
  return typeof minor === 'number' ? minor : roundedMinor(money);
}

/** Throws on what is no amount: nothing is concluded from an answer that cannot be read. */
export function fromPaypalMoney({ value, currency_code: currency }: PaypalMoney): number {
  const minor = toMinor(value.replace(/^-/, ''), currency);
  if (typeof minor !== 'number') throw new Error(`PayPal answered with an amount that is none (${minor}).`);
  return minor;
}
