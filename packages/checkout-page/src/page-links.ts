import type { Language } from './languages.ts';

/** The server checks URLs when the order is created. This is a second line of defense. */
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

/** Uploaded images have this path. A path that starts with two slashes would lead to another host. */
const OWN_PICTURE = /^\/icons\/[0-9a-f]{32}\.png$/;

export function picture(url: string | null): string | null {
  if (url !== null && OWN_PICTURE.test(url)) return url;
  const parsed = parse(url);
  return parsed?.protocol === 'https:' ? parsed.href : null;
}

/** In Node 20, `URL.canParse` wrongly refuses letters such as ü once V8 has optimized its caller. */
function parse(url: string | null): URL | null {
  try {
    return url === null ? null : new URL(url);
  } catch {
    return null;
  }
}

/** The address at which a view can be opened again. */
export const addressOf = (view: { state: string; base: string; chosenLanguage: Language | null }): string =>
  pageAddress(view.base, view.chosenLanguage, view.state === 'receipt' ? '/receipt' : '');

/** Every URL of the page carries the selected language, so that the selection lasts for the whole visit. */
export function pageAddress(base: string, chosenLanguage: Language | null, part: '' | `/${string}` = ''): string {
  return `${base}${part}${chosenLanguage === null ? '' : `?lang=${chosenLanguage}`}`;
}
