import type { Db } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { updateSessionConfirmed } from '../session.sql.ts';
import { type Browser, openSession, signOut } from '../sign-in.ts';
import { forgetTries, ownTries, requestTries, takeTry } from '../throttle.ts';
import { lockUser } from '../user.sql.ts';
import { findPasskeyByCredential, listPasskeys, type Passkey, updatePasskeyUsed } from './passkey.sql.ts';
import { authenticationOptions, type CeremonyAnswer, type CeremonyOptions, verifyPasskey } from './passkey.ts';

async function passkeyOf(db: Db, answer: CeremonyAnswer): Promise<Passkey> {
  const passkey = typeof answer.id === 'string' ? await findPasskeyByCredential(db, answer.id) : null;
  if (!passkey) throw new AppError('passkey_invalid');
  return passkey;
}

export async function beginPasskeySignIn(shop: Shop, ip: string): Promise<CeremonyOptions> {
  await takeTry(shop.db, [requestTries('passkey', ip)]);
  return authenticationOptions(shop, 'sign_in', null);
}

/** The device has checked its owner, so it is password and second factor in one. */
export async function signInWithPasskey(shop: Shop, answer: CeremonyAnswer, browser: Browser): Promise<string> {
  const { db } = shop;
  await takeTry(db, [requestTries('passkey use', browser.ip)]);
  const passkey = await passkeyOf(db, answer);
  const counter = await verifyPasskey(shop, { kind: 'sign_in', userId: null }, passkey, answer);
  const token = await db.transaction(async tx => {
    const user = await lockUser(tx, passkey.userId);
    if (!(await updatePasskeyUsed(tx, passkey, counter))) throw new AppError('passkey_invalid');
    return openSession(shop, tx, user, { browser, by: 'passkey' });
  });
  await signOut(shop, browser);
  return token;
}

export async function beginPasskeyConfirmation(shop: Shop, actor: Actor): Promise<CeremonyOptions> {
  const passkeys = await listPasskeys(shop.db, actor.userId);
  if (passkeys.length === 0) throw new AppError('passkey_not_found');
  return authenticationOptions(shop, 'confirm', actor.userId, passkeys);
}

/** For the session's next minutes, or for the request at hand alone when no session is named. */
export async function confirmByPasskey(
  shop: Shop,
  actor: Actor,
  { answer, sessionId }: { answer: CeremonyAnswer; sessionId: string | null },
): Promise<void> {
  const { db } = shop;
  const tries = ownTries('confirm', actor.userId);
  await takeTry(db, [tries]);
  const passkey = await passkeyOf(db, answer);
  if (passkey.userId !== actor.userId) throw new AppError('passkey_invalid');
  const counter = await verifyPasskey(shop, { kind: 'confirm', userId: actor.userId }, passkey, answer);
  await db.transaction(async tx => {
    await lockUser(tx, actor.userId);
    if (!(await updatePasskeyUsed(tx, passkey, counter))) throw new AppError('passkey_invalid');
    if (sessionId !== null) await updateSessionConfirmed(tx, actor.userId, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.confirmed_by_passkey', objectId: passkey.id });
  });
  await forgetTries(db, tries);
}
