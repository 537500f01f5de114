import { fastifyCookie } from '@fastify/cookie';
import { randomToken } from '../../kit/seal.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[vs]_[\w-]{43}$/;

/** `__Host-` makes the browser refuse the cookie from another host or a plain connection; without TLS it would refuse ours. */
const nameOf = (isHttps: boolean): string => (isHttps ? '__Host-coinslot' : 'coinslot');

/** Names a session, whose hash is in the database. */
export const newSessionToken = (): string => `s_${randomToken(TOKEN_BYTES)}`;

/** Names a browser that has not signed in, so that even the form to sign in has a token that is its own. */
export const newVisitorToken = (): string => `v_${randomToken(TOKEN_BYTES)}`;

export const isSessionToken = (token: string): boolean => token.startsWith('s_');

export function readCookie(header: string | undefined, isHttps: boolean): string | null {
  const token = header === undefined ? undefined : fastifyCookie.parse(header)[nameOf(isHttps)];
  return token !== undefined && TOKEN.test(token) ? token : null;
}

/** Without an age: it goes when the browser closes, or when the server says so. */
export const cookieHeader = (token: string, isHttps: boolean): string =>
  fastifyCookie.serialize(nameOf(isHttps), token, { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' });
