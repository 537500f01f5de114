import { randomFillSync } from 'node:crypto';

const PREFIXES = [
  'ord',
  'pay',
  'evt',
  'whk',
  'dlv',
  'itm',
  'game',
  'cmp',
  'usr',
  'key',
  'env',
  'job',
  'prc',
  'mail',
  'req',
  'svm',
  'ses',
  'inv',
  'evf',
  'aud',
  'dif',
  'psk',
  'blk',
  'viw',
  'exm',
] as const;
export type IdPrefix = (typeof PREFIXES)[number];

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGITS = new Uint8Array(128);
for (let digit = 0; digit < ALPHABET.length; digit++) DIGITS[ALPHABET.charCodeAt(digit)] = digit;
const TIME_CHARS = 10;
const TIME_BYTES = 6;
const RANDOM_BYTES = 10;
const POOL_BYTES = RANDOM_BYTES * 512;

// One system call for 512 ids: order creation makes several ids for each request.
const pool = Buffer.alloc(POOL_BYTES);
let poolUsed = POOL_BYTES;

function takeRandom(): number {
  if (poolUsed >= POOL_BYTES) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const start = poolUsed;
  poolUsed += RANDOM_BYTES;
  return start;
}

function encode(value: number, chars: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < chars; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function decode(text: string, start: number, chars: number): number {
  let value = 0;
  for (let i = start; i < start + chars; i++) value = value * 32 + DIGITS[text.charCodeAt(i)]!;
  return value;
}

// Under load many ids are made in one millisecond.
const lastTime = { ms: -1, text: '' };

function encodeTime(timeMs: number): string {
  if (timeMs === lastTime.ms) return lastTime.text;
  lastTime.ms = timeMs;
  lastTime.text = encode(timeMs, TIME_CHARS);
  return lastTime.text;
}

function encodeRandom(start: number): string {
  let text = '';
  for (let i = 0; i < RANDOM_BYTES; i += 5) {
    const high = (pool[start + i]! << 12) | (pool[start + i + 1]! << 4) | (pool[start + i + 2]! >> 4);
    const low = ((pool[start + i + 2]! & 15) << 16) | (pool[start + i + 3]! << 8) | pool[start + i + 4]!;
    for (const part of [high, low]) {
      text +=
        ALPHABET[(part >> 15) & 31]! + ALPHABET[(part >> 10) & 31] + ALPHABET[(part >> 5) & 31] + ALPHABET[part & 31];
    }
  }
  return text;
}

/** A prefix, 48 bits of milliseconds and 80 random bits in Crockford's base 32: sorts by time, cannot be guessed. */
export function newId<P extends IdPrefix>(prefix: P, nowMs = Date.now()): `${P}_${string}` {
  return `${prefix}_${encodeTime(nowMs)}${encodeRandom(takeRandom())}`;
}

const ID = new RegExp(`^(?:${PREFIXES.join('|')})_[${ALPHABET}]{26}$`);

export const isId = (text: string, prefix: IdPrefix): boolean => text.startsWith(`${prefix}_`) && ID.test(text);

/** Decodes an id into its 16 bytes, for tokens that must be short. */
export function idBytes(id: string): Buffer {
  const start = id.indexOf('_') + 1;
  const bytes = Buffer.allocUnsafe(TIME_BYTES + RANDOM_BYTES);
  bytes.writeUIntBE(decode(id, start, TIME_CHARS), 0, TIME_BYTES);
  // Eight characters are exactly five bytes, and a number holds them.
  bytes.writeUIntBE(decode(id, start + TIME_CHARS, 8), TIME_BYTES, 5);
  bytes.writeUIntBE(decode(id, start + TIME_CHARS + 8, 8), TIME_BYTES + 5, 5);
  return bytes;
}

export function idFromBytes<P extends IdPrefix>(prefix: P, bytes: Buffer): `${P}_${string}` {
  const time = encode(bytes.readUIntBE(0, TIME_BYTES), TIME_CHARS);
  const random = encode(bytes.readUIntBE(TIME_BYTES, 5), 8) + encode(bytes.readUIntBE(TIME_BYTES + 5, 5), 8);
  return `${prefix}_${time}${random}`;
}

/** Ids take their time from the process, rows from the database. The two clocks differ by less than this. */
export const ID_SLACK_MS = 3_600_000;

/** Returns the least id of a time: all ids that are made then or later sort behind it. */
export const idBound = (prefix: IdPrefix, timeMs: number): string =>
  `${prefix}_${encode(Math.max(0, Math.floor(timeMs)), TIME_CHARS)}`;

export const idTime = (id: string): Date => new Date(decode(id, id.indexOf('_') + 1, TIME_CHARS));
