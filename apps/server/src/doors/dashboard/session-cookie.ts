import { fastifyCookie } from '@fastify/cookie';
import { isBrowserCookie } from '../../domain/user/known-browser.ts';
import { isBrowserToken } from '../../domain/user/start-session.ts';
import { AppError } from '../../kit/app-error.ts';
import { parseUrl } from '../../kit/parse-url.ts';
import type { Seal } from '../../kit/seal.ts';

/** `__Host-` makes the browser refuse the cookie from another host or a plain connection; without TLS it would refuse ours. */
const nameOf = (isHttps: boolean): string => (isHttps ? '__Host-coinslot' : 'coinslot');

export function readCookie(header: string | undefined, isHttps: boolean): string | null {
  const token = header === undefined ? undefined : fastifyCookie.parse(header)[nameOf(isHttps)];
  return token !== undefined && isBrowserToken(token) ? token : null;
}

/** Without an age: it goes when the browser closes, or when the server says so. */
export const cookieHeader = (token: string, isHttps: boolean): string =>
  fastifyCookie.serialize(nameOf(isHttps), token, { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' });

/** 32 bytes in base64. */
const CSRF_CHARS = 43;
const browserNameOf = (isHttps: boolean): string => `${nameOf(isHttps)}-browser`;
const BROWSER_SECONDS = 365 * 24 * 3600;

export function readBrowserCookie(header: string | undefined, isHttps: boolean): string | null {
  const text = header === undefined ? undefined : fastifyCookie.parse(header)[browserNameOf(isHttps)];
  return text !== undefined && isBrowserCookie(text) ? text : null;
}

/** Signs no user in. It only tells a browser that has been here from one that has not. */
export const browserCookieHeader = (cookie: string, isHttps: boolean): string =>
  fastifyCookie.serialize(browserNameOf(isHttps), cookie, {
    path: '/',
    httpOnly: true,
    secure: isHttps,
    sameSite: 'lax',
    maxAge: BROWSER_SECONDS,
  });

const wroteNameOf = (isHttps: boolean): string => `${nameOf(isHttps)}-wrote`;
/** Longer than a replica may be behind. */
const WROTE_SECONDS = 15;

export const hasWroteCookie = (header: string | undefined, isHttps: boolean): boolean =>
  header !== undefined && fastifyCookie.parse(header)[wroteNameOf(isHttps)] !== undefined;

/** A cookie and no memory of ours: the next call may reach another process. */
export const wroteCookieHeader = (isHttps: boolean): string =>
  fastifyCookie.serialize(wroteNameOf(isHttps), '1', {
    path: '/',
    httpOnly: true,
    secure: isHttps,
    sameSite: 'lax',
    maxAge: WROTE_SECONDS,
  });

export const CSRF_HEADER = 'x-csrf-token';

/** A session gets a new cookie with each proof, and other tabs go on with the CSRF token that they have. */
export const csrfSubject = (cookie: string | null, signedIn: { sessionId: string } | null): string | null =>
  signedIn?.sessionId ?? cookie;

/** Made from the session, or from the cookie of a visitor: nothing is stored, and a token of another one is of no use. */
export const csrfToken = (seal: Seal, subject: string): string =>
  seal.mac(Buffer.from(subject), 'csrf').toString('base64url');

export interface RequestOrigin {
  host: string | undefined;
  origin: string | undefined;
  fetchSite: string | undefined;
}

/** Browsers send one of the two with everything that changes something, and no script can forge them. */
export function isSameOrigin({ host, origin, fetchSite }: RequestOrigin, publicUrl: string): boolean {
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  if (origin === undefined || !parseUrl(origin)) return false;
  return origin === publicUrl || new URL(origin).host === host;
}

export function assertCsrf(seal: Seal, subject: string | null, token: unknown): void {
  const isRight =
    subject !== null &&
    typeof token === 'string' &&
    seal.isMac(Buffer.from(subject), 'csrf', Buffer.from(token, 'base64url')) &&
    token.length === CSRF_CHARS;
  if (!isRight) throw new AppError('csrf_failed');
}
