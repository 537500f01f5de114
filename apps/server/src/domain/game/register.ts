import type { Issue } from '@coinslot/contract';
import { constraintOf, type Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { writeAudit } from '../audit/audit.ts';
import { insertCompany } from '../company/company.sql.ts';
import { insertMember } from '../company/member.sql.ts';
import type { Shop } from '../shop.ts';
import { hashPassword } from '../user/password.ts';
import { insertUser } from '../user/user.sql.ts';
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
