import { CURRENCIES, decimalText, toMinor } from '../../../../../kit/money.ts';
import type { MollieMoney } from './mollie-objects.ts';

/** What cards at Mollie are charged in. Mollie pays out in the account's own currency. */
export const MOLLIE_CURRENCIES: ReadonlySet<string> = new Set(
  'AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PHP PLN RON SEK SGD THB USD ZAR'.split(' '),
);

/** Mollie takes exactly the decimals that the currency has. */
export const toMollieMoney = (amountMinor: number, currency: string): MollieMoney => ({
  currency,
  value: decimalText(amountMinor, currency),
});

/** Throws on what is no amount: nothing is concluded from an answer that cannot be read. The sign is dropped. */
export function fromMollieMoney({ value, currency }: MollieMoney): number {
  const minor = toMinor(value.replace(/^-/, ''), currency);
  if (typeof minor !== 'number') throw new Error(`Mollie answered with an amount that is none (${minor}).`);
  return minor;
}

/** For lists of a whole account: what is odd in them is rounded, so that one line does not cost the day. */
export const signedMinor = ({ value, currency }: MollieMoney): number =>
  Math.round(Number(value) * 10 ** (CURRENCIES.get(currency) ?? 2));
