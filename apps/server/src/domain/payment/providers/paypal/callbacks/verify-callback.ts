import { verify as verifySignature } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AppError } from '../../../../../kit/app-error.ts';
import { headerOf } from '../../base/callbacks.ts';
import { ProviderFault } from '../../base/fault.ts';
import type { CallbackRequest, CallbackVerdict, OpenedAccount } from '../../base/provider.ts';
import type { PaypalClient } from '../wire/paypal-client.ts';
import { LATER, type PaypalCertificates } from './paypal-certificates.ts';
import { readCallback } from './read-callback.ts';

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
export async function verifyCallback(
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
