import { createHash } from 'node:crypto';
import { accentColors } from './accent.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { accentRules, PAGE_STYLE } from './page-style.ts';

export type PageHeaders = Readonly<Record<string, string>>;

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const SCRIPT_SOURCE = hashSource(PAGE_SCRIPT);
const STYLE_SOURCE = hashSource(PAGE_STYLE);

/** Style and script stand in the page, so their hashes stand here. */
function makeHeaders(accent: string | null): PageHeaders {
  const policy = [
    "default-src 'none'",
    `script-src ${SCRIPT_SOURCE}`,
    `style-src ${STYLE_SOURCE}${accent === null ? '' : ` ${hashSource(accent)}`}`,
    'img-src https: data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

const PLAIN_HEADERS = makeHeaders(null);
const accented = new Map<string, PageHeaders>();
const ACCENTS_KEPT = 500;

/** Hashing costs more than the rest of the page, and a game has one colour. Bounded, since colours come from outside. */
export function pageHeaders(accent: string | null): PageHeaders {
  if (accent === null) return PLAIN_HEADERS;
  const known = accented.get(accent);
  if (known) return known;
  const made = makeHeaders(accent);
  if (accented.size >= ACCENTS_KEPT) accented.clear();
  accented.set(accent, made);
  return made;
}

const styles = new Map<string, string>();

/** The studio's colour as a style of its own, or null when the page keeps ours. */
export function accentStyle(accentColor: string | null): string | null {
  if (accentColor === null) return null;
  const known = styles.get(accentColor);
  if (known !== undefined) return known;
  const colors = accentColors(accentColor);
  if (colors === null) return null;
  if (styles.size >= ACCENTS_KEPT) styles.clear();
  const made = accentRules(colors);
  styles.set(accentColor, made);
  return made;
}
