import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const VERSION = 2;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const LEAST_BYTES = HEAD_BYTES + IV_BYTES + TAG_BYTES;
const LEAST_MAC_BYTES = 16;

/** All keys that a process knows. There are two master keys while one replaces the other. */
export interface Ring {
  current: Buffer;
  /** Open secrets that are not sealed under the current key yet. */
  others: readonly Buffer[];
  /** Check fingerprints that were made under earlier keys. They open nothing. */
  earlierMacRoots: readonly Buffer[];
}

/**
 * Encrypts secrets at rest: AES-256-GCM under a key that is derived from the master key. The context binds a secret to its
 * row. A sealed secret begins with the version of its format and the id of its key.
 */
export interface Seal {
  seal(secret: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** A keyed fingerprint for tokens that carry their own proof. */
  mac(data: Buffer, purpose: string): Buffer;
  /** The fingerprints under all known keys, the current one first. */
  macs(data: Buffer, purpose: string): Buffer[];
  /** Whether a fingerprint, or its beginning, is one of ours. */
  isMac(data: Buffer, purpose: string, given: Buffer): boolean;
  adopt(ring: Ring): void;
  /** Refuses to seal from now on, because a secret under this key could not be opened again. */
  retire(): void;
}

const derive = (root: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `coinslot/${purpose}`, 32));

/** Names a master key and reveals nothing of it. */
export const keyIdOf = (masterKey: Buffer): Buffer => derive(masterKey, 'key id').subarray(0, KEY_ID_BYTES);

/** All fingerprints are derived from it. It outlives its master key, which cannot be computed from it. */
export const macRootOf = (masterKey: Buffer): Buffer => derive(masterKey, 'mac root');

interface Keys {
  currentId: Buffer;
  sealKeys: ReadonlyMap<string, Buffer>;
  macRoots: readonly { root: Buffer; byPurpose: Map<string, KeyObject> }[];
}

function keysOf({ current, others, earlierMacRoots }: Ring): Keys {
  const masters = [current, ...others];
  const roots = [...masters.map(macRootOf), ...earlierMacRoots];
  return {
    currentId: keyIdOf(current),
    sealKeys: new Map(masters.map(master => [keyIdOf(master).toString('hex'), derive(master, 'seal')])),
    // Prepared once, because Node prepares a key that is given as bytes again for every MAC.
    macRoots: roots.map(root => ({ root, byPurpose: new Map() })),
  };
}

function macUnder({ root, byPurpose }: Keys['macRoots'][number], data: Buffer, purpose: string): Buffer {
  const key = byPurpose.get(purpose) ?? createSecretKey(derive(root, purpose));
  byPurpose.set(purpose, key);
  return createHmac('sha256', key).update(data).digest();
}

/** Binds the head as well, so that no byte of a sealed secret can be changed. */
const boundTo = (head: Buffer, context: string): Buffer => Buffer.concat([head, Buffer.from(context)]);

function sealUnder({ currentId, sealKeys }: Keys, secret: string, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const head = Buffer.concat([Buffer.from([VERSION]), currentId]);
  const key = sealKeys.get(currentId.toString('hex'))!;
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(boundTo(head, context));
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([head, iv, cipher.getAuthTag(), body]);
}

function openWith({ sealKeys }: Keys, sealed: Buffer, context: string): string {
  if (sealed.length < LEAST_BYTES || sealed[0] !== VERSION) throw new Error('this is no sealed secret');
  const head = sealed.subarray(0, HEAD_BYTES);
  const keyId = head.subarray(1).toString('hex');
  const key = sealKeys.get(keyId);
  if (!key) throw new Error(`a secret is sealed under the master key ${keyId}, which is not known here`);
  const iv = sealed.subarray(HEAD_BYTES, HEAD_BYTES + IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(boundTo(head, context))
    .setAuthTag(sealed.subarray(HEAD_BYTES + IV_BYTES, LEAST_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(LEAST_BYTES)), decipher.final()]).toString('utf8');
}

export function createSeal(masterKey: Buffer): Seal {
  let keys = keysOf({ current: masterKey, others: [], earlierMacRoots: [] });
  let isRetired = false;
  const macs = (data: Buffer, purpose: string): Buffer[] => keys.macRoots.map(root => macUnder(root, data, purpose));
  return {
    seal(secret, context) {
      if (isRetired) throw new Error('the master key of this process is retired');
      return sealUnder(keys, secret, context);
    },
    open: (sealed, context) => openWith(keys, sealed, context),
    mac: (data, purpose) => macUnder(keys.macRoots[0]!, data, purpose),
    macs,
    isMac(data, purpose, given) {
      if (given.length < LEAST_MAC_BYTES) return false;
      return keys.macRoots.some(root => sameBytes(macUnder(root, data, purpose).subarray(0, given.length), given));
    },
    adopt(ring) {
      keys = keysOf(ring);
      isRetired = false;
    },
    retire() {
      isRetired = true;
    },
  };
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url');
