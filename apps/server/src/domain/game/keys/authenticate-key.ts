import { hash } from 'node:crypto';
import type { Queryable } from '../../../db/db.ts';
import type { Clock } from '../../../kit/clock.ts';
import { createOnce } from '../../../kit/collections.ts';
import { semaphore } from '../../../kit/concurrency.ts';
import { randomToken, sameBytes } from '../../../kit/seal.ts';
import { createTtlCache } from '../../../kit/ttl-cache.ts';
import type { Environment, Mode } from '../environment.ts';
import { findKeyByHash, updateKeyUse } from './s2s-key.sql.ts';

const SECRET_BYTES = 30;

export const newS2sKey = (mode: Mode): string => `sk_${mode}_${randomToken(SECRET_BYTES)}`;

const AUTHORIZATION = /^bearer +(?<key>sk_(?:live|sandbox)_[\w-]{32,128})$/i;
const LONGEST_HEADER = 256;

/** The key of an Authorization header, or null: what cannot be a key is never looked up. */
function keyInHeader(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > LONGEST_HEADER) return null;
  return AUTHORIZATION.exec(authorization)?.groups?.key ?? null;
}

/**
 * How a key is looked up: in hexadecimal, as the caches have it. A guesser cannot steer the hash of a guess, so the time a
 * look-up takes says nothing about how near the guess was. One call, because every request pays for it.
 */
export const keyFingerprint = (key: string): string => hash('sha256', key, 'hex');

export interface AuthenticatedKey {
  keyId: string;
  environment: Environment;
}

interface KeyAuthenticatorOptions {
  db: Queryable;
  clock: Clock;
  /** Gets the error when a use could not be written down; the request goes on. */
  onError?: (error: unknown) => void;
}

/** Without a promise when the key was seen in the last seconds: this runs on every request. */
export type KeyAuthenticator = (
  authorization: string | undefined,
  /** Whether the caller's address tried few enough wrong keys. Otherwise a key that never worked here waits for its turn. */
  isTrusted?: () => boolean,
) => AuthenticatedKey | null | Promise<AuthenticatedKey | null>;

const MAX_KEYS = 10_000;
// A revoked key works for at most this long.
const FRESH_MS = 5_000;
const ABSENT_MS = 1_000;
const MAX_QUEUED = 50;

/** Reads `Authorization: Bearer <S2S_KEY>`; null for a key that is missing, unknown or revoked. */
export function createKeyAuthenticator({ db, clock, onError }: KeyAuthenticatorOptions): KeyAuthenticator {
  // A game behind the address of an attacker, such as a shared proxy's, goes on with the key that it had.
  const known = createOnce(MAX_KEYS);

  async function load(fingerprint: string): Promise<AuthenticatedKey | null> {
    const keyHash = Buffer.from(fingerprint, 'hex');
    const found = await findKeyByHash(db, keyHash);
    if (!found || !sameBytes(found.keyHash, keyHash)) return null;
    const { keyId, environment, isUseStale } = found;
    known.isFirst(fingerprint);
    if (isUseStale) void updateKeyUse(db, environment.id, keyId).catch((error: unknown) => onError?.(error));
    return { keyId, environment };
  }

  const find = createTtlCache({ load, clock, freshMs: FRESH_MS, absentMs: ABSENT_MS, maxEntries: MAX_KEYS });
  // All addresses that guess share one place at the database, and a short queue before it.
  const oneByOne = semaphore(1);
  let queued = 0;

  async function findInTurn(fingerprint: string): Promise<AuthenticatedKey | null> {
    if (queued >= MAX_QUEUED) return null;
    queued++;
    try {
      return await oneByOne(async () => find(fingerprint));
    } finally {
      queued--;
    }
  }

  return (authorization, isTrusted = () => true) => {
    const key = keyInHeader(authorization);
    if (key === null) return null;
    const fingerprint = keyFingerprint(key);
    return known.has(fingerprint) || isTrusted() ? find(fingerprint) : findInTurn(fingerprint);
  };
}
