import { AppError } from '../../kit/app-error.ts';
import { type Actor, type Person, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { endOtherAccess } from './mail-links/mail-link.ts';
import {
  assertProven,
  checkCode,
  checkTotp,
  hasSecondFactor,
  newTotpSecret,
  replaceRecoveryCodes,
  totpContext,
  totpUri,
} from './second-factor.ts';
import { forgetTries, ownTries, takeTry } from './throttle.ts';
import { deleteRecoveryCodes, lockUser, updateTotpConfirmed, updateTotpOff, updateTotpStarted } from './user.sql.ts';
import { queueAccountMail } from './user-mail.ts';

/** The secret is kept sealed and counts for nothing until a code proves that the app has it. */
export async function beginTotp(shop: Shop, actor: Actor): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  await shop.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    assertProven(user);
    if (user.totpConfirmedAt) throw new AppError('totp_wrong_state', { detail: 'Two-step sign-in is on already.' });
    updateTotpStarted(tx, user.id, shop.seal.seal(secret, totpContext(user.id)));
  });
  return { secret, uri: totpUri(secret, actor.email) };
}

interface CodeFromSession {
  code: string;
  sessionId: string;
}

/** Sessions that were opened without a code end. */
export async function confirmTotp(shop: Shop, actor: Person, { code, sessionId }: CodeFromSession): Promise<string[]> {
  const tries = ownTries('code', actor.userId);
  await takeTry(shop.db, [tries]);
  const codes = await shop.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    if (!user.totpSealed || user.totpConfirmedAt) throw new AppError('totp_wrong_state');
    if (!checkTotp(shop, tx, user, code)) throw new AppError('totp_invalid');
    updateTotpConfirmed(tx, user.id);
    await endOtherAccess(tx, user.id, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.totp_enabled' });
    await queueAccountMail(tx, shop.publicUrl, { kind: 'totpOn', recipient: actor.email, language: actor.language });
    return replaceRecoveryCodes(shop.seal, tx, user.id);
  });
  await forgetTries(shop.db, tries);
  return codes;
}

export async function disableTotp(
  shop: Shop,
  actor: Person,
  { code, sessionId }: { code?: string | undefined; sessionId: string },
): Promise<void> {
  const tries = ownTries('code', actor.userId);
  await takeTry(shop.db, [tries]);
  await shop.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    if (!user.totpConfirmedAt) throw new AppError('totp_wrong_state', { detail: 'Two-step sign-in is off already.' });
    if (code === undefined || !(await checkCode(shop, tx, user, code))) throw new AppError('totp_invalid');
    updateTotpOff(tx, user.id);
    if (user.passkeys === 0) deleteRecoveryCodes(tx, user.id);
    await endOtherAccess(tx, user.id, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.totp_disabled' });
    await queueAccountMail(tx, shop.publicUrl, { kind: 'totpOff', recipient: actor.email, language: actor.language });
  });
  await forgetTries(shop.db, tries);
}

export function renewRecoveryCodes(shop: Shop, actor: Actor): Promise<string[]> {
  return shop.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    if (!hasSecondFactor(user)) throw new AppError('totp_wrong_state', { detail: 'Two-step sign-in is off.' });
    writeAudit(tx, actor, { companyId: null, kind: 'user.recovery_codes_renewed' });
    return replaceRecoveryCodes(shop.seal, tx, user.id);
  });
}
