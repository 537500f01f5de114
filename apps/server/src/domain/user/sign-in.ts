import type { Db, Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { writeAudit } from '../audit/audit.ts';
import { endSession } from './change-profile.ts';
import { verifyPassword } from './password.ts';
import { type CodeDeps, checkCode } from './second-factor.ts';
import type { SignedIn } from './session.sql.ts';
import { type Caller, startSession } from './start-session.ts';
import { accountTries, addressTries, forgetTries, giveTryBack, takeTry } from './throttle.ts';
import { findUserByEmail, lockUser, type User } from './user.sql.ts';

export interface SignInDeps extends CodeDeps {
  db: Db;
}

export interface SignInForm {
  email: string;
  password: string;
  code?: string | undefined;
}

async function begin(deps: SignInDeps, tx: Tx, user: User, code: string | undefined, caller: Caller): Promise<string> {
  const locked = await lockUser(tx, user.id);
  // The password was changed while it was checked.
  if (locked.passwordHash !== user.passwordHash) throw new AppError('sign_in_failed');
  const needsCode = locked.totpConfirmedAt !== null;
  if (needsCode && (code === undefined || !(await checkCode(deps, tx, locked, code)))) {
    throw new AppError(code === undefined ? 'totp_required' : 'totp_invalid');
  }
  writeAudit(tx, { userId: user.id, email: user.email, ip: caller.ip }, { companyId: null, kind: 'user.signed_in' });
  return startSession(tx, user.id, caller);
}

async function checkAndBegin(deps: SignInDeps, form: SignInForm, caller: Caller): Promise<string> {
  const { db } = deps;
  const account = accountTries(form.email);
  const address = addressTries(caller.ip);
  await takeTry(db, [account, address]);
  const user = await findUserByEmail(db, form.email.trim());
  const isRight = await verifyPassword(user?.passwordHash ?? null, form.password);
  if (!user || !isRight) throw new AppError('sign_in_failed');
  try {
    const token = await db.transaction(tx => begin(deps, tx, user, form.code, caller));
    await Promise.all([forgetTries(db, account), giveTryBack(db, address)]);
    return token;
  } catch (error) {
    // Nothing was guessed yet: the password is right and the code is still to come.
    if (error instanceof AppError && error.code === 'totp_required') {
      await Promise.all([giveTryBack(db, account), giveTryBack(db, address)]);
    }
    throw error;
  }
}

/** The calling browser, with the session that its cookie named. */
export interface Browser extends Caller {
  signedIn: SignedIn | null;
}

/** Ends the session of this browser, if it has one. */
export async function signOut({ db }: { db: Db }, { signedIn, ip }: Browser): Promise<void> {
  if (!signedIn) return;
  const { userId, email, sessionId } = signedIn;
  await endSession({ db }, { userId, email, ip }, sessionId);
}

/**
 * Answers with the token of a new session; the one that this browser had before ends, as its cookie is gone. An unknown
 * address takes as long as a wrong password.
 */
export async function signIn(deps: SignInDeps, form: SignInForm, browser: Browser): Promise<string> {
  const token = await checkAndBegin(deps, form, browser);
  await signOut(deps, browser);
  return token;
}
