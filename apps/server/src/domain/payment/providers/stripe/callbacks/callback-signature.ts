import { createHmac } from 'node:crypto';
import { sameBytes } from '../../../../../kit/seal.ts';
import type { SignatureVerdict } from '../../base/provider.ts';

export interface SignedCallback {
  /** The header `Stripe-Signature`. */
  header: string | undefined;
  /** Exactly as received. */
  body: Buffer;
  secrets: readonly string[];
  nowSeconds: number;
}

export const TOLERANCE_SECONDS = 300;

interface Parts {
  timestamp: string;
  signatures: string[];
}

function partsOf(header: string): Parts | null {
  const pairs = header.split(',').map(part => part.trim().split('=', 2));
  const timestamp = pairs.find(([name]) => name === 't')?.[1];
  const signatures = pairs.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  return timestamp !== undefined && /^\d{1,12}$/.test(timestamp) && signatures.length > 0
    ? { timestamp, signatures }
    : null;
}

function isSignedBy(secret: string, { timestamp, signatures }: Parts, body: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  return signatures.some(signature => sameBytes(Buffer.from(signature, 'hex'), expected));
}

/** Stripe signs time and bytes. While a secret is rolled there are two signatures; any right one will do. */
export function judgeSignature({ header, body, secrets, nowSeconds }: SignedCallback): SignatureVerdict {
  const parts = partsOf(header ?? '');
  if (!parts) return 'missing';
  if (!secrets.some(secret => isSignedBy(secret, parts, body))) return 'wrong';
  return Math.abs(nowSeconds - Number(parts.timestamp)) > TOLERANCE_SECONDS ? 'too_old' : 'right';
}
