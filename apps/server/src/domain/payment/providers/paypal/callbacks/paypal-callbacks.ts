import { verify as verifySignature } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AppError } from '../../../../../kit/app-error.ts';
import type { CallbackRequest, Callbacks, OpenedAccount, SignatureVerdict } from '../../base/provider.ts';
import { asAccountProblem } from '../account/ask-account.ts';
import { type PaypalClient, PaypalFault } from '../wire/paypal-client.ts';
import { LATER, type PaypalCertificates } from './paypal-certificates.ts';
import { readCallback } from './read-callback.ts';

/** What PayPal must tell. The same list stands in the guide and on the dashboard's page. */
export const CALLBACK_EVENTS = [
  'CHECKOUT.ORDER.APPROVED',
  'PAYMENT.AUTHORIZATION.CREATED',
  'PAYMENT.AUTHORIZATION.VOIDED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.PENDING',
  'PAYMENT.REFUND.FAILED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
] as const;

interface Signed {
  id: string;
  time: string;
  signature: string;
  certUrl: string;
  algorithm: string;
}

const asText = (header: string | string[] | undefined): string =>
  Array.isArray(header) ? header.join(',') : (header ?? '');

function signedIn({ headers }: CallbackRequest): Signed | null {
  const signed = {
    id: asText(headers['paypal-transmission-id']),
    time: asText(headers['paypal-transmission-time']),
    signature: asText(headers['paypal-transmission-sig']),
    certUrl: asText(headers['paypal-cert-url']),
    algorithm: asText(headers['paypal-auth-algo']),
  };
  return Object.values(signed).every(value => value !== '' && value.length <= 1_000) ? signed : null;
}

const isRsaSha256 = (algorithm: string): boolean => algorithm.toUpperCase() === 'SHA256WITHRSA';

/** The certificate cannot be had: PayPal itself is asked. The event goes as the bytes that came. */
async function askPaypal(
  client: PaypalClient,
  account: OpenedAccount,
  signed: Signed,
  body: Buffer,
): Promise<SignatureVerdict> {
  const head = JSON.stringify({
    auth_algo: signed.algorithm,
    cert_url: signed.certUrl,
    transmission_id: signed.id,
    transmission_sig: signed.signature,
    transmission_time: signed.time,
    webhook_id: account.callbackSecret,
  });
  try {
    const { verification_status: status } = await client.call<{ verification_status?: string }>(account, {
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      body: `${head.slice(0, -1)},"webhook_event":${body.toString('utf8')}}`,
    });
    return status === 'SUCCESS' ? 'right' : 'wrong';
  } catch (error) {
    if (error instanceof PaypalFault && error.statusCode !== undefined && error.statusCode < 500) return 'wrong';
    throw new AppError('unavailable', { detail: LATER });
  }
}

/**
 * PayPal signs id, time, webhook and the checksum of the bytes. The time is not limited: PayPal sends an event again for
 * three days, and an event that was taken once is not taken twice.
 */
async function judge(
  client: PaypalClient,
  certificates: PaypalCertificates,
  request: CallbackRequest,
  account: OpenedAccount,
): Promise<SignatureVerdict> {
  const signed = signedIn(request);
  if (!signed || account.callbackSecret === null) return 'missing';
  if (!isRsaSha256(signed.algorithm) || !readCallback(request.body)) return 'wrong';
  const certificate = await certificates(signed.certUrl);
  if (certificate === 'foreign') return 'wrong';
  if (!certificate) return askPaypal(client, account, signed, request.body);
  const message = `${signed.id}|${signed.time}|${account.callbackSecret}|${crc32(request.body)}`;
  const isRight = verifySignature(
    'RSA-SHA256',
    Buffer.from(message),
    certificate.publicKey,
    Buffer.from(signed.signature, 'base64'),
  );
  return isRight ? 'right' : 'wrong';
}

interface Webhook {
  id: string;
  url: string;
  event_types?: { name?: string }[];
}

const WEBHOOKS = '/v1/notifications/webhooks';

const listWebhooks = async (client: PaypalClient, account: OpenedAccount): Promise<Webhook[]> =>
  (await client.call<{ webhooks?: Webhook[] }>(account, { method: 'GET', path: WEBHOOKS })).webhooks ?? [];

const missingEvents = ({ event_types: types = [] }: Webhook): readonly string[] =>
  types.some(({ name }) => name === '*')
    ? []
    : CALLBACK_EVENTS.filter(event => !types.some(({ name }) => name === event));

/** PayPal refuses a second webhook for an address, so an older one that tells less is taken down first. */
async function registerAt(client: PaypalClient, account: OpenedAccount, url: string): Promise<string> {
  const there = (await listWebhooks(client, account)).find(webhook => webhook.url === url);
  if (there && missingEvents(there).length === 0) return there.id;
  if (there) await client.call(account, { method: 'DELETE', path: `${WEBHOOKS}/${there.id}` });
  const body = { url, event_types: CALLBACK_EVENTS.map(name => ({ name })) };
  return (await client.call<Webhook>(account, { method: 'POST', path: WEBHOOKS, body })).id;
}

export const paypalCallbacks = (client: PaypalClient, certificates: PaypalCertificates): Callbacks => ({
  events: CALLBACK_EVENTS,
  read: readCallback,
  verify: (request, account) => judge(client, certificates, request, account),
  async register(account, url) {
    try {
      return { secret: await registerAt(client, account, url) };
    } catch (error) {
      return { problem: asAccountProblem(error) };
    }
  },
  async findRegistered(account, url) {
    try {
      const there = (await listWebhooks(client, account)).find(webhook => webhook.url === url);
      return { isThere: there !== undefined, missing: there ? missingEvents(there) : CALLBACK_EVENTS };
    } catch {
      return null;
    }
  },
});
