import { keyIdOf } from '../kit/seal.ts';
import { listMasterKeys } from '../program/master-key/keyring.sql.ts';
import { nameOf, ringOf } from '../program/master-key/keyring.ts';
import {
  findRotation,
  finishRotation,
  type RotateDeps,
  RotateError,
  rotateKeys,
} from '../program/master-key/rotate-keys.ts';
import { countSealedElsewhere } from '../program/master-key/sealed-columns.sql.ts';

const HELP = `keys rotate    seals every secret under a new master key, while programs run: NEW_MASTER_KEY, or a new file in DATA_DIR
keys finish    after a restart of every process with the new key: the old key is good for nothing
keys status    which keys there are, and what is still under the old one

A run that was stopped goes on when it is started again.
`;

export interface KeysCommandDeps extends Omit<RotateDeps, 'say'> {
  masterKey: Buffer;
  /** Undefined: the operator must give one. */
  newKey: Buffer | undefined;
  /** Puts the key where the next start finds it; undefined when that is the operator's matter. */
  keepKey: ((key: Buffer) => Promise<void>) | undefined;
  write: (text: string) => void;
  writeError: (text: string) => void;
}

async function rotate(deps: KeysCommandDeps): Promise<void> {
  const { masterKey, newKey, keepKey, write, writeError } = deps;
  const begun = await findRotation(deps, masterKey);
  const pair = begun ?? (newKey && { old: masterKey, next: newKey });
  if (!pair)
    throw new RotateError('Give the new key: NEW_MASTER_KEY=$(openssl rand -base64 32). Keep it before you go on.');
  await rotateKeys({ ...deps, say: writeError }, pair.old, pair.next);
  await keepKey?.(pair.next);
  write(`Every secret is sealed under the key ${nameOf(keyIdOf(pair.next))}.`);
  write(
    keepKey
      ? 'It is in DATA_DIR/master.key. Restart every process, then run: keys finish'
      : 'Set MASTER_KEY to it, restart every process, then run: keys finish',
  );
}

async function finish(deps: KeysCommandDeps): Promise<void> {
  await finishRotation(deps, deps.masterKey);
  deps.write(`The key ${nameOf(keyIdOf(deps.masterKey))} is the only one.`);
}

async function status({ db, where, masterKey, write }: KeysCommandDeps): Promise<void> {
  const rows = await listMasterKeys(db);
  const { current } = ringOf(masterKey, rows, where);
  for (const { keyId, state } of rows) write(`${nameOf(keyId)}  ${state}`);
  write(`${await countSealedElsewhere(db, keyIdOf(current))} secrets are under another key than the current one.`);
}

const ACTIONS: Readonly<Record<string, (deps: KeysCommandDeps) => Promise<void>>> = { rotate, finish, status };

/** `keys rotate`, `keys finish`, `keys status`. */
export async function runKeys(argv: string[], deps: KeysCommandDeps): Promise<number> {
  const action = argv.length === 1 && Object.hasOwn(ACTIONS, argv[0]!) ? ACTIONS[argv[0]!] : undefined;
  if (!action) {
    deps.writeError(HELP);
    return 2;
  }
  try {
    await action(deps);
    return 0;
  } catch (error) {
    if (!(error instanceof RotateError)) throw error;
    deps.writeError(error.message);
    return 1;
  }
}
