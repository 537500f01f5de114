import { hash } from 'node:crypto';
import { randomToken } from '../../../kit/seal.ts';
import type { Mode } from '../environment.ts';

const SECRET_BYTES = 30;

export const newS2sKey = (mode: Mode): string => `sk_${mode}_${randomToken(SECRET_BYTES)}`;

const AUTHORIZATION = /^bearer +(?<key>sk_(?:live|sandbox)_[\w-]{32,128})$/i;
const LONGEST_HEADER = 256;

/** The key of an Authorization header, or null: what cannot be a key is never looked up. */
export function keyInHeader(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > LONGEST_HEADER) return null;
  return AUTHORIZATION.exec(authorization)?.groups?.key ?? null;
}

/**
 * How a key is looked up: in hexadecimal, as the caches have it. A guesser cannot steer the hash of a guess, so the time a
 * look-up takes says nothing about how near the guess was. One call, because every request pays for it.
 */
export const keyFingerprint = (key: string): string => hash('sha256', key, 'hex');
