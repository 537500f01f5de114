import type { Db } from '../../db/db.ts';
import { createSeal, keyIdOf, sameBytes } from '../../kit/seal.ts';
import { insertMasterKey, listMasterKeys, lockMasterKeys, updateMasterKey } from './keyring.sql.ts';
import { MAC_ROOT_CONTEXT, OTHER_CONTEXT, ringOf, rowOf } from './keyring.ts';
import { resealAll } from './reseal.ts';
import { countSealedElsewhere } from './sealed-columns.sql.ts';

export interface RotateOptions {
  db: Db;
  where: string;
  /** Waits until every process has read the keys again. */
  untilAllKnow: () => Promise<void>;
  say: (text: string) => void;
}

export class RotateError extends Error {}

/**
 * Makes both keys known to every process, whichever it was started with. Returns true when an earlier run got further and
 * the new key is already in use.
 */
async function announce({ db, where }: RotateOptions, old: Buffer, next: Buffer): Promise<boolean> {
  return db.transaction(async tx => {
    await lockMasterKeys(tx);
    const rows = await listMasterKeys(tx);
    ringOf(old, rows, where);
    const known = rows.find(row => sameBytes(row.keyId, keyIdOf(next)));
    if (known?.state === 'retired') throw new RotateError('This key was used before. Make a new one.');
    const other = rows.find(row => ['next', 'previous'].includes(row.state) && !sameBytes(row.keyId, keyIdOf(old)));
    if (!known && other) throw new RotateError('Another new key is on its way. Finish with that one first.');
    if (known) return known.state === 'current';
    await insertMasterKey(tx, rowOf(next, 'next', old));
    const own = rows.find(row => sameBytes(row.keyId, keyIdOf(old)))!;
    const otherSealed = createSeal(old).seal(next.toString('base64'), OTHER_CONTEXT);
    await updateMasterKey(tx, { ...own, otherSealed });
    return false;
  });
}

/** Makes every process seal under the new key. */
async function switchTo({ db }: RotateOptions, old: Buffer, next: Buffer): Promise<void> {
  await db.transaction(async tx => {
    await lockMasterKeys(tx);
    const rows = await listMasterKeys(tx);
    const before = rows.find(row => sameBytes(row.keyId, keyIdOf(old)))!;
    const after = rows.find(row => sameBytes(row.keyId, keyIdOf(next)))!;
    if (after.state === 'current') return;
    await updateMasterKey(tx, { ...before, state: 'previous' });
    await updateMasterKey(tx, { ...after, state: 'current' });
  });
}

/**
 * Seals everything under a new master key while programs run. Every stage can be repeated: a run that was killed is simply
 * started again.
 */
export async function rotateKeys(options: RotateOptions, old: Buffer, next: Buffer): Promise<void> {
  if (sameBytes(old, next)) throw new RotateError('The new key is the key that is in use.');
  const isSwitched = await announce(options, old, next);
  if (!isSwitched) {
    options.say('Both keys are known. Waiting until every process has read them …');
    await options.untilAllKnow();
    await switchTo(options, old, next);
  }
  options.say('The new key is in use. Waiting until every process has read it …');
  await options.untilAllKnow();
  const seal = createSeal(next);
  seal.adopt({ current: next, others: [old], earlierMacRoots: [] });
  await resealAll(options, seal, keyIdOf(next));
}

/** Finds the two keys of a rotation that has begun. Either key is enough to continue a run that was killed. */
export async function findRotation(
  { db, where }: Pick<RotateOptions, 'db' | 'where'>,
  masterKey: Buffer,
): Promise<{ old: Buffer; next: Buffer } | null> {
  const rows = await listMasterKeys(db);
  const { current, others } = ringOf(masterKey, rows, where);
  const [other] = others;
  if (!other) return null;
  const isNext = rows.some(row => row.state === 'next' && sameBytes(row.keyId, keyIdOf(other)));
  return isNext ? { old: current, next: other } : { old: other, next: current };
}

/** Retires the old key: it then opens nothing, and the database no longer leads from one key to the other. */
export async function finishRotation(
  { db, where }: Pick<RotateOptions, 'db' | 'where'>,
  masterKey: Buffer,
): Promise<void> {
  await db.transaction(async tx => {
    await lockMasterKeys(tx);
    const rows = await listMasterKeys(tx);
    const { current, others } = ringOf(masterKey, rows, where);
    if (!sameBytes(current, masterKey)) throw new RotateError('Set MASTER_KEY to the new key first.');
    const left = await countSealedElsewhere(tx, keyIdOf(masterKey));
    if (left > 0) throw new RotateError(`${left} secrets are still under the old key. Run \`keys rotate\` again.`);
    const seal = createSeal(masterKey);
    seal.adopt({ current, others, earlierMacRoots: [] });
    for (const row of rows.filter(({ state }) => state !== 'current')) {
      const macRootSealed = seal.seal(seal.open(row.macRootSealed, MAC_ROOT_CONTEXT), MAC_ROOT_CONTEXT);
      await updateMasterKey(tx, { ...row, state: 'retired', macRootSealed, otherSealed: null });
    }
    const own = rows.find(({ state }) => state === 'current')!;
    await updateMasterKey(tx, { ...own, otherSealed: null });
  });
}
