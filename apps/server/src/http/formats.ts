import { isEmail } from '../kit/email.ts';
import { CURRENCIES } from '../kit/money.ts';

const SPACE_OR_CONTROL = /[\p{Cc}\p{Cf}\p{Z}\\]/u;

function parseUrl(text: string): URL | null {
  if (SPACE_OR_CONTROL.test(text)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

// Browsers read `https:evil` and `https:///evil` as `https://evil`, so two slashes and a host are required.
const WEB_ORIGIN = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;

export function isWebUrl(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && isWebScheme(url) && WEB_ORIGIN.test(text) && url.hostname !== '';
}

const isWebScheme = (url: URL): boolean => url.protocol === 'https:' || url.protocol === 'http:';

/** Schemes that run code, install, read files or reach into the browser or the system: no game returns a player by them. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(
  `javascript data vbscript file blob about livescript mocha jscript filesystem view-source jar mhtml feed res resource
   chrome chrome-extension moz-extension ms-browser-extension edge opera wyciwyg intent-filter ftp ftps ws wss mailto
   tel sms smb nfs ldap ldaps gopher telnet ssh sftp content android.resource mk its jnlp jnlps java hcp help shell
   powershell pwsh cmd wsl wscript cscript applescript terminal rdp vnc afp facetime facetime-audio callto sip sips prefs
   app-prefs app-settings package appinstaller onenote onenote-cmd microsoft-edge read vscode vscode-insiders cursor odopen
   insider-app android-app ios-app x-safari-https x-safari-http shortcuts googlechrome googlechromes firefox brave`.split(
    /\s+/,
  ),
);
/** Families of the same kind: `ms-msdt`, `ms-settings`, `search-ms`, `itms-services`, `x-apple.systempreferences`. */
const REFUSED_FAMILIES = /^(?:ms-|search|itms|x-apple|chrome|microsoft|moz-|steam|view-|web\+|x-web)/;

const isRefused = (scheme: string): boolean => REFUSED_SCHEMES.has(scheme) || REFUSED_FAMILIES.test(scheme);

/** Android reads `intent://…#Intent;scheme=x;end` as a link with the scheme x, so x is judged like any other. */
function isRefusedScheme(url: URL): boolean {
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'intent') return isRefused(scheme);
  // `intent:javascript:…` and `intent:file:…` name what Android opens before the fragment; only a host or nothing may stand there.
  if (/^\/?[^/]/.test(url.pathname) && !url.href.startsWith('intent://')) return true;
  const parts = decodeLoosely(url.hash).split(';');
  const valuesOf = (name: string) => parts.flatMap(part => (part.startsWith(name) ? [part.slice(name.length)] : []));
  return (
    valuesOf('scheme=').some(inner => isRefused(inner.trim().toLowerCase())) ||
    // A component of another app, chosen by its name, may do anything.
    parts.some(part => part === 'SEL' || part.startsWith('component=')) ||
    valuesOf('S.browser_fallback_url=').some(address => !isWebUrl(address))
  );
}

/** As Android does: an escape that is none leaves all others to be read (row 274). */
const decodeLoosely = (text: string): string =>
  text.replaceAll(/%[0-7][0-9a-f]/gi, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/** Accepts a deep link: an app's own scheme, or http and https. Judges the parsed URL, never how the text begins. */
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

/**
 * Years 1000 to 8999: spans reach a little beyond the named days, the database has no year 0, and it writes years from 10000 on
 * in another form.
 */
const DAY = /^[1-8]\d{3}-\d{2}-\d{2}$/;

/** A day of the calendar: the 31st of February is none, though a parser takes it for the 3rd of March. */
function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Longer than any field may be. The thorough check also runs formats on texts that are too long. */
const MAX_CHARS = 4_096;

const short =
  (check: (text: string) => boolean) =>
  (text: string): boolean =>
    text.length <= MAX_CHARS && check(text);

export const FORMATS: Record<string, (text: string) => boolean> = {
  email: isEmail,
  'web-url': short(isWebUrl),
  'return-url': short(isReturnUrl),
  country: text => COUNTRY_CODES.has(text),
  currency: text => CURRENCIES.has(text),
  locale: short(isLocale),
  day: isDay,
};

/** ISO 3166-1 alpha-2, officially assigned. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
   CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
   GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
   KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
   MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
   SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
   UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/),
);
