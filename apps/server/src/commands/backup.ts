import { resolve } from 'node:path';
import type pg from 'pg';
import { BY_QUERY } from '../db/transaction.ts';
import { systemClock } from '../kit/clock.ts';
import { keyIdOf } from '../kit/seal.ts';
import { listMasterKeys } from '../program/master-key/keyring.sql.ts';
import { nameOf, placeOf, ringOf } from '../program/master-key/keyring.ts';
import { findMasterKey } from '../program/master-key/master-key.ts';
import { loadConfig } from '../settings/config.ts';
import { BackupError, type BackupHeader } from './backup/backup-format.ts';
import { makeBackup } from './backup/make-backup.ts';
import { checkBackup } from './backup/restore-backup.ts';
import { defineCommand, UsageError } from './command.ts';
import { VERSION, withDatabaseUrl } from './open.ts';

/** Lists the keys on the connection of the backup, which sees the same moment as the copied tables. */
const keysOn = (client: pg.Client) =>
  listMasterKeys({
    ...BY_QUERY,
    query: async <Row>({ text, values }: { text: string; values: unknown[] }) =>
      (await client.query(text, values)).rows as Row[],
    queryRow: () => Promise.reject(new Error('not here')),
  });

/** Refuses a backup whose secrets the master key cannot open: the day of the restore is too late to learn it. */
export const checkKeys =
  (masterKey: Buffer, where: string) =>
  async (client: pg.Client): Promise<string[]> => {
    const rows = await keysOn(client);
    if (rows.length === 0) return [];
    const { current, others } = ringOf(masterKey, rows, where);
    return [current, ...others].map(key => nameOf(keyIdOf(key)));
  };

const dayAndTime = (): string =>
  new Date(systemClock.nowMs()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

export const describe = ({ madeAt, programVersion }: BackupHeader, rows: number, orders: number): string =>
  `${rows} rows, ${orders} of them orders, as of ${madeAt}, by Coinslot ${programVersion}`;

const keyNote = (name: string | undefined): string =>
  name === undefined
    ? ''
    : `\nIt can only be restored with the master key ${name}, which it does not contain: keep that key apart.`;

export const backupCommand = defineCommand<object, { check?: string }>({
  name: 'backup [file]',
  summary: 'Copies the whole database into one file, while programs run.',
  options: command => command.option('--check <file>', 'read a whole backup and print what is in it'),
  open: work => work({}),
  async run({ write }, [given], { check }) {
    if (check !== undefined && given !== undefined)
      throw new UsageError('--check takes the file itself, and makes no backup.');
    if (check !== undefined) {
      const { header, rows, orders } = await checkBackup(resolve(check));
      write(`The backup is whole: ${describe(header, rows, orders)}.${keyNote(header.masterKeys[0])}`);
      return 0;
    }
    const config = loadConfig();
    const masterKey = await findMasterKey(config);
    if (!masterKey) throw new BackupError(`There is no master key in ${config.dataDir}. Is DATA_DIR right?`);
    const file = resolve(given ?? `coinslot-${dayAndTime()}.backup.gz`);
    const { rows, orders, bytes } = await withDatabaseUrl(config, found => {
      const url = config.operations.sessionUrl ?? found;
      return makeBackup({ url, file, programVersion: VERSION, checkKeys: checkKeys(masterKey, placeOf(url)) });
    });
    write(`${file}: ${rows} rows, ${orders} of them orders, ${bytes} bytes.${keyNote(nameOf(keyIdOf(masterKey)))}`);
    return 0;
  },
});
