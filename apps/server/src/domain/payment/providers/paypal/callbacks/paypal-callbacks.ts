import { verify as verifySignature } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AppError } from '../../../../../kit/app-error.ts';
import {
  bodyOf,
  createRegistration,
  headerOf,
  isObject,
  type Json,
  missingEvents,
  objectOf,
  shortText,
} from '../../base/callbacks.ts';
import { ProviderFault } from '../../base/fault.ts';
import type { CallbackHint, CallbackRequest, Callbacks, CallbackVerdict, OpenedAccount } from '../../base/provider.ts';
import { paypalFaultOf } from '../paypal-fault.ts';
import type { PaypalClient } from '../wire/paypal-client.ts';
import { LATER, type PaypalCertificates } from './paypal-certificates.ts';

/** What PayPal must send. The same list stands in the guide and on the dashboard's page. */
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

const firstOf = (value: unknown): Json => objectOf(Array.isArray(value) ? value[0] : null);

/** What we wrote on it: environment and payment. */
function marked(invoice: string | null): Pick<CallbackHint, 'environmentId' | 'paymentId'> {
  const match = /^(env_\w{1,60})\.(pay_\w{1,60})$/.exec(invoice ?? '');
  return { environmentId: match?.[1] ?? null, paymentId: match?.[2] ?? null };
}

/** A refund names its capture by a link alone. */
function captureAbove({ links }: Json): string | null {
  const up = (Array.isArray(links) ? links : []).map(objectOf).find(({ rel }) => rel === 'up');
  return /\/captures\/(\w{1,60})$/.exec(shortText(up?.href) ?? '')?.[1] ?? null;
}

function whatOf(
  type: string,
  resource: Json,
): Pick<CallbackHint, 'intentId' | 'captureId' | 'environmentId' | 'paymentId'> {
  if (type.startsWith('CHECKOUT.ORDER.')) {
    const unit = firstOf(resource.purchase_units);
    return { intentId: shortText(resource.id), captureId: null, ...marked(shortText(unit.invoice_id)) };
  }
  if (type.startsWith('CUSTOMER.DISPUTE.')) {
    const captureId = shortText(firstOf(resource.disputed_transactions).seller_transaction_id);
    return { intentId: null, captureId, environmentId: null, paymentId: null };
  }
  const related = objectOf(objectOf(resource.supplementary_data).related_ids);
  const captureId = captureAbove(resource) ?? shortText(related.capture_id);
  return { intentId: shortText(related.order_id), captureId, ...marked(shortText(resource.invoice_id)) };
}

/** Null: not an event. */
function readCallback(body: Buffer): CallbackHint | null {
  const event = bodyOf(body);
  const eventId = shortText(event?.id);
  const type = shortText(event?.event_type);
  if (!isObject(event?.resource) || eventId === null || type === null) return null;
  return {
    eventId,
    type,
    ...whatOf(type, event.resource),
    isDispute: type.startsWith('CUSTOMER.DISPUTE.') || type === 'PAYMENT.CAPTURE.REVERSED',
    isWarning: false,
  };
}

interface Signed {
  id: string;
  time: string;
  signature: string;
  certUrl: string;
  algorithm: string;
}

function signedIn(request: CallbackRequest): Signed | null {
  const signed = {
    id: headerOf(request, 'paypal-transmission-id'),
    time: headerOf(request, 'paypal-transmission-time'),
    signature: headerOf(request, 'paypal-transmission-sig'),
    certUrl: headerOf(request, 'paypal-cert-url'),
    algorithm: headerOf(request, 'paypal-auth-algo'),
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
): Promise<CallbackVerdict> {
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
    if (error instanceof ProviderFault && error.statusCode !== undefined && error.statusCode < 500) return 'wrong';
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
): Promise<CallbackVerdict> {
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

export const paypalCallbacks = (client: PaypalClient, certificates: PaypalCertificates): Required<Callbacks> => ({
  read: readCallback,
  verify: (request, account) => judge(client, certificates, request, account),
  ...createRegistration({
    events: CALLBACK_EVENTS,
    faultOf: paypalFaultOf,
    async list(account) {
      const { webhooks = [] } = await client.call<{ webhooks?: Webhook[] }>(account, { method: 'GET', path: WEBHOOKS });
      return webhooks.map(({ id, url, event_types: types = [] }) => ({
        id,
        url,
        events: types.flatMap(({ name }) => name ?? []),
      }));
    },
    // PayPal refuses a second webhook for an address, so an older one that sends less is taken down first.
    async add(account, url, [there]) {
      if (there && missingEvents(CALLBACK_EVENTS, [there]).length === 0) return there.id;
      if (there) await client.call(account, { method: 'DELETE', path: `${WEBHOOKS}/${there.id}` });
      const body = { url, event_types: CALLBACK_EVENTS.map(name => ({ name })) };
      return (await client.call<Webhook>(account, { method: 'POST', path: WEBHOOKS, body })).id;
    },
  }),
});
