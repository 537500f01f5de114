import { createPrivateKey, type KeyObject, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Authority, createAuthority, type Validity } from '../certificates.ts';

export interface Signer {
  key: KeyObject;
  /** What callbacks are verified with, as PayPal serves it. */
  pem: string;
  certPath: string;
  authority: Authority;
  /** PayPal's own look at a signature. */
  isRight(claimed: Record<string, unknown>): boolean;
}

export interface SignerOptions {
  authority?: Authority;
  subject?: string;
  validity?: Validity;
}

/** Signs callbacks as PayPal does, with a certificate of a test authority. */
export function createSigner({
  authority = createAuthority('PayPal test authority'),
  subject = 'messageverificationcerts.paypal.com',
  validity = [2020, 2049],
}: SignerOptions = {}): Signer {
  const { cert, key: pemKey } = authority.issue([subject], validity, 'rsa');
  const key = createPrivateKey(pemKey);
  return {
    key,
    authority,
    pem: `${cert}${authority.ca}`,
    certPath: '/v1/notifications/certs/CERT-double',
    isRight({
      transmission_id: id,
      transmission_time: time,
      webhook_id: webhook,
      transmission_sig: signature,
      webhook_event: event,
    }) {
      const message = `${String(id)}|${String(time)}|${String(webhook)}|${crc32(Buffer.from(JSON.stringify(event)))}`;
      return verify('RSA-SHA256', Buffer.from(message), cert, Buffer.from(String(signature), 'base64'));
    },
  };
}

let usual: Signer | undefined;

/** A key takes up to a second to make, and every double of a process may sign with the same. */
export function usualSigner(): Signer {
  usual ??= createSigner();
  return usual;
}
