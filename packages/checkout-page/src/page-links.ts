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

/** Uploaded pictures have a path here; a path that begins with two slashes would leave. */
const OWN_PICTURE = /^\/icons\/[0-9a-f]{32}\.png$/;

export function picture(url: string | null): string | null {
  if (url !== null && OWN_PICTURE.test(url)) return url;
  const parsed = parse(url);
  return parsed?.protocol === 'https:' ? parsed.href : null;
}

/** Node 20's `URL.canParse` says no to letters such as ü once its caller has become hot. */
function parse(url: string | null): URL | null {
  try {
    return url === null ? null : new URL(url);
  } catch {
    return null;
  }
}

/** Where a view can be opened again. */
export const addressOf = (view: { state: string; base: string; chosenLanguage: Language | null }): string =>
  pageAddress(view.base, view.chosenLanguage, view.state === 'receipt' ? '/receipt' : '');

/** A URL of the page. It carries the selected language, so that the selection lasts for the visit. */
export function pageAddress(base: string, chosenLanguage: Language | null, part: '' | `/${string}` = ''): string {
  return `${base}${part}${chosenLanguage === null ? '' : `?lang=${chosenLanguage}`}`;
}
