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
  'mail',
  'req',
] as const;
export type IdPrefix = (typeof PREFIXES)[number];

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
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

function encodeTime(timeMs: number): string {
  let rest = timeMs;
  let text = '';
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
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

/** The 16 bytes behind an id, for tokens that must be short. */
export function idBytes(id: string): Buffer {
  let value = 0n;
  for (const char of id.slice(id.indexOf('_') + 1)) value = (value << 5n) | BigInt(ALPHABET.indexOf(char));
  return Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
}

export function idFromBytes<P extends IdPrefix>(prefix: P, bytes: Buffer): `${P}_${string}` {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return `${prefix}_${text}`;
}
