import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PROVIDER_SETTINGS } from './provider-settings.ts';
import type { Others, Setting } from './setting.ts';
import { TABLE } from './settings.ts';

type ValueOf<Entry> = Entry extends Setting<infer T> ? T : { [Name in keyof Entry]: ValueOf<Entry[Name]> };
type Given = ValueOf<typeof TABLE>;

interface AccountKeys {
  secretKey: string;
  publishableKey: string;
  callbackSecret: string | null;
}

type GivenKeys = { [Name in keyof AccountKeys]?: AccountKeys[Name] | undefined };

/** The operator's own account at a provider; without keys each company connects its own. */
type ProviderConfig<Values> = Omit<Values, 'keys'> & { keys: AccountKeys | undefined };

type ProviderName = keyof typeof PROVIDER_SETTINGS;
type ProviderConfigs = { [Name in ProviderName]: ProviderConfig<Given[Name]> };

export type Config = Omit<Given, ProviderName> & ProviderConfigs;

type AnySetting = Setting<unknown>;
type Entries = AnySetting | { [name: string]: Entries };

const isSetting = (entry: Entries): entry is AnySetting => typeof entry.defaultOf === 'function';

const listSettings = (entry: Entries): AnySetting[] =>
  isSetting(entry) ? [entry] : Object.values(entry).flatMap(listSettings);

/** docs/reference/configuration.md is generated from it. */
export const SETTINGS = listSettings(TABLE);

/** Serves code that only shows which settings were given. */
export const environment = (): NodeJS.ProcessEnv => process.env;

/** One line for each problem; never the value of a secret. */
export class ConfigError extends Error {}

/** Reads settings and notes every problem. Settings that others depend on are read first. */
function createReader(env: NodeJS.ProcessEnv) {
  const problems = new Map<AnySetting, string>();
  const textOf = (setting: AnySetting): string | undefined => env[setting.name]?.trim() || secretOf(setting);
  const isEmbedded = textOf(TABLE.databaseUrl) === undefined;
  const others: Others = { isProduction: false, port: 0, publicUrl: '', processes: 1, isEmbedded };

  /** A secret may stand in a file that NAME_FILE names, as container platforms mount it; the environment shows in process lists. */
  function secretOf(setting: AnySetting): string | undefined {
    const path = setting.isSecret ? env[`${setting.name}_FILE`]?.trim() : undefined;
    if (!path) return undefined;
    try {
      const text = readFileSync(path, 'utf8').trim();
      // Not the same as no setting: without an address the program would make a database of its own.
      if (text === '') problems.set(setting, `${setting.name}_FILE names an empty file: ${path}`);
      return text || undefined;
    } catch (error) {
      problems.set(setting, `${setting.name}_FILE cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** Keeps only the first problem of a setting, because later ones follow from it. */
  function refuse(setting: AnySetting, reason: string): void {
    const { name, example } = setting;
    if (!problems.has(setting)) problems.set(setting, `${name} ${reason}. Example: ${name}=${example}`);
  }

  function parse<T>(setting: Setting<T>): T {
    const text = textOf(setting);
    try {
      if (text !== undefined) return setting.parse(text, others);
    } catch (error) {
      refuse(setting, (error as Error).message);
    }
    return setting.defaultOf(others);
  }

  function read<T>(setting: Setting<T>): T {
    const value = parse(setting);
    const reason = others.isProduction && setting.refusedInProduction(value);
    if (reason) refuse(setting, reason);
    return value;
  }

  others.isProduction = read(TABLE.env) === 'production';
  others.port = read(TABLE.port);
  others.publicUrl = read(TABLE.publicUrl);
  others.processes = read(TABLE.operations.processes);

  const readAll = (entry: Entries): unknown =>
    isSetting(entry)
      ? read(entry)
      : Object.fromEntries(Object.entries(entry).map(([name, inner]) => [name, readAll(inner)]));

  return { readAll: <E>(entries: E) => readAll(entries as Entries) as ValueOf<E>, refuse, problems };
}

const modeOf = (key: string | undefined): string | undefined => key?.split('_')[1];

/** Reads and checks every setting. All problems are reported at once. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { readAll, refuse, problems } = createReader(env);
  const given = readAll(TABLE);

  function accountOf(name: ProviderName): AccountKeys | undefined {
    const { secretKey, publishableKey, callbackSecret = null }: GivenKeys = given[name].keys;
    if (secretKey !== undefined && publishableKey !== undefined) return { secretKey, publishableKey, callbackSecret };
    const { keys } = TABLE[name];
    if (secretKey !== undefined) refuse(keys.publishableKey, `is required beside ${keys.secretKey.name}`);
    if (publishableKey !== undefined) refuse(keys.secretKey, `is required beside ${keys.publishableKey.name}`);
    return undefined;
  }

  const names = Object.keys(PROVIDER_SETTINGS) as ProviderName[];
  const providers = Object.fromEntries(
    names.map(name => [name, { ...given[name], keys: accountOf(name) }]),
  ) as ProviderConfigs;
  const { stripe } = providers;
  if (modeOf(stripe.keys?.secretKey) !== modeOf(stripe.keys?.publishableKey))
    refuse(TABLE.stripe.keys.publishableKey, 'must be of the same mode (test or live) as STRIPE_SECRET_KEY');
  if (problems.size > 0) throw new ConfigError([...problems.values()].join('\n'));
  return { ...given, ...providers };
}

/** Settings that a command beside the program needs as well, to work on the same shop. */
const SHARED = [TABLE.dataDir, TABLE.databaseUrl, TABLE.masterKey, TABLE.port, TABLE.publicUrl, TABLE.env];

const shellWord = (text: string): string =>
  /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Lists which of the shared settings this start was given, as they are written before a command; secrets as `…`. */
export function givenSettings(env: NodeJS.ProcessEnv = process.env): string {
  const words = SHARED.flatMap(setting => {
    const text = env[setting.name]?.trim();
    if (!text) return [];
    const shown = setting === TABLE.dataDir ? resolve(text) : text;
    return `${setting.name}=${setting.isSecret ? '…' : shellWord(shown)} `;
  });
  return words.join('');
}
