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

const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;

/** Secrets at rest: AES-256-GCM under a key derived from the master key. The context binds a secret to its row. */
export interface Seal {
  seal(secret: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** A keyed fingerprint for tokens that carry their own proof. */
  mac(data: Buffer, purpose: string): Buffer;
}

const derive = (master: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `coinslot/${purpose}`, 32));

export function createSeal(masterKey: Buffer): Seal {
  const sealKey = derive(masterKey, 'seal');
  // Prepared once: a key given as bytes is prepared anew for every MAC.
  const macKeys = new Map<string, KeyObject>();
  return {
    seal(secret, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const iv = sealed.subarray(1, 1 + IV_BYTES);
      const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
      const body = sealed.subarray(1 + IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    mac(data, purpose) {
      const key = macKeys.get(purpose) ?? createSecretKey(derive(masterKey, purpose));
      macKeys.set(purpose, key);
      return createHmac('sha256', key).update(data).digest();
    },
  };
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url');
