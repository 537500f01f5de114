import type { Db } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { type Actor, type Person, writeAudit } from '../audit/audit.ts';
import { confirmPassword } from './confirm-password.ts';
import { endOtherAccess } from './mail-links/mail-link.ts';
import {
  type CodeDeps,
  checkCode,
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  totpContext,
  totpUri,
} from './second-factor.ts';
import { accountTries, giveTryBack, takeTry } from './throttle.ts';
import {
  deleteRecoveryCodes,
  insertRecoveryCodes,
  lockUser,
  updateTotpConfirmed,
  updateTotpOff,
  updateTotpStarted,
} from './user.sql.ts';
import { queueAccountMail } from './user-mail.ts';

export interface TotpDeps extends CodeDeps {
  db: Db;
}

/** The secret is kept sealed and counts for nothing until a code proves that the app has it. */
export async function beginTotp(
  deps: TotpDeps,
  actor: Actor,
  password: string,
): Promise<{ secret: string; uri: string }> {
  await confirmPassword(deps, actor.userId, password);
  const secret = newTotpSecret();
  await deps.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    if (user.totpConfirmedAt) throw new AppError('totp_wrong_state', { detail: 'Two-step sign-in is on already.' });
    updateTotpStarted(tx, user.id, deps.seal.seal(secret, totpContext(user.id)));
  });
  return { secret, uri: totpUri(secret, actor.email) };
}

/** Sessions that were opened without a code end. */
export async function confirmTotp(
  deps: TotpDeps,
  actor: Person,
  { code, sessionId }: { code: string; sessionId: string },
): Promise<string[]> {
  const tries = accountTries(actor.email);
  await takeTry(deps.db, [tries]);
  const codes = newRecoveryCodes();
  await deps.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    if (!user.totpSealed || user.totpConfirmedAt) throw new AppError('totp_wrong_state');
    if (!(await checkCode(deps, tx, user, code))) throw new AppError('totp_invalid');
    updateTotpConfirmed(tx, user.id);
    deleteRecoveryCodes(tx, user.id);
    insertRecoveryCodes(
      tx,
      user.id,
      codes.map(one => recoveryCodeHash(deps.seal, user.id, one)),
    );
    await endOtherAccess(tx, user.id, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.totp_enabled' });
    await queueAccountMail(tx, { kind: 'totpOn', recipient: actor.email, language: actor.language });
  });
  await giveTryBack(deps.db, tries);
  return codes;
}

export async function disableTotp(
  deps: TotpDeps,
  actor: Person,
  { password, code, sessionId }: { password: string; code?: string | undefined; sessionId: string },
): Promise<void> {
  await confirmPassword(deps, actor.userId, password);
  const tries = accountTries(actor.email);
  await takeTry(deps.db, [tries]);
  await deps.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    if (!user.totpConfirmedAt) throw new AppError('totp_wrong_state', { detail: 'Two-step sign-in is off already.' });
    if (code === undefined || !(await checkCode(deps, tx, user, code))) throw new AppError('totp_invalid');
    updateTotpOff(tx, user.id);
    deleteRecoveryCodes(tx, user.id);
    await endOtherAccess(tx, user.id, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.totp_disabled' });
    await queueAccountMail(tx, { kind: 'totpOff', recipient: actor.email, language: actor.language });
  });
  await giveTryBack(deps.db, tries);
}

export async function renewRecoveryCodes(deps: TotpDeps, actor: Actor, password: string): Promise<string[]> {
  await confirmPassword(deps, actor.userId, password);
  const codes = newRecoveryCodes();
  await deps.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    if (!user.totpConfirmedAt) throw new AppError('totp_wrong_state', { detail: 'Two-step sign-in is off.' });
    deleteRecoveryCodes(tx, user.id);
    insertRecoveryCodes(
      tx,
      user.id,
      codes.map(one => recoveryCodeHash(deps.seal, user.id, one)),
    );
    writeAudit(tx, actor, { companyId: null, kind: 'user.recovery_codes_renewed' });
  });
  return codes;
}
