import type { Db } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { updateSessionConfirmed } from '../session.sql.ts';
import { type Browser, openSession, type SignInDeps, signOut } from '../sign-in.ts';
import { forgetTries, ownTries, requestTries, takeTry } from '../throttle.ts';
import { lockUser } from '../user.sql.ts';
import { findPasskeyByCredential, listPasskeys, type Passkey, updatePasskeyUsed } from './passkey.sql.ts';
import {
  authenticationOptions,
  type CeremonyAnswer,
  type CeremonyOptions,
  type PasskeyDeps,
  verifyPasskey,
} from './passkey.ts';

async function passkeyOf(db: Db, answer: CeremonyAnswer): Promise<Passkey> {
  const passkey = typeof answer.id === 'string' ? await findPasskeyByCredential(db, answer.id) : null;
  if (!passkey) throw new AppError('passkey_invalid');
  return passkey;
}

export async function beginPasskeySignIn(deps: PasskeyDeps, ip: string): Promise<CeremonyOptions> {
  await takeTry(deps.db, [requestTries('passkey', ip)]);
  return authenticationOptions(deps, 'sign_in', null);
}

/** The device has checked its owner, so it is password and second factor in one. */
export async function signInWithPasskey(
  deps: SignInDeps & PasskeyDeps,
  answer: CeremonyAnswer,
  browser: Browser,
): Promise<string> {
  const { db } = deps;
  await takeTry(db, [requestTries('passkey use', browser.ip)]);
  const passkey = await passkeyOf(db, answer);
  const counter = await verifyPasskey(deps, { kind: 'sign_in', userId: null }, passkey, answer);
  const token = await db.transaction(async tx => {
    const user = await lockUser(tx, passkey.userId);
    if (!(await updatePasskeyUsed(tx, passkey, counter))) throw new AppError('passkey_invalid');
    return openSession(deps, tx, user, { browser, by: 'passkey' });
  });
  await signOut(deps, browser);
  return token;
}

export async function beginPasskeyConfirmation(deps: PasskeyDeps, actor: Actor): Promise<CeremonyOptions> {
  const passkeys = await listPasskeys(deps.db, actor.userId);
  if (passkeys.length === 0) throw new AppError('passkey_not_found');
  return authenticationOptions(deps, 'confirm', actor.userId, passkeys);
}

/** For the session's next minutes, or for the request at hand alone when no session is named. */
export async function confirmByPasskey(
  deps: PasskeyDeps,
  actor: Actor,
  { answer, sessionId }: { answer: CeremonyAnswer; sessionId: string | null },
): Promise<void> {
  const { db } = deps;
  const tries = ownTries('confirm', actor.userId);
  await takeTry(db, [tries]);
  const passkey = await passkeyOf(db, answer);
  if (passkey.userId !== actor.userId) throw new AppError('passkey_invalid');
  const counter = await verifyPasskey(deps, { kind: 'confirm', userId: actor.userId }, passkey, answer);
  await db.transaction(async tx => {
    await lockUser(tx, actor.userId);
    if (!(await updatePasskeyUsed(tx, passkey, counter))) throw new AppError('passkey_invalid');
    if (sessionId !== null) await updateSessionConfirmed(tx, actor.userId, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.confirmed_by_passkey', objectId: passkey.id });
  });
  await forgetTries(db, tries);
}
