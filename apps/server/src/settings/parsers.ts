import { createPrivateKey, X509Certificate } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { urlsOf } from '../db/sessions/hosts.ts';
import { isId } from '../kit/ids.ts';
import { parseUrl } from '../kit/parse-url.ts';
import type { Others } from './setting.ts';

const MASTER_KEY_BYTES = 32;

export function wholeNumber(min: number, max: number): (text: string) => number {
  return text => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): (text: string) => T {
  return text => {
    const found = choices.find(choice => choice === text);
    if (!found) throw new Error(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

export const onOrOff = (text: string): boolean => oneOf(['on', 'off'])(text) === 'on';

export const folder = (text: string): string => resolve(text);

export function host(text: string): string {
  const isName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text);
  const looksNumeric = /^[\d.]+$/.test(text);
  if (!(looksNumeric ? ipaddr.IPv4.isValidFourPartDecimal(text) : isName || ipaddr.IPv6.isValid(text))) {
    throw new Error('must be an IP address or a host name, without scheme and port');
  }
  return text;
}

/** Names and addresses as a URL has them; `*.` before a name stands for all names below it. */
export function hosts(text: string): string[] {
  return text.split(',').map(part => {
    const one = part.trim();
    const name = one.replace(/^\*\./, '');
    if (ipaddr.isValid(name) && one !== name) throw new Error(`holds "${one}", and there is nothing below an address`);
    const known = host(domainToASCII(name) || name);
    // An address has one form in every URL.
    if (ipaddr.isValid(known)) return ipaddr.parse(known).toString();
    return one.slice(0, one.length - name.length) + known.toLowerCase();
  });
}

/** A certificate and its private key, one behind the other. The text never goes into a message. */
export function certificateWithKey(text: string): string {
  const fits = (): boolean => {
    try {
      return new X509Certificate(text).checkPrivateKey(createPrivateKey(text));
    } catch {
      return false;
    }
  };
  if (!fits()) throw new Error('must hold a certificate and its private key without a password, both as PEM');
  return text;
}

function httpUrl(text: string): URL {
  const url = parseUrl(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an absolute http or https URL');
  return url;
}

export const webUrl = (text: string): string => httpUrl(text).href;

export function baseUrl(text: string): string {
  httpUrl(text);
  return text.replace(/(?<!\/)\/+$/, '');
}

export function origin(text: string): string {
  const url = httpUrl(text);
  if (url.username || url.password) throw new Error('must not hold a user name or password');
  if (url.pathname !== '/' || url.search || url.hash)
    throw new Error('must be scheme, host and port only, without a path');
  return url.origin;
}

/** The URL may hold a password, so its text never goes into a message. */
function serverUrl(...schemes: string[]): (text: string) => string {
  return text => {
    const scheme = text.slice(0, text.indexOf('://'));
    const url = parseUrl(text);
    if (!url || !schemes.includes(scheme))
      throw new Error(`must be a URL that begins with ${schemes.join(':// or ')}://`);
    return text;
  };
}

export function databaseUrl(text: string): string {
  for (const one of urlsOf(text).urls) {
    const url = new URL(serverUrl('postgresql', 'postgres')(one));
    if (url.hash || url.pathname.includes('@'))
      throw new Error('has / or # in its password, which stand there as %2F and %23');
    if (url.pathname.length < 2) throw new Error('must name a database after the host');
  }
  return text;
}

export function smtpUrl(text: string): string {
  if (!new URL(serverUrl('smtp', 'smtps')(text)).hostname) throw new Error('must name a host');
  return text;
}

export function key(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
  if (!isBase64 || bytes.length !== MASTER_KEY_BYTES) throw new Error(`must be ${MASTER_KEY_BYTES} bytes in base64`);
  return bytes;
}

export function sender(text: string): string {
  const address = /<([^<>]*)>$/.exec(text)?.[1] ?? text;
  // A line break here would start another mail header.
  if (/\p{Cc}/u.test(text) || !/^[^\s@<>]+@[^\s@<>]+$/.test(address))
    throw new Error('must be an e-mail address, with or without a name');
  return text;
}

function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/');
  // ipaddr.js alone also takes old forms such as 10.1 for 10.0.0.1.
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isPlain && (text === address || ipaddr.isValidCIDR(text));
}

export function networks(text: string): string[] {
  const ranges = text.split(',').map(range => range.trim());
  const wrong = ranges.filter(range => !isNetwork(range));
  if (wrong.length > 0)
    throw new Error(`holds ${wrong.map(range => `"${range}"`).join(', ')}, not an address or CIDR range`);
  return ranges;
}

/** The text of a key never goes into a message. */
export function keyLike(...prefixes: string[]): (text: string) => string {
  return text => {
    if (!prefixes.some(prefix => text.startsWith(prefix)) || !/^[\w+/=-]{10,255}$/.test(text))
      throw new Error(`must begin with ${prefixes.join(' or ')}`);
    return text;
  };
}

/** Parses a key without a known prefix. Its text never goes into a message either. */
export function plainKey(text: string): string {
  if (!/^[\w-]{6,255}$/.test(text)) throw new Error('must be 6 to 255 letters, digits, _ and -');
  return text;
}

export function companyIds(text: string): string[] {
  const ids = text.split(',').map(id => id.trim());
  if (!ids.every(id => isId(id, 'cmp'))) throw new Error('must be ids of companies, which begin with cmp_');
  return ids;
}

const MAX_PROCESSES = 64;

export function processCount(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_PROCESSES);
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_PROCESSES) throw new Error(`must be auto or a whole number from 1 to ${MAX_PROCESSES}`);
  return count;
}

const USUAL_CONNECTIONS = 39;
const MIN_CONNECTIONS = 8;
/** The embedded PostgreSQL accepts 100, and commands beside the program need some of them. */
const EMBEDDED_CONNECTIONS = 90;

const share = (total: number, processes: number): number => Math.max(MIN_CONNECTIONS, Math.floor(total / processes));

/** The text counts the connections of all processes, the result those of one. */
export const connectionCount = (text: string, { processes }: Others): number =>
  share(wholeNumber(MIN_CONNECTIONS * processes, 10_000)(text), processes);

export function usualConnections({ processes, isEmbedded }: Others): number {
  const total = USUAL_CONNECTIONS * processes;
  return share(isEmbedded ? Math.min(total, EMBEDDED_CONNECTIONS) : total, processes);
}
