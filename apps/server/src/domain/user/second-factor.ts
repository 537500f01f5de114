import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Tx } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import { newId } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { deleteRecoveryCode, type User, updateTotpStep } from './user.sql.ts';

const PERIOD_SECONDS = 30;
const ISSUER = 'Coinslot';

export const newTotpSecret = (): string => generateSecret();

export const totpUri = (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret });

/** The time step of a right code, or null. One step early or late is right too, as clocks differ; a step works once. */
export function totpStep(secret: string, code: string, lastStep: number, nowSeconds: number): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(nowSeconds);
  const result = verifySync({ secret, token, epoch, epochTolerance: PERIOD_SECONDS });
  if (!result.valid || !('timeStep' in result)) return null;
  return result.timeStep > lastStep ? result.timeStep : null;
}

const CODES = 10;
const CODE_CHARS = 10;

/** Letters and digits that cannot be mistaken for one another. The end of an id is random; 50 bits are enough for what works once. */
function newCode(): string {
  const random = newId('ses').slice(-CODE_CHARS);
  return `${random.slice(0, CODE_CHARS / 2)}-${random.slice(CODE_CHARS / 2)}`;
}

export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

const recoveryText = (userId: string, code: string): Buffer =>
  Buffer.from(`${userId} ${code.toLowerCase().replaceAll(/[^0-9a-z]/g, '')}`);

/** Keyed: so short a text could be found again from a plain hash. */
export const recoveryCodeHash = (seal: Seal, userId: string, code: string): Buffer =>
  seal.mac(recoveryText(userId, code), 'recovery code');

/** A code may be older than the master key. */
export const recoveryCodeHashes = (seal: Seal, userId: string, code: string): Buffer[] =>
  seal.macs(recoveryText(userId, code), 'recovery code');

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
  return user.totpConfirmedAt !== null && deleteRecoveryCode(tx, user.id, recoveryCodeHashes(seal, user.id, code));
}
