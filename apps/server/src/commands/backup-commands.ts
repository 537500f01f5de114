import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { startEmbedded } from '../db/embedded/start-embedded.ts';
import { BY_QUERY } from '../db/transaction.ts';
import { systemClock } from '../kit/clock.ts';
import { keyIdOf } from '../kit/seal.ts';
import { listMasterKeys } from '../program/master-key/keyring.sql.ts';
import { nameOf, placeOf, ringOf } from '../program/master-key/keyring.ts';
import { findMasterKey } from '../program/master-key/master-key.ts';
import { type Config, loadConfig } from '../settings/config.ts';
import { BackupError, type BackupHeader } from './backup/backup-format.ts';
import { makeBackup } from './backup/make-backup.ts';
import { checkBackup, readHeader, restoreBackup } from './backup/restore-backup.ts';

const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

const BACKUP_USAGE = `backup [FILE]           copies the whole database into one file, while programs run
backup --check FILE     reads a backup whole and says what is in it`;
const RESTORE_USAGE = 'restore FILE    puts a backup into an empty database: a new DATA_DIR, or a new DATABASE_URL';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Any schema will do: a backup is made before an upgrade, so it must not be one. */
async function withDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== undefined) return work(config.operations.sessionUrl ?? config.databaseUrl);
  const own = await startEmbedded({ dataDir: config.dataDir, log: say });
  try {
    return await work(own.url);
  } finally {
    await own.stop();
  }
}

/** Only the names of the keys; a statement of ours, asked on the connection that sees the moment of the backup. */
const keysOn = (client: pg.Client) =>
  listMasterKeys({
    query: async <Row>({ text, values }: { text: string; values: unknown[] }) =>
      (await client.query(text, values)).rows as Row[],
    ...BY_QUERY,
    queryRow: () => Promise.reject(new Error('not here')),
  });

/** Where secrets cannot be opened, a copy of them is worth nothing: better said today than on the day it is needed. */
const checkKeys =
  (masterKey: Buffer, where: string) =>
  async (client: pg.Client): Promise<string[]> => {
    const rows = await keysOn(client);
    if (rows.length === 0) return [];
    const { current, others } = ringOf(masterKey, rows, where);
    return [current, ...others].map(key => nameOf(keyIdOf(key)));
  };

const dayAndTime = (): string =>
  new Date(systemClock.nowMs()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

const describe = ({ madeAt, programVersion }: BackupHeader, rows: number, orders: number): string =>
  `${rows} rows, ${orders} of them orders, as of ${madeAt}, by Coinslot ${programVersion}`;

const keyNote = (name: string | undefined): string =>
  name === undefined ? '' : `\nIt is of use only with the master key ${name}, which is not in it: keep that apart.`;

export async function backupCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    options: { check: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
    strict: false,
  });
  if (values.help || positionals.length > 1 || (values.check && positionals.length > 0)) {
    say(BACKUP_USAGE);
    return 2;
  }
  if (typeof values.check === 'string') {
    const { header, rows, orders } = await checkBackup(resolve(values.check));
    print(`The backup is whole: ${describe(header, rows, orders)}.${keyNote(header.masterKeys[0])}`);
    return 0;
  }
  const config = loadConfig();
  const masterKey = await findMasterKey(config);
  if (!masterKey) throw new BackupError(`There is no master key in ${config.dataDir}. Is DATA_DIR right?`);
  const file = resolve(positionals[0] ?? `coinslot-${dayAndTime()}.backup.gz`);
  await withDatabase(config, async url => {
    const made = await makeBackup({
      url,
      file,
      programVersion: VERSION,
      checkKeys: checkKeys(masterKey, placeOf(url)),
    });
    print(
      `${file}: ${made.rows} rows, ${made.orders} of them orders, ${made.bytes} bytes.${keyNote(nameOf(keyIdOf(masterKey)))}`,
    );
  });
  return 0;
}

/** The right key comes first: without it the restored shop could neither sign nor start. */
async function keyFor(config: Config, { masterKeys }: BackupHeader): Promise<Buffer | undefined> {
  const masterKey = await findMasterKey(config);
  const [wanted] = masterKeys;
  if (wanted === undefined || (masterKey && masterKeys.includes(nameOf(keyIdOf(masterKey))))) return masterKey;
  const found = masterKey ? `this is the key ${nameOf(keyIdOf(masterKey))}` : 'there is none';
  throw new BackupError(
    `The backup needs the master key ${wanted}, and ${found}. Set MASTER_KEY, or put its file master.key into ${config.dataDir}. Nothing was changed.`,
  );
}

export async function restoreCommand(argv: string[]): Promise<number> {
  const [file, ...rest] = argv;
  if (!file || file.startsWith('-') || rest.length > 0) {
    say(RESTORE_USAGE);
    return 2;
  }
  const config = loadConfig();
  const masterKey = await keyFor(config, await readHeader(resolve(file)));
  await withDatabase(config, async url => {
    const { header, rows, orders } = await restoreBackup({
      url,
      file: resolve(file),
      checkKeys: masterKey ? checkKeys(masterKey, placeOf(url)) : async () => [],
      log: say,
    });
    print(`Restored: ${describe(header, rows, orders)}. The ledger sums to zero and the master key fits.
What was paid after that moment is not here. Start one process, then compare with the provider: npm run reconcile`);
  });
  return 0;
}
