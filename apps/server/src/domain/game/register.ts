import type { Issue } from '@coinslot/contract';
import { constraintOf, type Db, type Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { writeAudit } from '../audit/audit.ts';
import { insertCompany } from '../company/company.sql.ts';
import { insertMember } from '../company/member.sql.ts';
import { hashPassword, type PasswordCost } from '../user/password.ts';
import { type Caller, startSession } from '../user/start-session.ts';
import { requestTries, takeTry } from '../user/throttle.ts';
import { insertUser } from '../user/user.sql.ts';
import { type IssuedKey, openGame } from './open-game.ts';
import { checkRegistration, type RegistrationForm } from './registration.ts';
import type { StoreLink } from './store-link.ts';

export interface RegisterDeps {
  db: Db;
  seal: Seal;
  passwordCost?: PasswordCost;
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

function invalid(issues: Issue[]): AppError {
  const detail = issues.length === 1 ? 'One field is wrong.' : `${issues.length} fields are wrong.`;
  return new AppError('validation_failed', { detail, issues });
}

/** A user, a company with one game, and a key for each of its two environments: all of it or nothing. */
export async function register(deps: RegisterDeps, form: RegistrationForm, ip = 'command line'): Promise<Registered> {
  const checked = checkRegistration(form);
  if ('issues' in checked) throw invalid(checked.issues);
  const { email, password, company, gameName, storeLink, name, locale } = checked.registration;
  const passwordHash = await hashPassword(password, deps.passwordCost);
  const userId = newId('usr');
  const companyId = newId('cmp');
  const write = async (tx: Tx): Promise<Registered> => {
    await insertUser(tx, { id: userId, email, passwordHash, name, locale });
    await insertCompany(tx, { id: companyId, name: company });
    await insertMember(tx, companyId, userId, 'owner');
    const after = { name: company, game: gameName, store_url: storeLink.url };
    writeAudit(tx, { userId, email, ip }, { companyId, kind: 'company.registered', objectId: companyId, after });
    const game = await openGame(tx, deps.seal, { companyId, name: gameName, storeLink });
    return { userId, companyId, gameName, storeLink, ...game };
  };
  return await deps.db.transaction(write).catch((error: unknown) => {
    if (constraintOf(error) !== 'users_email') throw error;
    throw new AppError('email_taken', { detail: `${email} is registered already.`, cause: error });
  });
}

/** Registers from the browser and answers with the token of a new session. */
export async function registerVisitor(deps: RegisterDeps, form: RegistrationForm, caller: Caller): Promise<string> {
  await takeTry(deps.db, [requestTries('register', caller.ip)]);
  const { userId } = await register(deps, form, caller.ip);
  return deps.db.transaction(async tx => startSession(tx, userId, caller));
}
