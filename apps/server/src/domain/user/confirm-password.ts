import { AppError } from '../../kit/app-error.ts';
import type { Shop } from '../shop.ts';
import { verifyPassword } from './password.ts';
import { forgetTries, ownTries, takeTry } from './throttle.ts';
import { findUser } from './user.sql.ts';

/** Guards what a stolen session must not do. */
export async function confirmPassword({ db }: Shop, userId: string, password: string): Promise<void> {
  const user = await findUser(db, userId);
  if (!user) throw new AppError('sign_in_required');
  const tries = ownTries('confirm', user.id);
  await takeTry(db, [tries]);
  if (!(await verifyPassword(user.passwordHash, password))) throw new AppError('password_wrong');
  await forgetTries(db, tries);
}
