import { catalog } from './catalog.ts';
import { de } from './dispute-reasons/de.ts';
import { en } from './dispute-reasons/en.ts';

/** What the banks' codes for a dispute mean, to the studio's members. */
export const disputeReasons = catalog({ en, de });

/** Some providers use British spelling in their codes. */
const americanOf = (code: string): string => code.replace(/oris(?=ed$)/, 'oriz');

/** With the code itself, which the bank's papers name; the code alone where it is not known. */
export function disputeReasonText(language: 'en' | 'de', code: string): string {
  const known = new Map(Object.entries(disputeReasons.languages[language]));
  const words = known.get(americanOf(code));
  return words === undefined ? code : `${words} (${code})`;
}
