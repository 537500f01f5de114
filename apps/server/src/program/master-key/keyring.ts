import type { Db, Queryable } from '../../db/db.ts';
import { parseUrl } from '../../kit/parse-url.ts';
import { createSeal, keyIdOf, macRootOf, type Ring, type Seal, sameBytes } from '../../kit/seal.ts';
import { insertMasterKey, listMasterKeys, lockMasterKeys, type MasterKeyRow } from './keyring.sql.ts';

const CHECK_TEXT = 'coinslot';
const CHECK_CONTEXT = 'master_keys.check';
export const MAC_ROOT_CONTEXT = 'master_keys.mac_root';
export const OTHER_CONTEXT = 'master_keys.other';

/** How often a process reads the keys. The command that changes them waits three times as long. */
export const KEYS_REFRESH_MS = 3_000;

/** The key of this process does not fit its database. It is thrown at the start, before anything is sealed under the key. */
export class WrongKeyError extends Error {}

export const nameOf = (keyId: Buffer): string => keyId.toString('hex');

/** Makes the row that describes a key in the database: it recognizes a wrong key and reveals nothing. */
export function rowOf(masterKey: Buffer, state: MasterKeyRow['state'], other: Buffer | null): MasterKeyRow {
  const seal = createSeal(masterKey);
  return {
    keyId: keyIdOf(masterKey),
    state,
    checkSealed: seal.seal(CHECK_TEXT, CHECK_CONTEXT),
    macRootSealed: seal.seal(macRootOf(masterKey).toString('base64'), MAC_ROOT_CONTEXT),
    otherSealed: other && seal.seal(other.toString('base64'), OTHER_CONTEXT),
  };
}

function ownRow(masterKey: Buffer, rows: MasterKeyRow[], where: string): MasterKeyRow {
  const keyId = keyIdOf(masterKey);
  const current = rows.find(row => row.state === 'current');
  const own = rows.find(row => sameBytes(row.keyId, keyId));
  const expected = current ? nameOf(current.keyId) : 'none';
  if (!own)
    throw new WrongKeyError(
      `MASTER_KEY does not fit ${where}: its secrets are sealed under the key ${expected}, and this is the key ${nameOf(keyId)}. Put the right key back; a backup of the database needs the key of its day.`,
    );
  if (own.state === 'retired')
    throw new WrongKeyError(
      `MASTER_KEY is the key ${nameOf(keyId)}, which ${where} has replaced by the key ${expected}. Set the newer one.`,
    );
  if (createSeal(masterKey).open(own.checkSealed, CHECK_CONTEXT) !== CHECK_TEXT) throw new WrongKeyError(where);
  return own;
}

export function ringOf(masterKey: Buffer, rows: MasterKeyRow[], where: string): Ring {
  const own = ownRow(masterKey, rows, where);
  const opened = own.otherSealed && createSeal(masterKey).open(own.otherSealed, OTHER_CONTEXT);
  const known = [masterKey, ...(opened ? [Buffer.from(opened, 'base64')] : [])];
  const currentId = rows.find(row => row.state === 'current')?.keyId ?? own.keyId;
  const current = known.find(key => sameBytes(keyIdOf(key), currentId)) ?? masterKey;
  const others = known.filter(key => key !== current);
  const seal = createSeal(current);
  seal.adopt({ current, others, earlierMacRoots: [] });
  return {
    current,
    others,
    earlierMacRoots: rows
      .filter(row => row.state === 'retired')
      .map(row => Buffer.from(seal.open(row.macRootSealed, MAC_ROOT_CONTEXT), 'base64')),
  };
}

/** Records the key of the first program on a new database. */
async function insertFirst(db: Db, masterKey: Buffer): Promise<MasterKeyRow[]> {
  return db.transaction(async tx => {
    await lockMasterKeys(tx);
    const rows = await listMasterKeys(tx);
    if (rows.length > 0) return rows;
    await insertMasterKey(tx, rowOf(masterKey, 'current', null));
    return listMasterKeys(tx);
  });
}

export interface Keyring {
  /** Reads the keys. Throws `WrongKeyError` when the key of this process is none of them. */
  load(): Promise<void>;
  /** Does the same for readiness, and returns the problem as a sentence. */
  problem(): Promise<string | null>;
}

/** Names the database without its password. */
export function placeOf(databaseUrl: string): string {
  const [first = ''] = databaseUrl.split(',');
  const url = parseUrl(first);
  return url ? `the database ${url.pathname.slice(1)} at ${url.host || 'this machine'}` : 'the database';
}

export function createKeyring(options: { db: Db; seal: Seal; masterKey: Buffer; where: string }): Keyring {
  const { db, seal, masterKey, where } = options;
  const read = async (from: Queryable): Promise<void> => {
    let rows = await listMasterKeys(from);
    if (rows.length === 0) rows = await insertFirst(db, masterKey);
    try {
      seal.adopt(ringOf(masterKey, rows, where));
    } catch (error) {
      seal.retire();
      throw error;
    }
  };
  return {
    load: () => read(db),
    async problem() {
      try {
        await read(db);
        return null;
      } catch (error) {
        // Another check reports a database that is away.
        return error instanceof WrongKeyError ? 'the master key does not fit the database' : null;
      }
    },
  };
}
