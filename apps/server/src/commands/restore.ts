import { resolve } from 'node:path';
import { keyIdOf } from '../kit/seal.ts';
import { nameOf, placeOf } from '../program/master-key/keyring.ts';
import { findMasterKey } from '../program/master-key/master-key.ts';
import { type Config, loadConfig } from '../settings/config.ts';
import { BackupError, type BackupHeader } from './backup/backup-format.ts';
import { readHeader, restoreBackup } from './backup/restore-backup.ts';
import { checkKeys, describe } from './backup.ts';
import { defineCommand } from './command.ts';
import { withDatabaseUrl } from './open.ts';

/** Finds the key before anything is restored: without it the restored shop could neither sign nor start. */
async function keyFor(config: Config, { masterKeys }: BackupHeader): Promise<Buffer | undefined> {
  const masterKey = await findMasterKey(config);
  const [wanted] = masterKeys;
  if (wanted === undefined || (masterKey && masterKeys.includes(nameOf(keyIdOf(masterKey))))) return masterKey;
  const found = masterKey ? `this is the key ${nameOf(keyIdOf(masterKey))}` : 'there is none';
  throw new BackupError(
    `The backup needs the master key ${wanted}, and ${found}. Set MASTER_KEY, or put its file master.key into ${config.dataDir}. Nothing was changed.`,
  );
}

export const restoreCommand = defineCommand({
  name: 'restore <file>',
  summary: 'Puts a backup into an empty database: a new DATA_DIR, or a new DATABASE_URL.',
  open: work => work({}),
  async run({ write, writeError }, [given = '']) {
    const file = resolve(given);
    const config = loadConfig();
    const masterKey = await keyFor(config, await readHeader(file));
    const { header, rows, orders } = await withDatabaseUrl(config, found => {
      const url = config.operations.sessionUrl ?? found;
      const check = masterKey ? checkKeys(masterKey, placeOf(url)) : async () => [];
      return restoreBackup({ url, file, checkKeys: check, log: writeError });
    });
    write(`Restored: ${describe(header, rows, orders)}. The ledger sums to zero and the master key fits.
What was paid after that moment is not here. Start one process, then compare with the provider: npm run reconcile`);
    return 0;
  },
});
