import { CURRENCIES } from '../kit/money.ts';
import { COUNTRY_CODES } from './country-codes.ts';

const SPACE_OR_CONTROL = /[\p{Cc}\p{Cf}\p{Z}\\]/u;

// The pragmatic part of RFC 5321: no quotes and no comments, so that it can stand in any mail header as it is.
const EMAIL = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?<domain>[^@]+)$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

const PLAIN_EMAIL =
  /^[\w+-]+(?:\.[\w+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

export function isEmail(text: string): boolean {
  // Nearly all are plain, and classes of Unicode letters are slow.
  if (PLAIN_EMAIL.test(text)) return text.indexOf('@') <= 64;
  const domain = EMAIL.exec(text)?.groups?.domain;
  if (domain === undefined || text.indexOf('@') > 64) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every(label => DOMAIN_LABEL.test(label));
}

function parseUrl(text: string): URL | null {
  if (SPACE_OR_CONTROL.test(text)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

// `https:evil` and `https:///evil` are also read as `https://evil` by browsers, so the two slashes and a host are asked for.
const WEB_ORIGIN = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;

export function isWebUrl(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && isWebScheme(url) && WEB_ORIGIN.test(text) && url.hostname !== '';
}

const isWebScheme = (url: URL): boolean => url.protocol === 'https:' || url.protocol === 'http:';

/** Schemes that can run script, read files or reach into the browser: never a place to send a player to. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(
  `javascript data vbscript file blob about livescript mocha jscript filesystem view-source jar mhtml feed res resource
   chrome chrome-extension moz-extension ms-browser-extension edge opera wyciwyg intent-filter ftp ftps ws wss mailto
   tel sms smb nfs ldap gopher telnet ssh content android.resource mk its ms-its ms-itss`.split(/\s+/),
);

/** Android reads `intent://…#Intent;scheme=x;end` as a link with the scheme x, so x is judged like any other. */
function isRefusedScheme(url: URL): boolean {
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'intent') return REFUSED_SCHEMES.has(scheme);
  const parts = decodeLoosely(url.hash).split(';');
  const valuesOf = (name: string) => parts.flatMap(part => (part.startsWith(name) ? [part.slice(name.length)] : []));
  return (
    valuesOf('scheme=').some(inner => REFUSED_SCHEMES.has(inner.trim().toLowerCase())) ||
    valuesOf('S.browser_fallback_url=').some(address => !isWebUrl(address))
  );
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A deep link: an app's own scheme, or http and https. Decided on the parsed URL, never on how the text begins. */
export function isReturnUrl(text: string): boolean {
  const filled = text.includes('{') ? text.replaceAll('{order_id}', 'ord_0') : text;
  const url = parseUrl(filled);
  if (url === null) return false;
  if (isWebScheme(url)) return WEB_ORIGIN.test(filled) && url.hostname !== '';
  return !isRefusedScheme(url);
}

export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** The formats that schemas of the contract name. */
export const FORMATS: Record<string, (text: string) => boolean> = {
  email: isEmail,
  'web-url': isWebUrl,
  'return-url': isReturnUrl,
  country: text => COUNTRY_CODES.has(text),
  currency: text => CURRENCIES.has(text),
  locale: isLocale,
};
