import { AppError } from '../../kit/app-error.ts';
import { writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { verifyPassword } from '../user/password.ts';
import { findUserByEmail } from '../user/user.sql.ts';
import { listOwnedEnvironments, type OwnedEnvironment } from './access.sql.ts';
import { listKeys } from './keys/s2s-key.sql.ts';
import type { IssuedKey } from './open-game.ts';
import type { Registered } from './register.ts';
import { checkRegistration, type RegistrationForm } from './registration.ts';

async function keyOf({ db, seal }: Pick<Shop, 'db' | 'seal'>, { environmentId }: OwnedEnvironment): Promise<IssuedKey> {
  const key = (await listKeys(db, environmentId)).find(({ revokedAt }) => revokedAt === null);
  if (!key)
    throw new AppError('key_not_found', {
      detail: 'Every S2S key of the game was revoked; make one in the dashboard.',
    });
  return { environmentId, s2sKey: seal.open(key.sealed, key.id) };
}

/**
 * The account that the same registration made before, with its keys; null when its owner, password, company or game differ,
 * so that the caller never learns which of them does.
 */
export async function findRegistered(
  shop: Pick<Shop, 'db' | 'seal'>,
  form: RegistrationForm,
): Promise<Registered | null> {
  const checked = checkRegistration(form);
  if ('issues' in checked) return null;
  const { email, password, company, storeLink } = checked.registration;
  const user = await findUserByEmail(shop.db, email);
  if (!(await verifyPassword(user?.passwordHash ?? null, password)) || !user) return null;
  const owned = await listOwnedEnvironments(shop.db, user.id, { company, storeLink });
  const sandbox = owned.find(({ mode }) => mode === 'sandbox');
  const live = owned.find(({ mode, gameId }) => mode === 'live' && gameId === sandbox?.gameId);
  if (!sandbox || !live) return null;
  const { companyId, gameId, gameName } = sandbox;
  const keys = { sandbox: await keyOf(shop, sandbox), live: await keyOf(shop, live) };
  await shop.db.transaction(async tx => {
    const actor = { userId: user.id, email, ip: 'command line' };
    for (const { environmentId } of [sandbox, live])
      writeAudit(tx, actor, { companyId, environmentId, kind: 'key.revealed', objectId: gameId });
  });
  return { userId: user.id, companyId, gameId, gameName, storeLink, ...keys };
}
