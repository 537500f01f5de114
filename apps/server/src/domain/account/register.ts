import type { Issue } from '@coinslot/contract';
import { constraintOf, type Db, type Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import type { Money } from '../../kit/money.ts';
import type { Seal } from '../../kit/seal.ts';
import { insertCompany, insertEnvironment, insertGame, insertKey, insertOwner, insertUser } from './account.sql.ts';
import type { Mode } from './environment.ts';
import { hashPassword, type PasswordCost } from './password.ts';
import { checkRegistration, type RegistrationForm } from './registration.ts';
import { keyFingerprint, newS2sKey } from './s2s-key.ts';
import type { StoreLink } from './store-link.ts';

export interface RegisterDeps {
  db: Db;
  seal: Seal;
  passwordCost?: PasswordCost;
}

export interface IssuedKey {
  environmentId: string;
  s2sKey: string;
}

export interface Registered {
  userId: string;
  companyId: string;
  gameId: string;
  gameName: string;
  storeLink: StoreLink;
  sandbox: IssuedKey;
  live: IssuedKey;
}

/** So that a first order needs nothing but a player and a sku. */
const SANDBOX_PRICE: Money = { amountMinor: 100, currency: 'USD' };

function invalid(issues: Issue[]): AppError {
  const detail = issues.length === 1 ? 'One field is wrong.' : `${issues.length} fields are wrong.`;
  return new AppError('validation_failed', { detail, issues });
}

async function openEnvironment(tx: Tx, seal: Seal, gameId: string, mode: Mode): Promise<IssuedKey> {
  const environmentId = newId('env');
  const keyId = newId('key');
  const s2sKey = newS2sKey(mode);
  const defaultPrice = mode === 'sandbox' ? SANDBOX_PRICE : null;
  await insertEnvironment(tx, { id: environmentId, gameId, mode, defaultPrice });
  const keyHash = Buffer.from(keyFingerprint(s2sKey), 'hex');
  await insertKey(tx, { environmentId, id: keyId, keyHash, keySealed: seal.seal(s2sKey, keyId) });
  return { environmentId, s2sKey };
}

/** A user, a company with one game, and a key for each of its two environments: all of it or nothing. */
export async function register(deps: RegisterDeps, form: RegistrationForm): Promise<Registered> {
  const checked = checkRegistration(form);
  if ('issues' in checked) throw invalid(checked.issues);
  const { email, password, company, gameName, storeLink } = checked.registration;
  const passwordHash = await hashPassword(password, deps.passwordCost);
  const userId = newId('usr');
  const companyId = newId('cmp');
  const gameId = newId('game');
  const write = async (tx: Tx): Promise<Registered> => {
    await insertUser(tx, { id: userId, email, passwordHash });
    await insertCompany(tx, { id: companyId, name: company });
    await insertOwner(tx, companyId, userId);
    await insertGame(tx, { id: gameId, companyId, name: gameName, storeLink });
    const live = await openEnvironment(tx, deps.seal, gameId, 'live');
    const sandbox = await openEnvironment(tx, deps.seal, gameId, 'sandbox');
    return { userId, companyId, gameId, gameName, storeLink, sandbox, live };
  };
  return await deps.db.transaction(write).catch((error: unknown) => {
    if (constraintOf(error) !== 'users_email') throw error;
    throw new AppError('email_taken', { detail: `${email} is registered already.`, cause: error });
  });
}
