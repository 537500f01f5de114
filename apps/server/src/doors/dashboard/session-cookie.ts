import { fastifyCookie } from '@fastify/cookie';
import { isBrowserToken } from '../../domain/user/start-session.ts';

/** `__Host-` makes the browser refuse the cookie from another host or a plain connection; without TLS it would refuse ours. */
const nameOf = (isHttps: boolean): string => (isHttps ? '__Host-coinslot' : 'coinslot');

export function readCookie(header: string | undefined, isHttps: boolean): string | null {
  const token = header === undefined ? undefined : fastifyCookie.parse(header)[nameOf(isHttps)];
  return token !== undefined && isBrowserToken(token) ? token : null;
}

/** Without an age: it goes when the browser closes, or when the server says so. */
export const cookieHeader = (token: string, isHttps: boolean): string =>
  fastifyCookie.serialize(nameOf(isHttps), token, { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' });
