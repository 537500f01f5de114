import type { Db } from '../../db/db.ts';
import { openAccount } from '../../domain/payment/merchant-accounts/account-secrets.ts';
import { listAllAccounts } from '../../domain/payment/merchant-accounts/provider-account.sql.ts';
import { accountProblemText } from '../../domain/payment/providers/base/problems.ts';
import type { OpenedAccount, Provider } from '../../domain/payment/providers/base/provider.ts';
import type { Parts } from '../../program/parts.ts';
import type { Config } from '../../settings/config.ts';
import {
  type Archiving,
  findArchiving,
  findBackupAge,
  findTransactionAge,
  listAbandonedSlots,
  listRowsInRest,
  type RestRows,
} from './doctor.sql.ts';
import { attempt, type Finding, note, ok, wrong } from './finding.ts';

/** PostgreSQL freezes rows from 200 million on, warns at 2,107 million, and takes no writes 37 million later. */
const OLD_TRANSACTIONS = 600_000_000;
const OLDEST_TRANSACTIONS = 1_500_000_000;
const MILLION = 1_000_000;
const GIB = 1024 ** 3;
const SLOT_BYTES = GIB;
const BACKUP_DAYS = 2;

const checkTransactionIds = async (db: Db): Promise<Finding> => judgeTransactionIds(await findTransactionAge(db));

export function judgeTransactionIds({ age, name }: { age: number; name: string }): Finding {
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

const checkArchiving = async (db: Db): Promise<Finding> => judgeArchiving(await findArchiving(db));

export function judgeArchiving({ mode, isFailing, lastFailed }: Archiving): Finding {
  if (mode === 'off')
    return note(
      'WAL archiving',
      'off, so only backups and standbys bring a lost database back',
      'docs/guides/point-in-time.md',
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

export const UPKEEP: readonly [what: string, check: (db: Db) => Promise<Finding | Finding[]>][] = [
  ['transaction ids', checkTransactionIds],
  ['replication slots', checkSlots],
  ['WAL archiving', checkArchiving],
  ['backup', checkBackup],
  ['partitions', checkPartitions],
];

const ANSWER_MS = 5_000;

export async function checkMail({ mailer }: Parts, { env }: Config): Promise<Finding> {
  if (!mailer) {
    const says = 'SMTP_URL is not set, so receipts and notices are kept and not sent';
    return env === 'production'
      ? wrong('mail', says, 'Set SMTP_URL and MAIL_FROM.')
      : note('mail', says, 'npm run mails shows them.');
  }
  await mailer.check();
  return ok('mail', 'the mail server accepts the login');
}

/** Requests the public URL as a player's browser would. */
export async function checkPublicUrl({ publicUrl }: Config, version: string): Promise<Finding> {
  const answer = await fetch(`${publicUrl}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
  const body = (await answer.json().catch(() => null)) as { version?: string } | null;
  if (answer.status !== 200 || typeof body?.version !== 'string')
    return wrong(
      'public URL',
      `${publicUrl}/healthz answers ${answer.status}, not as Coinslot does`,
      'Point the proxy at this program.',
    );
  if (body.version !== version)
    return note('public URL', `version ${body.version} answers at ${publicUrl}, and this is ${version}`, 'Restart it.');
  return ok('public URL', `this program answers at ${publicUrl}`);
}

async function checkAccount(provider: Provider, account: OpenedAccount): Promise<Finding> {
  const what = `provider ${provider.name}`;
  const asked = await provider.askAccount(account);
  if ('problem' in asked)
    return wrong(
      what,
      accountProblemText(asked.problem),
      'Open Payment provider in the dashboard: it says what to do.',
    );
  if (!asked.seen.chargesEnabled)
    return wrong(what, 'the account may not take payments yet', 'Finish its activation at the provider.');
  return ok(what, `${asked.seen.displayName ?? asked.accountId} takes payments`);
}

export async function checkProviders({ live, db, seal }: Parts): Promise<Finding[]> {
  const kept = (await listAllAccounts(db)).filter(({ isCurrent }) => isCurrent);
  const checks = live.list.flatMap(({ provider, fromSettings }) => {
    const opened = kept.filter(row => row.provider === provider.name).map(row => openAccount(seal, row));
    return [fromSettings, ...opened]
      .filter(account => account !== null)
      .map(account =>
        attempt(`provider ${provider.name}`, () => checkAccount(provider, account), 'Can this host reach it?'),
      );
  });
  if (checks.length === 0)
    return [note('provider', 'none is connected, so live games take no money', 'Connect one in the dashboard.')];
  return (await Promise.all(checks)).flat();
}
