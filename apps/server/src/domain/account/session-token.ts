import { randomToken } from '../../kit/seal.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[vs]_[\w-]{43}$/;

/** Names a session; the database knows its hash only. */
export const newSessionToken = (): string => `s_${randomToken(TOKEN_BYTES)}`;

/** Names a browser that has not signed in, so that even the form to sign in has a token that is its own. */
export const newVisitorToken = (): string => `v_${randomToken(TOKEN_BYTES)}`;

export const isBrowserToken = (text: string): boolean => TOKEN.test(text);

export const isSessionToken = (token: string): boolean => token.startsWith('s_');
