import { invalidArgument } from '../coinslot-error.ts';
import { secretsOf } from './secret-check.ts';
import { webCrypto } from './web-crypto.ts';

export interface SignWebhook {
  /** The event, or the raw body. An object is serialized once; send `rawBody` as it is returned. */
  body: object | string;
  /** What the receiver holds: the S2S key, or the secret of the webhook. */
  secret: string;
  /** Signs `x-service-signature-previous`, as during a rotation. */
  previousSecret?: string;
  /** When it was signed; defaults to now. */
  signedAt?: Date;
  /** Number of the attempt; defaults to 1. */
  attempt?: number;
}

export interface SignedWebhook {
  rawBody: string;
  headers: Record<string, string>;
}

async function hmacHex(secret: string, text: string): Promise<string> {
  const { subtle } = await webCrypto();
  const encoder = new TextEncoder();
  const key = await subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const digest = new Uint8Array(await subtle.sign('HMAC', key, encoder.encode(text)));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Signs a webhook as the service does, for unit tests of a receiver. */
export async function signWebhook(options: SignWebhook): Promise<SignedWebhook> {
  const { body, secret, previousSecret, signedAt = new Date(), attempt = 1 } = options ?? {};
  if (typeof body !== 'string' && (typeof body !== 'object' || body === null))
    throw invalidArgument('signWebhook', 'body must be an event, such as testEvent("item.add"), or the raw body');
  for (const one of [secret, ...(previousSecret === undefined ? [] : [previousSecret])]) secretsOf('signWebhook', one);
  const rawBody = typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = String(Math.floor(signedAt.getTime() / 1000));
  const signed = `${timestamp}.${rawBody}`;
  return {
    rawBody,
    headers: {
      'content-type': 'application/json',
      'x-service-signature-timestamp': timestamp,
      'x-service-signature': await hmacHex(secret, signed),
      'x-service-delivery-attempt': String(attempt),
      ...(previousSecret !== undefined && { 'x-service-signature-previous': await hmacHex(previousSecret, signed) }),
    },
  };
}
