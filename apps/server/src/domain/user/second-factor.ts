import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Shop } from '../shop.ts';
import { forgetTries, ownTries, takeTry } from './throttle.ts';
import {
  deleteRecoveryCode,
  deleteRecoveryCodes,
  insertRecoveryCodes,
  lockUser,
  type User,
  updateTotpStep,
} from './user.sql.ts';

const PERIOD_SECONDS = 30;
const ISSUER = 'Coinslot';

export const newTotpSecret = (): string => generateSecret();

export const totpUri = (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret });

/** The time step of a right code, or null. One step early or late is right too, as clocks differ; a step works once. */
function totpStep(secret: string, code: string, lastStep: number, nowSeconds: number): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(nowSeconds);
  const result = verifySync({ secret, token, epoch, epochTolerance: PERIOD_SECONDS });
  if (!result.valid || !('timeStep' in result)) return null;
  return result.timeStep > lastStep ? result.timeStep : null;
}

const CODES = 10;
const GROUPS = 4;
const GROUP_CHARS = 6;

/** Letters and digits that cannot be mistaken for one another, of which the end of an id has five bits in each. */
const newGroup = (): string => newId('ses').slice(-GROUP_CHARS);

/** 120 bits: found by no search through hashes, also not by one who has the database and the key. */
const newCode = (): string => Array.from({ length: GROUPS }, newGroup).join('-');

const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

const recoveryText = (userId: string, code: string): Buffer =>
  Buffer.from(`${userId} ${code.toLowerCase().replaceAll(/[^0-9a-z]/g, '')}`);

/** Keyed: so short a text could be found again from a plain hash. */
const recoveryCodeHash = (seal: Seal, userId: string, code: string): Buffer =>
  seal.mac(recoveryText(userId, code), 'recovery code');

/** A code may be older than the master key. */
const recoveryCodeHashes = (seal: Seal, userId: string, code: string): Buffer[] =>
  seal.macs(recoveryText(userId, code), 'recovery code');

export const totpContext = (userId: string): string => `totp ${userId}`;

/** Whether the app made this code, under the lock of its user. A right one is used up in the same transaction. */
export function checkTotp({ seal, clock }: Shop, tx: Tx, user: User, code: string): boolean {
  if (!user.totpSealed) return false;
  const secret = seal.open(user.totpSealed, totpContext(user.id));
  const step = totpStep(secret, code, user.totpLastStep, clock.nowSeconds());
  if (step !== null) updateTotpStep(tx, user.id, step);
  return step !== null;
}

/** As `checkTotp`, or a recovery code, which works for a lost app as for a lost passkey. */
export async function checkCode(shop: Shop, tx: Tx, user: User, code: string): Promise<boolean> {
  if (user.totpConfirmedAt && checkTotp(shop, tx, user, code)) return true;
  return deleteRecoveryCode(tx, user.id, recoveryCodeHashes(shop.seal, user.id, code));
}

export const hasSecondFactor = ({ totpConfirmedAt, passkeys }: Pick<User, 'totpConfirmedAt' | 'passkeys'>): boolean =>
  totpConfirmedAt !== null || passkeys > 0;

export const secondFactorWanted = ({ totpConfirmedAt }: Pick<User, 'totpConfirmedAt'>): AppError =>
  new AppError(totpConfirmedAt ? 'totp_required' : 'passkey_required');

/** Beside the password, where the user has a second factor: a code of the app, or a recovery code. */
export async function confirmSecondFactor(shop: Shop, userId: string, code: string | undefined): Promise<void> {
  const tries = ownTries('code', userId);
  if (code !== undefined) await takeTry(shop.db, [tries]);
  await shop.db.transaction(async tx => {
    const user = await lockUser(tx, userId);
    if (!hasSecondFactor(user)) return;
    if (code === undefined) throw secondFactorWanted(user);
    if (!(await checkCode(shop, tx, user, code))) throw new AppError('totp_invalid');
  });
  if (code !== undefined) await forgetTries(shop.db, tries);
}

/** A stranger who registers another person's address must leave nothing in the account that outlives the owner's own proof. */
export function assertProven({ emailVerifiedAt }: Pick<User, 'emailVerifiedAt'>): void {
  if (!emailVerifiedAt) throw new AppError('email_unverified');
}

/** New ones take the place of those before. */
export function replaceRecoveryCodes(seal: Seal, tx: Tx, userId: string): string[] {
  const codes = newRecoveryCodes();
  deleteRecoveryCodes(tx, userId);
  insertRecoveryCodes(
    tx,
    userId,
    codes.map(one => recoveryCodeHash(seal, userId, one)),
  );
  return codes;
}
