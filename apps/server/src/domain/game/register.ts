import type { Issue } from '@coinslot/contract';
import { constraintOf, type Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { writeAudit } from '../audit/audit.ts';
import { insertCompany } from '../company/company.sql.ts';
import { insertMember } from '../company/member.sql.ts';
import type { Shop } from '../shop.ts';
import { hashPassword, verifyPassword } from '../user/password.ts';
import { findUserByEmail, insertUser } from '../user/user.sql.ts';
import { listOwnedEnvironments, type OwnedEnvironment } from './environment.sql.ts';
import { listKeys } from './keys/s2s-key.sql.ts';
import { type IssuedKey, openGame } from './open-game.ts';
import { checkRegistration, type Registration, type RegistrationForm } from './registration.ts';
import type { StoreLink } from './stores/store-link.ts';

export interface Registered {
  userId: string;
  companyId: string;
  gameId: string;
  gameName: string;
  storeLink: StoreLink;
  sandbox: IssuedKey;
  live: IssuedKey;
}

function invalid(issues: Issue[]): AppError {
  const detail = issues.length === 1 ? 'One field is wrong.' : `${issues.length} fields are wrong.`;
  return new AppError('validation_failed', { detail, issues });
}

export function checkedRegistration(form: RegistrationForm): Registration {
  const checked = checkRegistration(form);
  if ('issues' in checked) throw invalid(checked.issues);
  return checked.registration;
}

export interface Registrant {
  registration: Registration;
  passwordHash: string;
  ip: string;
  isVerified: boolean;
}

/** A user, a company with one game, and a key for each of its two environments: all of it or nothing. */
export async function writeRegistration(tx: Tx, seal: Seal, registrant: Registrant): Promise<Registered> {
  const { registration, passwordHash, ip, isVerified } = registrant;
  const { email, company, gameName, storeLink, name, locale } = registration;
  const userId = newId('usr');
  const companyId = newId('cmp');
  await insertUser(tx, { id: userId, email, passwordHash, name, locale, isVerified });
  await insertCompany(tx, { id: companyId, name: company });
  await insertMember(tx, companyId, userId, 'owner');
  const after = { name: company, game: gameName, store_url: storeLink.url };
  writeAudit(tx, { userId, email, ip }, { companyId, kind: 'company.registered', objectId: companyId, after });
  const game = await openGame(tx, seal, { companyId, name: gameName, storeLink });
  return { userId, companyId, gameName, storeLink, ...game };
}

export const isEmailTaken = (error: unknown): boolean => constraintOf(error) === 'users_email';

/** From the operator's own shell, which needs no proof of the address and is never closed. */
export async function register(
  shop: Pick<Shop, 'db' | 'seal' | 'passwordCost'>,
  form: RegistrationForm,
): Promise<Registered> {
  const registration = checkedRegistration(form);
  const passwordHash = await hashPassword(registration.password, shop.passwordCost);
  const registrant = { registration, passwordHash, ip: 'command line', isVerified: true };
  return await shop.db
    .transaction(tx => writeRegistration(tx, shop.seal, registrant))
    .catch((error: unknown) => {
      if (!isEmailTaken(error)) throw error;
      throw new AppError('email_taken', { detail: `${registration.email} is registered already.`, cause: error });
    });
}

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
