import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from './exit-codes.ts';
import type { Io } from './terminal/io.ts';

export const DEFAULT_URL = 'http://localhost:4242';
export const NO_KEY_HINT = 'Set COINSLOT_KEY to your sandbox’s S2S key, or save it with: coinslot login';
/** Readable by its owner only. */
const PRIVATE = 0o600;
const OTHERS_MAY = 0o077;

export interface Stored {
  url: string;
  key: string;
}

export interface Settings {
  url: string;
  urlFrom: 'option' | 'environment' | 'file' | 'default';
  key: string | null;
  keyFrom: 'option' | 'environment' | 'file' | null;
  file: string;
}

export interface GivenSettings {
  url?: string | undefined;
  key?: string | undefined;
}

export function settingsFile({ env, homeFolder, platform }: Io): string {
  const base =
    env.XDG_CONFIG_HOME ||
    (platform === 'win32' ? env.APPDATA || join(homeFolder, 'AppData', 'Roaming') : join(homeFolder, '.config'));
  return join(base, 'coinslot', 'config.json');
}

async function readStored(io: Io, file: string): Promise<Stored | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  let stored: Partial<Stored>;
  try {
    stored = JSON.parse(text) as Partial<Stored>;
  } catch {
    throw new UsageError(`${file} is not JSON.`, 'Create it again with: coinslot login');
  }
  if (typeof stored.key !== 'string' || typeof stored.url !== 'string') {
    throw new UsageError(`${file} has no key and url.`, 'Create it again with: coinslot login');
  }
  if (io.platform !== 'win32' && (await stat(file)).mode & OTHERS_MAY) {
    io.err(`Warning: other users of this computer can read ${file}. Run: chmod 600 ${file}\n`);
  }
  return { key: stored.key, url: stored.url };
}

export async function writeStored(io: Io, stored: Stored): Promise<string> {
  const file = settingsFile(io);
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`, { mode: PRIVATE });
  // Overwriting an existing file keeps its old mode.
  if (io.platform !== 'win32') await chmod(file, PRIVATE);
  return file;
}

export async function deleteStored(io: Io): Promise<boolean> {
  const file = settingsFile(io);
  const existed = (await stat(file).catch(() => null)) !== null;
  await rm(file, { force: true });
  return existed;
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

/** The key and the server: from options, else from the environment, else from the saved file. */
export async function readSettings(io: Io, given: GivenSettings): Promise<Settings> {
  const file = settingsFile(io);
  const stored = await readStored(io, file);
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
  return { url, urlFrom, key: key === undefined ? null : checkKey(key), keyFrom, file };
}

export const redact = (key: string): string => `${/^sk_[a-z]+_/.exec(key)?.[0] ?? ''}…${key.slice(-4)}`;

export const isLiveKey = (key: string): boolean => key.startsWith('sk_live_');
