import type { DashboardLocale } from '@coinslot/contract';
import type { Db, Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { browserName, knownBrowser } from './known-browser.ts';
import { verifyPassword } from './password.ts';
import { checkCode, hasSecondFactor, secondFactorWanted } from './second-factor.ts';
import type { SignedIn } from './session.sql.ts';
import { type Caller, endSession, startSession } from './start-session.ts';
import { forgetTries, giveTryBack, ownTries, signInTries, takeTry } from './throttle.ts';
import { findUserByEmail, lockUser, type User } from './user.sql.ts';
import { mailLanguage, queueAccountMail } from './user-mail.ts';

export interface SignInForm {
  email: string;
  password: string;
  code?: string | undefined;
}

/** The calling browser, with the session that its cookie named. */
export interface Browser extends Caller {
  signedIn: SignedIn | null;
  language: DashboardLocale;
}

const timeText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A session for a user who has proven everything; a sign-in from an unknown browser is notified by mail. */
export async function openSession(
  { seal, clock, publicUrl }: Shop,
  tx: Tx,
  user: User,
  { browser, by }: { browser: Browser; by: 'password' | 'passkey' },
): Promise<string> {
  const actor = { userId: user.id, email: user.email, ip: browser.ip };
  const isKnown = knownBrowser(seal, browser.browserCookie, user.email) !== null;
  const name = browserName(browser.userAgent);
  writeAudit(tx, actor, { companyId: null, kind: 'user.signed_in', after: { by, browser: name, is_new: !isKnown } });
  if (!isKnown) {
    const values = { time: timeText(clock.nowSeconds()), browser: name, ip: browser.ip };
    const language = mailLanguage(user.locale, browser.language);
    await queueAccountMail(tx, publicUrl, { kind: 'newBrowser', recipient: user.email, language, values });
  }
  return startSession(tx, user.id, browser, { signedInBy: by });
}

async function begin(shop: Shop, tx: Tx, user: User, form: SignInForm, browser: Browser): Promise<string> {
  const locked = await lockUser(tx, user.id);
  // The password was changed while it was checked.
  if (locked.passwordHash !== user.passwordHash) throw new AppError('sign_in_failed');
  if (hasSecondFactor(locked)) {
    if (form.code === undefined) throw secondFactorWanted(locked);
    if (!(await checkCode(shop, tx, locked, form.code))) throw new AppError('totp_invalid');
  }
  return openSession(shop, tx, locked, { browser, by: 'password' });
}

/** A failed sign-in shows on the profile of the user whose account was tried, and in the log of their companies. */
async function writeFailure(db: Db, user: User, ip: string, reason: 'password' | 'code'): Promise<void> {
  const actor: Actor = { userId: user.id, email: user.email, ip };
  await db.transaction(async tx =>
    writeAudit(tx, actor, { companyId: null, kind: 'user.sign_in_failed', after: { wrong: reason } }),
  );
}

async function beginWithCode(shop: Shop, user: User, form: SignInForm, browser: Browser): Promise<string> {
  const codeTries = form.code === undefined ? null : ownTries('code', user.id);
  if (codeTries) await takeTry(shop.db, [codeTries]);
  const token = await shop.db.transaction(tx => begin(shop, tx, user, form, browser));
  if (codeTries) await forgetTries(shop.db, codeTries);
  return token;
}

const isOneOf = (error: unknown, ...codes: string[]): boolean =>
  error instanceof AppError && codes.includes(error.code);

async function checkAndBegin(shop: Shop, form: SignInForm, browser: Browser): Promise<string> {
  const { db, seal } = shop;
  const known = knownBrowser(seal, browser.browserCookie, form.email);
  const [own, ...others] = signInTries(form.email, { ip: browser.ip, known });
  await takeTry(db, [own, ...others]);
  const user = await findUserByEmail(db, form.email);
  const isRight = await verifyPassword(user?.passwordHash ?? null, form.password);
  if (user && !isRight) await writeFailure(db, user, browser.ip, 'password');
  if (!user || !isRight) throw new AppError('sign_in_failed');
  const uncount = (): Promise<unknown> => Promise.all(others.map(key => giveTryBack(db, key)));
  try {
    const token = await beginWithCode(shop, user, form, browser);
    await Promise.all([forgetTries(db, own), uncount()]);
    return token;
  } catch (error) {
    // Nothing was guessed yet: the password is right and the second factor is still to come.
    if (isOneOf(error, 'totp_required', 'passkey_required')) await Promise.all([giveTryBack(db, own), uncount()]);
    if (isOneOf(error, 'totp_invalid')) await writeFailure(db, user, browser.ip, 'code');
    throw error;
  }
}

export async function signOut(shop: Shop, { signedIn, ip }: Pick<Browser, 'signedIn' | 'ip'>): Promise<void> {
  if (!signedIn) return;
  const { userId, email, sessionId } = signedIn;
  await endSession(shop, { userId, email, ip }, sessionId);
}

/**
 * Answers with the token of a new session; the one that this browser had before ends, as its cookie is gone. An unknown
 * address takes as long as a wrong password.
 */
export async function signIn(shop: Shop, form: SignInForm, browser: Browser): Promise<string> {
  const token = await checkAndBegin(shop, form, browser);
  await signOut(shop, browser);
  return token;
}
