import { invalidArgument } from '../coinslot-error.ts';
import type { WebhookEvent } from '../event-shapes.ts';
import { secretsOf } from './secret-check.ts';
import { webCrypto } from './web-crypto.ts';

/** `Headers`, or the header objects of Node and frameworks. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type RawBody = string | Uint8Array | ArrayBuffer;

export interface VerifyWebhook {
  /** The body as it arrived, before anything parsed it. */
  rawBody: RawBody;
  headers: WebhookHeaders;
  /** The signing secret: the S2S key, or the secret of the webhook. A list while you change it. */
  secret: string | readonly string[];
  /** How far the timestamp may be from now, in seconds, both ways; defaults to 300. */
  toleranceSeconds?: number;
  /** The time to compare with; defaults to now. For tests. */
  now?: Date;
}

export type WebhookRefusal =
  /** A signature header is missing. */
  | 'missing_headers'
  /** The timestamp header is not a number of seconds. */
  | 'invalid_timestamp'
  /** Too old: a replayed request, or your clock is wrong. */
  | 'timestamp_too_old'
  /** Too far ahead: your clock is wrong. */
  | 'timestamp_too_new'
  /** The secret or the body is different. */
  | 'signature_mismatch'
  /** The signature is right, but the body is not an event. */
  | 'invalid_body';

export type VerifiedWebhook = { ok: true; event: WebhookEvent } | { ok: false; reason: WebhookRefusal };

const TOLERANCE_SECONDS = 300;
const encoder = new TextEncoder();

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const record = headers as Record<string, string | readonly string[] | undefined>;
  const key = name in record ? name : Object.keys(record).find(one => one.toLowerCase() === name);
  const value = key === undefined ? undefined : record[key];
  return typeof value === 'string' ? value : value?.[0];
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return encoder.encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  // An ArrayBuffer from another realm is not an `instanceof` ours.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') return new Uint8Array(rawBody as ArrayBuffer);
  throw invalidArgument(
    'verifyWebhook',
    'rawBody must be the body as it arrived (string, Uint8Array or ArrayBuffer). A parsed object cannot be verified: read the raw bytes before any JSON parser, such as await request.text()',
  );
}

function signedBytes(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = encoder.encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return signed;
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));

/** Tries every pair. WebCrypto compares in constant time. */
async function matches(secrets: string[], signatures: string[], signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { subtle } = await webCrypto();
  let found = false;
  for (const secret of secrets) {
    const key = await subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const signature of signatures) {
      // Lower case only, as the interface specifies.
      const isHex = /^[0-9a-f]{64}$/.test(signature);
      if (isHex && (await subtle.verify('HMAC', key, fromHex(signature), signed))) found = true;
    }
  }
  return found;
}

function parseEvent(body: Uint8Array): WebhookEvent | undefined {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Partial<WebhookEvent> | null;
    const isEvent =
      typeof event?.event_type === 'string' &&
      typeof event.idempotency_key === 'string' &&
      event.idempotency_key !== '' &&
      typeof event.event_data === 'object' &&
      event.event_data !== null;
    return isEvent ? (event as WebhookEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** Verifies that Coinslot signed a webhook, and returns its event. Throws a `CoinslotError` for invalid arguments only. */
export async function verifyWebhook(options: VerifyWebhook): Promise<VerifiedWebhook> {
  const { headers, toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = options;
  const body = bytesOf(options.rawBody);
  const secrets = secretsOf('verifyWebhook', options.secret);
  if (typeof headers !== 'object' || headers === null)
    throw invalidArgument('verifyWebhook', 'headers must be the headers of the request');

  const timestamp = headerOf(headers, 'x-service-signature-timestamp');
  const current = headerOf(headers, 'x-service-signature');
  if (!timestamp || !current) return { ok: false, reason: 'missing_headers' };
  if (!/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: 'invalid_timestamp' };

  // During a rotation the previous secret signs too.
  const previous = headerOf(headers, 'x-service-signature-previous');
  const signatures = previous ? [current, previous] : [current];
  if (!(await matches(secrets, signatures, signedBytes(timestamp, body))))
    return { ok: false, reason: 'signature_mismatch' };

  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) return { ok: false, reason: 'timestamp_too_old' };
  if (ageSeconds < -toleranceSeconds) return { ok: false, reason: 'timestamp_too_new' };
  const event = parseEvent(body);
  return event ? { ok: true, event } : { ok: false, reason: 'invalid_body' };
}
