import type { Issue } from '@coinslot/contract';
import { hash, verify } from '@node-rs/argon2';
import { semaphore } from '../../kit/concurrency.ts';
import { isGuessable } from './guessable-password.ts';

const SHORTEST = 10;
const LONGEST = 1_000;

const isRepetition = (text: string): boolean => /^(.{1,4})\1+$/u.test(text);

const weak = (message: string): Issue => ({ pointer: '/password', code: 'password_weak', message });

/** What is wrong with a password, given what else is known about its owner. */
export function passwordIssue(password: string, owner: { email: string; company?: string }): Issue | null {
  const length = Array.from(password).length;
  if (length === 0) return { pointer: '/password', code: 'required', message: 'A password is required.' };
  if (length < SHORTEST) {
    return { pointer: '/password', code: 'too_short', message: `Must have at least ${SHORTEST} characters.` };
  }
  if (length > LONGEST) {
    return { pointer: '/password', code: 'too_long', message: `Must have at most ${LONGEST} characters.` };
  }
  const lowered = password.toLowerCase();
  const known = [owner.email, owner.email.split('@')[0]!, owner.company ?? owner.email].map(text =>
    text.trim().toLowerCase(),
  );
  if (known.includes(lowered.trim())) return weak('Must not be the e-mail address or the name of the company.');
  if (isGuessable(lowered)) return weak('This password is on every list of common passwords.');
  if (isRepetition(lowered)) return weak('Must not be the same few characters again and again.');
  return null;
}

export interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** Above what OWASP asks of argon2id (19 MiB, 2 passes), and small enough for several at once on a small machine. */
const PASSWORD_COST: PasswordCost = { memoryKib: 32_768, passes: 3 };

/** Each takes its memory and one of the few threads that the program has for such work; a flood must take neither from payments. */
const inTurn = semaphore(2);

/** argon2id, with its parameters in the text, so that they can grow. */
export const hashPassword = (password: string, cost: PasswordCost = PASSWORD_COST): Promise<string> =>
  // Keyboards write one accented letter in several ways.
  inTurn(() => hash(password.normalize('NFKC'), { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 }));

let decoy: Promise<string> | undefined;

/** Without a hash the same work is done in vain, so that the time does not show which addresses have an account. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no user has this password');
  const known = passwordHash ?? (await decoy);
  const isRight = await inTurn(() => verify(known, password.normalize('NFKC')));
  return passwordHash !== null && isRight;
}
