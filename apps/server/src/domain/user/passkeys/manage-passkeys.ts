import { orConflict } from '../../../db/db.ts';
import { AppError, assertNoIssues, foundOr } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import { type Actor, type Person, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { nameIssue } from '../field-issues.ts';
import { endOtherAccess } from '../mail-links/mail-link.ts';
import { assertProven, hasSecondFactor, replaceRecoveryCodes } from '../second-factor.ts';
import { deleteRecoveryCodes, findUser, lockUser } from '../user.sql.ts';
import { queueAccountMail } from '../user-mail.ts';
import { deletePasskey, insertPasskey, listPasskeys, updatePasskeyName } from './passkey.sql.ts';
import { type CeremonyAnswer, type CeremonyOptions, registrationOptions, verifyNewPasskey } from './passkey.ts';

const MOST_PASSKEYS = 20;

function checkedName(given: string): string {
  const name = given.trim();
  assertNoIssues(nameIssue(name, '/name'));
  return name;
}

export async function beginPasskey(shop: Shop, actor: Actor): Promise<CeremonyOptions> {
  const [user, existing] = await Promise.all([findUser(shop.db, actor.userId), listPasskeys(shop.db, actor.userId)]);
  if (!user) throw new AppError('sign_in_required');
  assertProven(user);
  if (existing.length >= MOST_PASSKEYS) throw new AppError('too_many_passkeys');
  return registrationOptions(shop, user, existing);
}

export interface NewPasskey {
  name: string;
  answer: CeremonyAnswer;
  /** The session of this request, which stays when the user's others end. */
  sessionId: string;
}

/** The first second factor comes with recovery codes, for the day when the device is lost. */
export async function addPasskey(
  shop: Shop,
  actor: Person,
  { name: given, answer, sessionId }: NewPasskey,
): Promise<string[] | null> {
  const name = checkedName(given);
  const made = await verifyNewPasskey(shop, actor.userId, answer);
  return shop.db
    .transaction(async tx => {
      const user = await lockUser(tx, actor.userId);
      assertProven(user);
      const id = newId('psk');
      await insertPasskey(tx, { userId: user.id, id, name, ...made });
      const codes = hasSecondFactor(user) ? null : replaceRecoveryCodes(shop.seal, tx, user.id);
      if (codes) await endOtherAccess(tx, user.id, sessionId);
      writeAudit(tx, actor, { companyId: null, kind: 'user.passkey_added', objectId: id, after: { name } });
      await queueAccountMail(tx, shop.publicUrl, {
        kind: 'passkeyAdded',
        recipient: user.email,
        language: actor.language,
      });
      return codes;
    })
    .catch(orConflict('passkeys_credential_id_key', 'passkey_invalid'));
}

export async function renamePasskey(shop: Shop, actor: Actor, id: string, given: string): Promise<void> {
  const name = checkedName(given);
  await shop.db.transaction(async tx => {
    const before = await foundOr('passkey_not_found', updatePasskeyName(tx, actor.userId, id, name));
    const changed = { before: { name: before }, after: { name } };
    writeAudit(tx, actor, { companyId: null, kind: 'user.passkey_renamed', objectId: id, ...changed });
  });
}

/** With the last second factor go the recovery codes, which would be one. */
export async function removePasskey(
  shop: Shop,
  actor: Person,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<void> {
  await shop.db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    const name = await foundOr('passkey_not_found', deletePasskey(tx, actor.userId, id));
    if (user.passkeys === 1 && !user.totpConfirmedAt) deleteRecoveryCodes(tx, user.id);
    await endOtherAccess(tx, user.id, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.passkey_removed', objectId: id, before: { name } });
    await queueAccountMail(tx, shop.publicUrl, {
      kind: 'passkeyRemoved',
      recipient: user.email,
      language: actor.language,
    });
  });
}
