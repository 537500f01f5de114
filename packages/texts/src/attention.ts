import { de } from './attention/de.ts';
import { en } from './attention/en.ts';
import { catalog, fill, type Placeholders } from './catalog.ts';
import { disputeReasonText } from './dispute-reasons.ts';

/** Why a payment or an order waits, was rejected or was returned, as its record says it to the studio's members. */
export const attention = catalog({ en, de });

type Key = keyof typeof en;

/** A text by its key, with what fills it. Records hold phrases in place of sentences, so that each member reads their own language. */
export interface Phrase {
  key: Key;
  values?: Readonly<Record<string, string>>;
}

/** `phrase('settled', { reason })`. The compiler asks for the values that the text needs. */
export const phrase = <K extends Key>(
  key: K,
  ...[values]: [Placeholders<(typeof en)[K]>] extends [never]
    ? []
    : [values: Readonly<Record<Placeholders<(typeof en)[K]>, string>>]
): Phrase => (values ? { key, values } : { key });

/** An amount as records hold it, exact and in no language. */
const AMOUNT = /^(-?\d+(?:\.(\d+))?) ([A-Z]{3})$/;

const amountIn = (language: string, value: string): string =>
  value.replace(AMOUNT, (_, amount: `${number}`, decimals: string = '', currency: string) => {
    const digits = { minimumFractionDigits: decimals.length, maximumFractionDigits: decimals.length };
    return `${new Intl.NumberFormat(language, digits).format(amount)} ${currency}`;
  });

/** Whose reason is the bank's code for a dispute. Other reasons are sentences of a provider or a member, which stay as they came. */
const BY_CODE: readonly Key[] = ['dispute', 'dispute_with_fee', 'because'];

/** The phrases of a record as one text. */
export function phrasesText(phrases: readonly Phrase[], language: string = 'en'): string {
  const known = attention.has(language) ? language : 'en';
  const said = ({ key, values = {} }: Phrase): string => {
    const shown = Object.entries(values).map(([name, value]) => [
      name,
      name === 'reason' && BY_CODE.includes(key) ? disputeReasonText(known, value) : amountIn(known, value),
    ]);
    return fill(attention.languages[known][key], Object.fromEntries(shown));
  };
  return phrases.map(said).join(' ');
}
