import type { Tx } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import type { Seal } from '../../kit/seal.ts';
import { recoveryCodeHash } from './recovery-code.ts';
import { totpStep } from './totp.ts';
import { deleteRecoveryCode, type User, updateTotpStep } from './user.sql.ts';

export interface CodeDeps {
  seal: Seal;
  clock: DbClock;
}

export const totpContext = (userId: string): string => `totp ${userId}`;

/** Whether the code is right, under the lock of its user. A right one is used up in the same transaction. */
export async function checkCode({ seal, clock }: CodeDeps, tx: Tx, user: User, code: string): Promise<boolean> {
  if (!user.totpSealed) return false;
  const secret = seal.open(user.totpSealed, totpContext(user.id));
  const step = totpStep(secret, code, user.totpLastStep, clock.nowSeconds());
  if (step !== null) {
    updateTotpStep(tx, user.id, step);
    return true;
  }
  return user.totpConfirmedAt !== null && deleteRecoveryCode(tx, user.id, recoveryCodeHash(seal, user.id, code));
}
