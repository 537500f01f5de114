import type { Language } from './languages.ts';

/** The server vets addresses when the order is made. This is the second lock, on the door itself. */
const NEVER_LINKED = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'view-source:',
  'filesystem:',
]);

export function linkable(url: string | null): string | null {
  const parsed = parse(url);
  return parsed && !NEVER_LINKED.has(parsed.protocol) ? parsed.href : null;
}

export function picture(url: string | null): string | null {
  const parsed = parse(url);
  return parsed?.protocol === 'https:' ? parsed.href : null;
}

function parse(url: string | null): URL | null {
  return url !== null && URL.canParse(url) ? new URL(url) : null;
}

/** An address of the page. The language that the player picked goes along, so that it lasts for the visit. */
export function pageAddress(base: string, chosenLanguage: Language | null, part: '' | `/${string}` = ''): string {
  return `${base}${part}${chosenLanguage === null ? '' : `?lang=${chosenLanguage}`}`;
}
