import type { Db } from '../../db/db.ts';
import { addressKey } from '../../http/rate-limit.ts';
import { AppError } from '../../kit/app-error.ts';
import { emailKey } from '../../kit/email.ts';
import { sha256 } from '../../kit/seal.ts';
import {
  deleteOldTries,
  deleteTries,
  lockTries,
  type Tries,
  updateTries,
  updateTriesReleased,
} from './throttle.sql.ts';

export interface ThrottleRule {
  /** Tries before the first wait: members mistype. */
  freeTries: number;
  firstWaitSeconds: number;
  longestWaitSeconds: number;
}

/** Each try beyond the free ones makes the next wait twice as long. The longest is short, as an attacker can cause it for a member. */
const RULES = {
  /** One account from one address, or from a browser that it knows. */
  account: { freeTries: 5, firstWaitSeconds: 15, longestWaitSeconds: 900 },
  address: { freeTries: 30, firstWaitSeconds: 15, longestWaitSeconds: 900 },
  /** One account from all addresses: it slows guessing down and never shuts an owner out for long. */
  everywhere: { freeTries: 50, firstWaitSeconds: 2, longestWaitSeconds: 30 },
  /** For calls that make accounts or send mails: by IP address, or by recipient. */
  request: { freeTries: 20, firstWaitSeconds: 60, longestWaitSeconds: 3600 },
  mail: { freeTries: 4, firstWaitSeconds: 120, longestWaitSeconds: 3600 },
} as const satisfies Record<string, ThrottleRule>;

/** Without a try for this long, the count starts again. */
const FORGET_SECONDS = 2 * 3600;

function waitSeconds(rule: ThrottleRule, { failures, sinceLastSeconds }: Tries): number {
  if (failures < rule.freeTries) return 0;
  const wait = Math.min(rule.longestWaitSeconds, rule.firstWaitSeconds * 2 ** Math.min(30, failures - rule.freeTries));
  return Math.max(0, Math.ceil(wait - sinceLastSeconds));
}

export interface ThrottleKey {
  key: string;
  rule: ThrottleRule;
}

/** Hashed, so that a mistyped password in the field for the e-mail address is not kept. */
const hashedAccount = (email: string): string => sha256(emailKey(email)).toString('base64url');

/**
 * What a guess at sign-in counts for, the one that a right password clears first. A browser that has signed in before counts
 * for itself alone: what strangers guess elsewhere does not shut its owner out.
 */
export function signInTries(
  email: string,
  from: { ip: string; known: string | null },
): [ThrottleKey, ...ThrottleKey[]] {
  const account = hashedAccount(email);
  if (from.known !== null) return [{ key: `browser ${from.known} ${account}`, rule: RULES.account }];
  const address = addressKey(from.ip);
  return [
    { key: `account ${account} ${address}`, rule: RULES.account },
    { key: `account ${account}`, rule: RULES.everywhere },
    { key: `address ${address}`, rule: RULES.address },
  ];
}

/** Tries of a signed-in user, or of one whose password was right, are counted apart: no stranger can use them up. */
export const ownTries = (what: 'confirm' | 'code', userId: string): ThrottleKey => ({
  key: `${what} ${userId}`,
  rule: RULES.account,
});

export const requestTries = (what: string, ip: string): ThrottleKey => ({
  key: `${what} ${addressKey(ip)}`,
  rule: RULES.request,
});

export const mailTries = (what: string, to: string): ThrottleKey => ({
  key: `${what} ${sha256(emailKey(to)).toString('base64url')}`,
  rule: RULES.mail,
});

function tooManyTries(seconds: number): AppError {
  return new AppError('rate_limited', {
    detail: `Too many tries. Try again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  });
}

/**
 * Counts a try before it is made: guesses that are sent side by side are counted like those one after the other. A
 * caller who turns out to be right gets the try back.
 */
export async function takeTry(db: Db, keys: ThrottleKey[]): Promise<void> {
  const inOrder = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  await db.transaction(async tx => {
    for (const { key, rule } of inOrder) {
      const tries = await lockTries(tx, key, FORGET_SECONDS);
      const seconds = waitSeconds(rule, tries);
      if (seconds > 0) throw tooManyTries(seconds);
      updateTries(tx, key, tries.failures + 1);
    }
    deleteOldTries(tx, FORGET_SECONDS);
  });
}

export const giveTryBack = (db: Db, { key }: ThrottleKey): Promise<void> => updateTriesReleased(db, key);

export const forgetTries = (db: Db, { key }: ThrottleKey): Promise<void> => deleteTries(db, key);
