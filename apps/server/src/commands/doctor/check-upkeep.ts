import type { Db } from '../../db/db.ts';
import {
  findArchiving,
  findBackupAge,
  findTransactionAge,
  listAbandonedSlots,
  listRowsInRest,
  type RestRows,
} from './doctor.sql.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

/** PostgreSQL freezes rows from 200 million on, warns at 2,107 million, and takes no writes 37 million later. */
const OLD_TRANSACTIONS = 600_000_000;
const OLDEST_TRANSACTIONS = 1_500_000_000;
const MILLION = 1_000_000;
const GIB = 1024 ** 3;
const SLOT_BYTES = GIB;
const BACKUP_DAYS = 2;

async function checkTransactionIds(db: Db): Promise<Finding> {
  const { age, name } = await findTransactionAge(db);
  const says = `the oldest of database ${name} are ${Math.round(age / MILLION)} million transactions old`;
  if (age < OLD_TRANSACTIONS) return ok('transaction ids', says);
  const advice = `Run "vacuum (freeze, verbose)" in ${name}, and find what holds vacuum back: old transactions, prepared ones, replication slots.`;
  return age < OLDEST_TRANSACTIONS
    ? note('transaction ids', says, advice)
    : wrong('transaction ids', `${says}, and PostgreSQL stops at 2,146`, advice);
}

async function checkSlots(db: Db): Promise<Finding[]> {
  const slots = await listAbandonedSlots(db);
  if (slots.length === 0) return [ok('replication slots', 'none is abandoned')];
  return slots.map(judgeSlot);
}

export function judgeSlot({ name, keptBytes }: { name: string; keptBytes: number }): Finding {
  const says = `no standby reads "${name}", and it keeps ${(keptBytes / GIB).toFixed(1)} GB of WAL on the disk`;
  const advice = `Start its standby, or drop it: select pg_drop_replication_slot('${name}').`;
  return keptBytes < SLOT_BYTES ? note('replication slots', says, advice) : wrong('replication slots', says, advice);
}

async function checkArchiving(db: Db): Promise<Finding> {
  const { mode, isFailing, lastFailed } = await findArchiving(db);
  if (mode === 'off')
    return note(
      'WAL archiving',
      'off, so only backups and standbys bring a lost database back',
      'docs/guides/production.md',
    );
  return isFailing
    ? wrong(
        'WAL archiving',
        `the last attempt failed, at ${lastFailed}`,
        'Look into the log of PostgreSQL: archive_command fails.',
      )
    : ok('WAL archiving', 'the last segment was archived');
}

async function checkBackup(db: Db): Promise<Finding> {
  const days = await findBackupAge(db);
  const advice = 'Run npm run backup every night, or ignore this if other tools back the database up.';
  if (days === null) return note('backup', 'none was ever made by npm run backup', advice);
  const says = `the last one is ${days < 1 ? 'less than a day' : `${Math.floor(days)} days`} old`;
  return days > BACKUP_DAYS ? note('backup', says, advice) : ok('backup', says);
}

async function checkPartitions(db: Db): Promise<Finding> {
  const filled = (await listRowsInRest(db)).filter(({ hasRows }) => hasRows);
  if (filled.length === 0) return ok('partitions', 'every row is in the one of its month');
  const names = filled.map(({ name }: RestRows) => name).join(', ');
  return note(
    'partitions',
    `rows of no month are in ${names}`,
    'A worker moves them when it makes the month; is one at work?',
  );
}

/** What an operator has to keep an eye on over months. */
export const UPKEEP: readonly [what: string, check: (db: Db) => Promise<Finding | Finding[]>][] = [
  ['transaction ids', checkTransactionIds],
  ['replication slots', checkSlots],
  ['WAL archiving', checkArchiving],
  ['backup', checkBackup],
  ['partitions', checkPartitions],
];
