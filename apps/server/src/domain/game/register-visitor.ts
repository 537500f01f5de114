import type { DashboardLocale } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { findFirstCompany, lockCompanies } from '../company/company.sql.ts';
import type { Shop } from '../shop.ts';
import { sendVerification } from '../user/mail-links/verify-email.ts';
import { hashPassword } from '../user/password.ts';
import { type Caller, startSession } from '../user/start-session.ts';
import { mailTries, requestTries, takeTry } from '../user/throttle.ts';
import { findUserByEmail } from '../user/user.sql.ts';
import { mailLanguage, queueAccountMail } from '../user/user-mail.ts';
import { checkedRegistration, isEmailTaken, type Registrant, writeRegistration } from './register.ts';
import type { RegistrationForm } from './registration.ts';
import { assertSetupCode } from './setup-code.ts';

/** `first`: until there is a company. */
export interface RegistrationCaller extends Caller {
  language: DashboardLocale;
}

export async function isRegistrationOpen(db: Db, rule: Shop['registration']): Promise<boolean> {
  return rule === 'first' ? (await findFirstCompany(db)) === null : rule === 'open';
}

async function write(shop: Shop, registrant: Registrant, caller: RegistrationCaller): Promise<string> {
  return shop.db.transaction(async tx => {
    if (shop.registration === 'first') {
      // Of two strangers who register at once, one is the first and the other is refused.
      await lockCompanies(tx);
      if (await findFirstCompany(tx)) throw new AppError('registration_closed');
    }
    const { userId } = await writeRegistration(tx, shop.seal, registrant);
    const { email, locale } = registrant.registration;
    await sendVerification(tx, shop.publicUrl, { id: userId, email, language: mailLanguage(locale, caller.language) });
    return startSession(tx, userId, caller);
  });
}

async function notifyOwnerOfAddress({ db, publicUrl }: Shop, email: string, spoken: DashboardLocale): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (!user) return;
  const language = mailLanguage(user.locale, spoken);
  await db.transaction(tx =>
    queueAccountMail(tx, publicUrl, { kind: 'addressInUse', recipient: user.email, language }),
  );
}

async function writeOrNotify(shop: Shop, registrant: Registrant, caller: RegistrationCaller): Promise<void> {
  try {
    await write(shop, registrant, caller);
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
    await notifyOwnerOfAddress(shop, registrant.registration.email, caller.language);
  }
}

/**
 * Registers from the browser and answers with the token of a new session. Where mail can be sent and there are accounts to
 * find out about, the answer comes by mail instead and this is null, the same for an address that is taken and one that is not.
 */
export async function registerVisitor(
  shop: Shop,
  form: RegistrationForm,
  caller: RegistrationCaller,
): Promise<string | null> {
  if (!(await isRegistrationOpen(shop.db, shop.registration))) throw new AppError('registration_closed');
  await takeTry(shop.db, [requestTries('register', caller.ip), mailTries('register', form.email)]);
  if (shop.registration === 'first') assertSetupCode(shop.seal, form.setupCode);
  const registration = checkedRegistration(form);
  const passwordHash = await hashPassword(registration.password, shop.passwordCost);
  const registrant = { registration, passwordHash, ip: caller.ip, isVerified: false };
  if (shop.mailer && (await findFirstCompany(shop.db)) !== null) {
    shop.background(writeOrNotify(shop, registrant, caller), 'registration');
    return null;
  }
  return await write(shop, registrant, caller).catch((error: unknown) => {
    throw isEmailTaken(error) ? new AppError('email_taken', { cause: error }) : error;
  });
}
