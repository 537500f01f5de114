import { createHash } from 'node:crypto';
import type { ProviderScript } from './checkout-view.ts';
import { LIVE_SCRIPT, PAGE_SCRIPT } from './page-script.ts';
import { accentColors } from './style/accent.ts';
import { LIVE_STYLE } from './style/live-style.ts';
import { accentRules, PAGE_STYLE } from './style/page-style.ts';

export type PageHeaders = Readonly<Record<string, string>>;

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const SCRIPT_SOURCE = hashSource(PAGE_SCRIPT);
const LIVE_SCRIPT_SOURCE = hashSource(LIVE_SCRIPT);
const STYLE_SOURCE = hashSource(PAGE_STYLE);
const LIVE_STYLE_SOURCE = hashSource(LIVE_STYLE);

/** The kinds of pages that need different policies. A sandbox page never loads a provider's script. */
export interface PageKind {
  accent: string | null;
  live: boolean;
  /** The provider whose script the page loads, or null. */
  provider: ProviderScript | null;
}

const listOf = (sources: readonly string[] | undefined): string => (sources ?? []).map(source => ` ${source}`).join('');

/** Style and script are inlined, so the policy lists their hashes. */
function makeHeaders({ accent, live, provider }: PageKind): PageHeaders {
  const sources = provider?.sources;
  const policy = [
    "default-src 'none'",
    `script-src ${live ? LIVE_SCRIPT_SOURCE : SCRIPT_SOURCE}${provider ? ` ${hashSource(provider.part)}` : ''}${listOf(sources?.script)}`,
    `style-src ${STYLE_SOURCE}${live ? ` ${LIVE_STYLE_SOURCE}` : ''}${accent === null ? '' : ` ${hashSource(accent)}`}`,
    "img-src 'self' https: data:",
    `connect-src 'self'${listOf(sources?.connect)}`,
    ...(sources ? [`frame-src${listOf(sources.frame)}`] : []),
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
    // A wallet or a bank opens its own window, and the page must be able to receive its result.
    'cross-origin-opener-policy': provider === null ? 'same-origin' : 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

const PLAIN_HEADERS = makeHeaders({ accent: null, live: false, provider: null });
const made = new Map<string, PageHeaders>();
const ACCENTS_KEPT = 500;

/**
 * Cached, because hashing costs more than the rest of the page. The cache is bounded, because studios choose the
 * colors.
 */
export function pageHeaders(kind: PageKind): PageHeaders {
  const { accent, live, provider } = kind;
  if (accent === null && !live) return PLAIN_HEADERS;
  const key = `${accent} ${live} ${provider ? `${provider.scriptUrl} ${JSON.stringify(provider.sources)}` : ''}`;
  const known = made.get(key);
  if (known) return known;
  const headers = makeHeaders(kind);
  if (made.size >= ACCENTS_KEPT) made.clear();
  made.set(key, headers);
  return headers;
}

const styles = new Map<string, string>();

/** A style with the studio's color, or null for the default. */
export function accentStyle(accentColor: string | null): string | null {
  if (accentColor === null) return null;
  const known = styles.get(accentColor);
  if (known !== undefined) return known;
  const colors = accentColors(accentColor);
  if (colors === null) return null;
  if (styles.size >= ACCENTS_KEPT) styles.clear();
  const rules = accentRules(colors);
  styles.set(accentColor, rules);
  return rules;
}
