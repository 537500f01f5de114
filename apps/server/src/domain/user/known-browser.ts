import { emailKey } from '../../kit/email.ts';
import { randomToken, type Seal, sameBytes, sha256 } from '../../kit/seal.ts';

/** One browser may be used by a few people. */
const MOST_ACCOUNTS = 5;
const ID_BYTES = 16;
const PROOF_BYTES = 16;
const COOKIE = /^[\w-]{22}(?:\.[\w-]{22}){0,5}$/;

const proofOf = (seal: Seal, id: string, email: string): Buffer =>
  seal.mac(Buffer.from(`${id} ${emailKey(email)}`), 'known browser').subarray(0, PROOF_BYTES);

/**
 * The name of a browser that has signed in to this account before, else null. The cookie proves itself, so that nothing is
 * asked of the database before a guess is counted.
 */
export function knownBrowser(seal: Seal, cookie: string | null, email: string): string | null {
  const [id, ...proofs] = cookie?.split('.') ?? [];
  if (id === undefined) return null;
  const proof = proofOf(seal, id, email);
  const isKnown = proofs.some(given => sameBytes(Buffer.from(given, 'base64url'), proof));
  return isKnown ? sha256(id).toString('base64url') : null;
}

/** The cookie from now on: it also knows this account. */
export function rememberBrowser(seal: Seal, cookie: string | null, email: string): string {
  const [id = randomToken(ID_BYTES), ...proofs] = cookie?.split('.') ?? [];
  const proof = proofOf(seal, id, email).toString('base64url');
  return [id, ...[proof, ...proofs.filter(given => given !== proof)].slice(0, MOST_ACCOUNTS)].join('.');
}

export const isBrowserCookie = (text: string): boolean => COOKIE.test(text);

const BROWSERS = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const;
const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux/],
] as const;

/** Names the browser in our own words for mails: its sender can write anything into the header. */
export function browserName(userAgent: string): string {
  const named = [BROWSERS, SYSTEMS].flatMap(list => list.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? []);
  return named.join(', ') || '?';
}
