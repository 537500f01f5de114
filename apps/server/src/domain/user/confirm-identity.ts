import { AppError, foundOr } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import type { CeremonyAnswer } from './passkeys/passkey.ts';
import { confirmByPasskey } from './passkeys/use-passkey.ts';
import { verifyPassword } from './password.ts';
import { confirmSecondFactor } from './second-factor.ts';
import { type SignedIn, updateSessionConfirmed } from './session.sql.ts';
import { forgetTries, ownTries, takeTry } from './throttle.ts';
import { findUser } from './user.sql.ts';

/** Guards what a stolen session must not do. */
export async function confirmPassword({ db }: Shop, userId: string, password: string): Promise<void> {
  const user = await foundOr('sign_in_required', findUser(db, userId));
  const tries = ownTries('confirm', user.id);
  await takeTry(db, [tries]);
  if (!(await verifyPassword(user.passwordHash, password))) throw new AppError('password_wrong');
  await forgetTries(db, tries);
}

/** Whether the user behind a session proved a moment ago who they are. */
export type Confirmation = Pick<SignedIn, 'isConfirmed'>;

/** A session alone is not enough for what would be worth stealing one. */
export function assertConfirmed({ isConfirmed }: Confirmation): void {
  if (!isConfirmed) throw new AppError('confirmation_required');
}

/**
 * A password in the request counts as much as a confirmation before it. For a user with a second factor the password alone is not
 * enough, because a thief may know it. A password that is given is always checked, because the session then gets a new token (row 263).
 */
export async function assertConfirmedBy(
  shop: Shop,
  signedIn: SignedIn,
  { password, code }: { password?: string | undefined; code?: string | undefined },
): Promise<void> {
  const isEnough = password !== undefined && (code !== undefined || !hasFactor(signedIn));
  if (!isEnough) assertConfirmed(signedIn);
  if (password !== undefined) await confirmPassword(shop, signedIn.userId, password);
}

type Factors = Pick<SignedIn, 'isConfirmed' | 'totpEnabled' | 'passkeys' | 'sso'>;

/** Of the user's own, or what the company's identity provider asks for. */
const hasFactor = ({ totpEnabled, passkeys, sso }: Factors): boolean => totpEnabled || passkeys > 0 || sso !== null;

/**
 * For a user with a second factor the password in the request is not enough: the session must also have been confirmed with the
 * factor in the last minutes.
 */
export function assertFactor(by: Factors): void {
  if (hasFactor(by)) assertConfirmed(by);
}

/** What comes with a request to prove who sends it. */
export interface Proof {
  by: Factors;
  password?: string | undefined;
  answer?: CeremonyAnswer | undefined;
}

/** A proof that is given is checked, also where none is needed: it gives the session a new token (row 263). */
export const isProofGiven = ({ password, answer }: Proof): boolean => password !== undefined || answer !== undefined;

/** Some acts need the proof in the request itself: one from a minute ago is not enough for them. */
export async function proveNow(shop: Shop, actor: Actor, { by, password, answer }: Proof): Promise<void> {
  if (answer) {
    await confirmByPasskey(shop, actor, { answer, sessionId: null });
    return;
  }
  assertFactor(by);
  if (!by.sso || password !== undefined) await confirmPassword(shop, actor.userId, password ?? '');
}

export async function confirmByPassword(
  shop: Shop,
  actor: Actor,
  { password, code, sessionId }: { password: string; code?: string | undefined; sessionId: string },
): Promise<void> {
  const { db } = shop;
  try {
    await confirmPassword(shop, actor.userId, password);
    await confirmSecondFactor(shop, actor.userId, code);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'password_wrong' || error.code === 'totp_invalid')) {
      await db.transaction(async tx => writeAudit(tx, actor, { companyId: null, kind: 'user.confirmation_failed' }));
    }
    throw error;
  }
  await updateSessionConfirmed(db, actor.userId, sessionId);
}
