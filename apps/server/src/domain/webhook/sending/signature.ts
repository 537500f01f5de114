import { createHmac } from 'node:crypto';

export interface SignatureFacts {
  /** The bytes that go over the wire, unchanged. */
  readonly body: Uint8Array | string;
  /** Fresh for every attempt, so that a retry hours later is still inside the receiver's tolerance. */
  readonly timestampSeconds: number;
  /** The event's idempotency key; the same on every attempt. */
  readonly idempotencyKey: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly secret: string;
  /** The secret before the last rotation, while the two overlap. */
  readonly previousSecret?: string | null;
}

const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/**
 * Which bytes a Standard Webhooks verifier must use as its key.
 *
 * Those libraries take `whsec_` and base64. A secret in that form is decoded as they decode it, so it can be pasted into them
 * as it is. Any other secret (an S2S key is one) has no such form; its UTF-8 bytes are the key, and the library gets
 * `new Webhook(secret, { format: 'raw' })` or `new Webhook(Buffer.from(secret).toString('base64'))`.
 *
 * `x-service-signature` knows no such forms: its key is always the UTF-8 bytes of the whole secret.
 */
function standardWebhooksKey(secret: string): Buffer {
  const base64 = STANDARD_SECRET.exec(secret)?.[1];
  return base64 ? Buffer.from(base64, 'base64') : Buffer.from(secret, 'utf8');
}

export function signHeaders(facts: SignatureFacts): Record<string, string> {
  const { body, idempotencyKey, secret, previousSecret } = facts;
  const timestamp = String(facts.timestampSeconds);
  const headers: Record<string, string> = {
    'x-service-signature-timestamp': timestamp,
    'x-service-signature': signature(secret, timestamp, body),
    'x-service-delivery-attempt': String(facts.attempt),
    'webhook-id': idempotencyKey,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature(secret, idempotencyKey, timestamp, body),
  };
  if (previousSecret) {
    headers['x-service-signature-previous'] = signature(previousSecret, timestamp, body);
    headers['webhook-signature'] += ` ${standardSignature(previousSecret, idempotencyKey, timestamp, body)}`;
  }
  return headers;
}

function signature(secret: string, timestamp: string, body: Uint8Array | string): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

function standardSignature(secret: string, id: string, timestamp: string, body: Uint8Array | string): string {
  const hmac = createHmac('sha256', standardWebhooksKey(secret));
  return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
