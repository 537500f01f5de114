import { UsageError } from './exit-codes.ts';

const show = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** For options that can be repeated. */
export const append = (text: string, before: string[] = []): string[] => [...before, text];

export function wholeNumber(option: string, min: number, max: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new UsageError(`${option} is a whole number from ${min} to ${max}, not ${show(text)}.`);
  };
}

/** A reader that knows what it takes, for the shell's completion. */
type WordReader<Value> = ((text: string) => Value) & { words: readonly string[] };

/** What an option takes, if its reader knows. */
export const wordsOf = (reader: unknown): readonly string[] =>
  typeof reader === 'function' && 'words' in reader ? (reader as WordReader<unknown>).words : [];

export function oneOf<Word extends string>(option: string, words: readonly Word[]): WordReader<Word> {
  const read = (text: string): Word => {
    const word = words.find(candidate => candidate === text);
    if (word !== undefined) return word;
    const near = words.find(candidate => candidate.startsWith(text) || text.startsWith(candidate));
    throw new UsageError(
      `${option} is one of ${words.join(', ')}, not ${show(text)}.`,
      near && text !== '' ? `Did you mean ${near}?` : null,
    );
  };
  return Object.assign(read, { words });
}

export function listOf<Word extends string>(option: string, words: readonly Word[]): WordReader<Word[]> {
  const read = oneOf(option, words);
  return Object.assign((text: string) => text.split(',').map(part => read(part.trim())), { words });
}

/** Checks a Coinslot id. A different prefix means the id of another kind of object. */
export function checkId(text: string | undefined, prefix: string, what: string): string {
  if (text !== undefined && new RegExp(`^${prefix}_[0-9a-z]+$`).test(text)) return text;
  throw new UsageError(`The id of ${what} starts with ${prefix}_; ${show(text ?? '')} does not.`);
}

/** The service accepts no shorter secret. */
const SHORTEST_SECRET = 8;

/** A signing secret from an environment variable. An empty one would make every signature look right. */
export function checkSecret(name: string, secret: string | undefined): string {
  if (secret !== undefined && secret.trim().length >= SHORTEST_SECRET) return secret;
  throw new UsageError(
    secret ? `The signing secret in ${name} is too short.` : `The environment variable ${name} is empty.`,
    `A webhook’s secret has at least ${SHORTEST_SECRET} characters.`,
  );
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Reads `90s`, `15m`, `2h` or `7d` as seconds. */
export function durationOf(option: string, min: number, max: number): (text: string) => number {
  return text => {
    const given = /^(\d{1,8})([smhd]?)$/.exec(text);
    const seconds = given
      ? Number(given[1]) * UNIT_SECONDS[(given[2] || 's') as keyof typeof UNIT_SECONDS]
      : Number.NaN;
    if (seconds >= min && seconds <= max) return seconds;
    throw new UsageError(
      `${option} is a time such as 90s, 15m, 2h or 7d, at most ${max / 86_400}d, not ${show(text)}.`,
    );
  };
}

/** Reads `90s`, `15m`, `2h` or `7d` ago, Unix seconds, or a date as Unix seconds. */
export function timeOf(option: string, nowMs: () => number): (text: string) => number {
  return text => {
    const ago = /^(\d{1,6})([smhd])$/.exec(text);
    if (ago) return Math.floor(nowMs() / 1000) - Number(ago[1]) * UNIT_SECONDS[ago[2] as keyof typeof UNIT_SECONDS];
    if (/^\d{9,11}$/.test(text)) return Number(text);
    const dateMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(dateMs)) return Math.floor(dateMs / 1000);
    throw new UsageError(`${option} is a time such as 15m, 2h, 7d, 2026-01-31 or Unix seconds, not ${show(text)}.`);
  };
}

export function readJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${what} is not JSON: ${show(text)}.`, `It looks like '{"sku":"crystals_100"}'`);
  }
}

type Data = Record<string, unknown>;

function put(target: Data, path: string[], value: unknown): void {
  const [first, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const inner = target[first];
  const next: Data = typeof inner === 'object' && inner !== null ? (inner as Data) : {};
  target[first] = next;
  put(next, rest, value);
}

/** `player_id=ann` is text, `amount:=499` is JSON, `metadata.level=7` goes into an object. */
export function readOverrides(given: readonly string[]): Data {
  const overrides: Data = {};
  for (const text of given) {
    const match = /^([\w-]+(?:\.[\w-]+)*)(:?=)([\s\S]*)$/.exec(text);
    if (!match || match[1]!.split('.').includes('__proto__')) {
      throw new UsageError(
        `${show(text)} is not an override.`,
        'Write player_id=ann for text, amount:=499 for JSON, metadata.level=7 for a field in an object.',
      );
    }
    const [, path, sign, value] = match;
    put(overrides, path!.split('.'), sign === ':=' ? readJson(`The value of ${path}`, value!) : value);
  }
  return overrides;
}

/** Reads `key=value` pairs as text. */
export function readPairs(option: string, given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map(text => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`${option} is written key=value, not ${show(text)}.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
