import type { Language } from './languages.ts';

/** An address of the page. The language that the player picked goes along, so that it lasts for the visit. */
export function pageAddress(base: string, chosenLanguage: Language | null, part: '' | `/${string}` = ''): string {
  return `${base}${part}${chosenLanguage === null ? '' : `?lang=${chosenLanguage}`}`;
}
