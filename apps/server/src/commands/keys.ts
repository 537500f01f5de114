import { setTimeout as delay } from 'node:timers/promises';
import { keyIdOf } from '../kit/seal.ts';
import { listMasterKeys } from '../program/master-key/keyring.sql.ts';
import { KEYS_REFRESH_MS, nameOf, placeOf, ringOf } from '../program/master-key/keyring.ts';
import { newMasterKey, masterKey as readMasterKey, replaceMasterKey } from '../program/master-key/master-key.ts';
import {
  findRotation,
  finishRotation,
  RotateError,
  type RotateOptions,
  rotateKeys,
} from '../program/master-key/rotate-keys.ts';
import { countSealedElsewhere } from '../program/master-key/sealed-columns.sql.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand, type Io, UsageError } from './command.ts';
import { withDb } from './open.ts';

interface OpenedKeys extends Omit<RotateOptions, 'say'> {
  masterKey: Buffer;
  /** Undefined when the operator must give one. */
  newKey: Buffer | undefined;
  /** Saves the key for the next start; undefined when the operator has to do it. */
  keepKey: ((key: Buffer) => Promise<void>) | undefined;
}

async function rotate(opened: OpenedKeys & Io): Promise<void> {
  const { masterKey, newKey, keepKey, write, writeError } = opened;
  const begun = await findRotation(opened, masterKey);
  const pair = begun ?? (newKey && { old: masterKey, next: newKey });
  if (!pair)
    throw new RotateError('Give the new key: NEW_MASTER_KEY=$(openssl rand -base64 32). Keep it before you go on.');
  await rotateKeys({ ...opened, say: writeError }, pair.old, pair.next);
  await keepKey?.(pair.next);
  write(`Every secret is sealed under the key ${nameOf(keyIdOf(pair.next))}.`);
  write(
    keepKey
      ? 'It is in DATA_DIR/master.key. Restart every process, then run: keys finish'
      : 'Set MASTER_KEY to it, restart every process, then run: keys finish',
  );
}

async function finish(opened: OpenedKeys & Io): Promise<void> {
  await finishRotation(opened, opened.masterKey);
  opened.write(`The key ${nameOf(keyIdOf(opened.masterKey))} is the only one.`);
}

async function status({ db, where, masterKey, write }: OpenedKeys & Io): Promise<void> {
  const rows = await listMasterKeys(db);
  const { current } = ringOf(masterKey, rows, where);
  for (const { keyId, state } of rows) write(`${nameOf(keyId)}  ${state}`);
  write(`${await countSealedElsewhere(db, keyIdOf(current))} secrets are under another key than the current one.`);
}

const ACTIONS: Readonly<Record<string, (opened: OpenedKeys & Io) => Promise<void>>> = { rotate, finish, status };

export const keysCommand = defineCommand<OpenedKeys>({
  name: 'keys <action>',
  summary: 'Replaces the master key, while programs run.',
  more: `keys rotate    seals every secret under a new master key: NEW_MASTER_KEY, or a new file in DATA_DIR
keys finish    after a restart of every process with the new key: retires the old key
keys status    which keys there are, and what is still under the old one

A run that was stopped goes on when it is started again.`,
  async open(work) {
    const config = loadConfig();
    const key = await readMasterKey(config);
    // Without MASTER_KEY the key is a file of ours, and so is the next one.
    const isFile = config.masterKey === undefined;
    return withDb(config, (db, url) =>
      work({
        db,
        where: placeOf(url),
        masterKey: key,
        newKey: config.newMasterKey ?? (isFile ? newMasterKey() : undefined),
        keepKey: isFile ? next => replaceMasterKey(config.dataDir, next) : undefined,
        untilAllKnow: () => delay(3 * KEYS_REFRESH_MS),
      }),
    );
  },
  async run(opened, [word = '']) {
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (!action) throw new UsageError('The action is rotate, finish or status.');
    try {
      await action(opened);
      return 0;
    } catch (error) {
      if (!(error instanceof RotateError)) throw error;
      opened.writeError(error.message);
      return 1;
    }
  },
});
