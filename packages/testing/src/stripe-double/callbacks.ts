import { createHmac } from 'node:crypto';
import type { StripeEvent } from './objects.ts';

export interface CallbackTarget {
  url: string;
  secret: string;
}

/** As Stripe signs: the time, a dot, the bytes. */
export function signatureHeader(body: string, secret: string, atSeconds: number): string {
  const mac = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex');
  return `t=${atSeconds},v1=${mac},v0=0000`;
}

export async function sendCallback(
  { url, secret }: CallbackTarget,
  event: StripeEvent,
  atSeconds: number,
): Promise<number> {
  const body = JSON.stringify(event);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureHeader(body, secret, atSeconds),
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
