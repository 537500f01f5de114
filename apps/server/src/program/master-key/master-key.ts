import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomToken } from '../../kit/seal.ts';
import { type Config, ConfigError } from '../../settings/config.ts';

const KEY_BYTES = 32;

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new ConfigError(
      `DATA_DIR: the master key in ${file} cannot be read (${error.code}). Example: MASTER_KEY=<its content>`,
    );
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) {
    throw new ConfigError(
      `DATA_DIR: ${file} does not hold ${KEY_BYTES} bytes in base64. Put the right key back, or set MASTER_KEY.`,
    );
  }
  return key;
}

export const newMasterKey = (): Buffer => Buffer.from(randomToken(KEY_BYTES), 'base64url');

/** Writes the key into a new file beside `file` and flushes it to the disk. Returns the path. */
async function writeAside(file: string, key: Buffer): Promise<string> {
  const aside = `${file}.${randomToken(6)}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${key.toString('base64')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return aside;
}

// The link keeps the first key when two programs start at once, and both then read that one.
async function writeKey(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const aside = await writeAside(file, newMasterKey());
  await link(aside, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(aside);
}

/** Replaces the key for the next start. The rename leaves one whole key or the other after a kill. */
export async function replaceMasterKey(dataDir: string, key: Buffer): Promise<void> {
  const file = join(dataDir, 'master.key');
  const aside = await writeAside(file, key);
  await rename(aside, file);
}

/** Returns the given or kept key. Unlike `masterKey` it makes none. */
export const findMasterKey = async (config: Pick<Config, 'dataDir' | 'masterKey'>): Promise<Buffer | undefined> =>
  config.masterKey ?? (await readKey(join(config.dataDir, 'master.key')));

/** The key that seals secrets: given by MASTER_KEY or, outside production, made once and kept in the data folder. */
export async function masterKey(config: Pick<Config, 'dataDir' | 'masterKey'>): Promise<Buffer> {
  if (config.masterKey) return config.masterKey;
  const file = join(config.dataDir, 'master.key');
  const kept = await readKey(file);
  if (kept) return kept;
  await writeKey(config.dataDir, file).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR cannot be written (${error.message}). Example: DATA_DIR=/var/lib/coinslot/data`);
  });
  const made = await readKey(file);
  if (!made) throw new ConfigError(`DATA_DIR: ${file} is gone. Start again.`);
  return made;
}
