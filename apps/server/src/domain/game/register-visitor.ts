import type { DashboardLocale } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { findFirstCompany, lockCompanies } from '../company/company.sql.ts';
import { sendVerification } from '../user/mail-links/verify-email.ts';
import { hashPassword } from '../user/password.ts';
import { type Caller, startSession } from '../user/start-session.ts';
import { mailTries, requestTries, takeTry } from '../user/throttle.ts';
import { findUserByEmail } from '../user/user.sql.ts';
import { mailLanguage, queueAccountMail } from '../user/user-mail.ts';
import {
  checkedRegistration,
  isEmailTaken,
  type RegisterDeps,
  type Registrant,
  writeRegistration,
} from './register.ts';
import type { RegistrationForm } from './registration.ts';

/** `first`: until there is a company. */
export type RegistrationRule = 'open' | 'closed' | 'first';

export interface VisitorDeps extends RegisterDeps {
  publicUrl: string;
  registration: RegistrationRule;
  /** Mails leave this installation, so that an answer can be given by mail. */
  sendsMail: boolean;
  background: (work: Promise<unknown>, what: string) => void;
}

export interface RegistrationCaller extends Caller {
  language: DashboardLocale;
}

export async function isRegistrationOpen(db: Db, rule: RegistrationRule): Promise<boolean> {
  return rule === 'first' ? (await findFirstCompany(db)) === null : rule === 'open';
}

async function write(deps: VisitorDeps, registrant: Registrant, caller: RegistrationCaller): Promise<string> {
  return deps.db.transaction(async tx => {
    if (deps.registration === 'first') {
      // Two strangers at once: one of them is first.
      await lockCompanies(tx);
      if (await findFirstCompany(tx)) throw new AppError('registration_closed');
    }
    const { userId } = await writeRegistration(tx, deps.seal, registrant);
    const { email, locale } = registrant.registration;
    await sendVerification(tx, deps.publicUrl, { id: userId, email, language: mailLanguage(locale, caller.language) });
    return startSession(tx, userId, caller);
  });
}

async function notifyOwnerOfAddress({ db }: VisitorDeps, email: string, spoken: DashboardLocale): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (!user) return;
  const language = mailLanguage(user.locale, spoken);
  await db.transaction(tx => queueAccountMail(tx, { kind: 'addressInUse', recipient: user.email, language }));
}

async function writeOrNotify(deps: VisitorDeps, registrant: Registrant, caller: RegistrationCaller): Promise<void> {
  try {
    await write(deps, registrant, caller);
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
    await notifyOwnerOfAddress(deps, registrant.registration.email, caller.language);
  }
}

/**
 * Registers from the browser and answers with the token of a new session. Where mail can be sent and there are accounts to
 * find out about, the answer comes by mail instead and this is null, the same for an address that is taken and one that is not.
 */
export async function registerVisitor(
  deps: VisitorDeps,
  form: RegistrationForm,
  caller: RegistrationCaller,
): Promise<string | null> {
  if (!(await isRegistrationOpen(deps.db, deps.registration))) throw new AppError('registration_closed');
  await takeTry(deps.db, [requestTries('register', caller.ip), mailTries('register', form.email)]);
  const registration = checkedRegistration(form);
  const passwordHash = await hashPassword(registration.password, deps.passwordCost);
  const registrant = { registration, passwordHash, ip: caller.ip, isVerified: false };
  if (deps.sendsMail && (await findFirstCompany(deps.db)) !== null) {
    deps.background(writeOrNotify(deps, registrant, caller), 'registration');
    return null;
  }
  return await write(deps, registrant, caller).catch((error: unknown) => {
    throw isEmailTaken(error) ? new AppError('email_taken', { cause: error }) : error;
  });
}
