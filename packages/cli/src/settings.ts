import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from './exit-codes.ts';
import type { Io } from './terminal/io.ts';

export const DEFAULT_URL = 'http://localhost:4242';
export const NO_KEY_HINT = 'Set COINSLOT_KEY to your sandbox’s S2S key, or save it with: coinslot login';
/** Readable by its owner only. */
const PRIVATE = 0o600;
const GROUP_AND_OTHERS = 0o077;

export interface Stored {
  url: string;
  key: string;
}

/** The file holds one key without a name, and any number of named ones. */
interface StoredFile extends Partial<Stored> {
  profiles?: Record<string, Stored>;
}

export interface Settings {
  /** Null for the key without a name. */
  profile: string | null;
  url: string;
  urlFrom: 'option' | 'environment' | 'file' | 'default';
  key: string | null;
  keyFrom: 'option' | 'environment' | 'file' | null;
  file: string;
}

export interface GivenSettings {
  url?: string | undefined;
  key?: string | undefined;
  profile?: string | undefined;
}

/** The option wins over the environment. */
export function profileOf({ env }: Io, { profile }: GivenSettings): string | null {
  const name = profile || env.COINSLOT_PROFILE;
  if (!name) return null;
  if (/^[\w-]{1,40}$/.test(name) && name !== '__proto__') return name;
  throw new UsageError(`A profile is a short word such as staging, not ${JSON.stringify(name)}.`);
}

export function settingsFile({ env, homeFolder, platform }: Io): string {
  const base =
    env.XDG_CONFIG_HOME ||
    (platform === 'win32' ? env.APPDATA || join(homeFolder, 'AppData', 'Roaming') : join(homeFolder, '.config'));
  return join(base, 'coinslot', 'config.json');
}

async function readFileOf(file: string): Promise<StoredFile | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return JSON.parse(text) as StoredFile;
  } catch {
    throw new UsageError(`${file} is not JSON.`, 'Create it again with: coinslot login');
  }
}

const isStored = (entry: Partial<Stored> | undefined): entry is Stored =>
  typeof entry?.key === 'string' && typeof entry.url === 'string';

async function readStored(io: Io, file: string, profile: string | null): Promise<Stored | null> {
  const stored = await readFileOf(file);
  const entry = profile === null ? stored : stored?.profiles?.[profile];
  if (profile !== null && !isStored(entry ?? undefined)) {
    throw new UsageError(`There is no profile ${profile}.`, `Create it with: coinslot login --profile ${profile}`);
  }
  if (!stored || (profile === null && !('key' in stored) && stored.profiles)) return null;
  if (!isStored(entry ?? undefined)) {
    throw new UsageError(`${file} has no key and url.`, 'Create it again with: coinslot login');
  }
  if (io.platform !== 'win32' && (await stat(file)).mode & GROUP_AND_OTHERS) {
    io.err(`Warning: other users of this computer can read ${file}. Run: chmod 600 ${file}\n`);
  }
  return { key: entry!.key!, url: entry!.url! };
}

async function writeFileOf(io: Io, content: StoredFile): Promise<string> {
  const file = settingsFile(io);
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: PRIVATE });
  // Overwriting an existing file would keep its old mode.
  if (io.platform !== 'win32') await chmod(file, PRIVATE);
  return file;
}

export async function writeStored(io: Io, stored: Stored, profile: string | null = null): Promise<string> {
  // An unreadable file is replaced, as the hint promises.
  const before = (await readFileOf(settingsFile(io)).catch(() => null)) ?? {};
  if (profile === null) return writeFileOf(io, { ...before, ...stored });
  return writeFileOf(io, { ...before, profiles: { ...before.profiles, [profile]: stored } });
}

/** Removes the key without a name or that of the profile. The file is deleted with the last key. */
export async function deleteStored(io: Io, profile: string | null = null): Promise<boolean> {
  const file = settingsFile(io);
  const before: StoredFile | null = await readFileOf(file).catch(() => ({}));
  if (before === null) return false;
  const { profiles: { ...profiles } = {}, key, url } = before;
  const existed = profile === null || profile in profiles;
  if (profile !== null) delete profiles[profile];
  const rest = {
    ...(profile !== null && key && url && { key, url }),
    ...(Object.keys(profiles).length > 0 && { profiles }),
  };
  if (Object.keys(rest).length === 0) await rm(file, { force: true });
  else await writeFileOf(io, rest);
  return existed;
}

export async function listProfiles(io: Io): Promise<{ name: string; url: string; key: string }[]> {
  const stored = await readFileOf(settingsFile(io));
  return Object.entries(stored?.profiles ?? {}).map(([name, { url, key }]) => ({ name, url, key }));
}

export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new UsageError(
      `${JSON.stringify(text)} is not the address of a Coinslot server.`,
      `It looks like ${DEFAULT_URL}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

export function checkKey(text: string): string {
  const key = text.trim();
  if (/^Bearer\s/i.test(key)) throw new UsageError('Give only the key, without "Bearer ".');
  if (key === '') throw new UsageError('The key is empty.', NO_KEY_HINT);
  if (!/^sk_(?:sandbox|live)_[\w-]{32,128}$/.test(key)) {
    throw new UsageError(
      'This is not a complete S2S key.',
      'It starts with sk_sandbox_ or sk_live_. `npm run setup` prints it, and the dashboard shows it under API keys.',
    );
  }
  return key;
}

/** Options win over the environment, which wins over the saved file. */
export async function readSettings(io: Io, given: GivenSettings): Promise<Settings> {
  const file = settingsFile(io);
  const profile = profileOf(io, given);
  const stored = await readStored(io, file, profile);
  const { COINSLOT_URL: envUrl, COINSLOT_KEY: envKey } = io.env;
  const urlFrom = given.url ? 'option' : envUrl ? 'environment' : stored ? 'file' : 'default';
  const url = checkUrl(given.url || envUrl || stored?.url || DEFAULT_URL);
  const keyFrom = given.key ? 'option' : envKey ? 'environment' : stored ? 'file' : null;
  const key = given.key || envKey || stored?.key;
  if (keyFrom === 'file' && checkUrl(stored!.url) !== url) {
    throw new UsageError(
      `The saved key belongs to ${stored!.url} and is not sent to ${url}.`,
      `Set COINSLOT_KEY for ${url}, or run: coinslot login --url ${url}`,
    );
  }
  return { profile, url, urlFrom, key: key === undefined ? null : checkKey(key), keyFrom, file };
}

export const redact = (key: string): string => `${/^sk_[a-z]+_/.exec(key)?.[0] ?? ''}…${key.slice(-4)}`;

export const isLiveKey = (key: string): boolean => key.startsWith('sk_live_');
