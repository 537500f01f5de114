import { createAuthority, EXPIRED } from '@coinslot/testing/certificates';
import { startPaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import { createSigner } from '@coinslot/testing/paypal-double/paypal-signer';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../kit/clock.ts';
import { createPaypalClient } from '../wire/paypal-client.ts';
import { paypalCallbacks } from './paypal-callbacks.ts';
import { createPaypalCertificates } from './paypal-certificates.ts';

const paypal = await startPaypalDouble();
afterEach(() => paypal.faults.clear());

const account = {
  accountId: 'app_1',
  publishableKey: paypal.keys.clientId,
  secretKey: paypal.keys.secret,
  callbackSecret: 'WEBHOOK1',
  isTest: true,
};
const VERIFY = 'POST /v1/notifications/verify-webhook-signature';
const asked = (): number => paypal.requests.filter(name => name === VERIFY).length;

const { ca } = paypal.signer.authority;

/** As the program has it, with the double's authority among the trusted or not. */
function callbacksWith(extraRoots: string[]) {
  const bases = { live: paypal.url, sandbox: paypal.url };
  const client = createPaypalClient({ bases, isTestBase: true, version: 'test', clock: systemClock });
  return paypalCallbacks(client, createPaypalCertificates({ clock: systemClock, ownBases: [paypal.url], extraRoots }));
}
const offline = callbacksWith([ca]);

const event = (id = 'WH-1') =>
  JSON.stringify({ id, event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: '2X', invoice_id: 'env_1.pay_1' } });

const signed = (body = event(), webhookId = 'WEBHOOK1') => ({
  headers: paypal.headersFor(body, webhookId),
  body: Buffer.from(body),
});

describe('a callback of PayPal', () => {
  it('is verified without asking PayPal, on exactly the bytes that came', async () => {
    const before = asked();
    expect(await offline.verify(signed(), account, 0)).toBe('right');
    expect(await offline.verify({ ...signed(), body: Buffer.from(`${event()} `) }, account, 0)).toBe('wrong');
    expect(await offline.verify(signed(event(), 'WEBHOOK2'), account, 0)).toBe('wrong');
    expect(asked()).toBe(before);
  });

  it('without a signature, or for a connection without a webhook, is refused', async () => {
    expect(await offline.verify({ headers: {}, body: Buffer.from(event()) }, account, 0)).toBe('missing');
    expect(await offline.verify(signed(), { ...account, callbackSecret: null }, 0)).toBe('missing');
  });

  it.each([
    'https://evil.example/v1/notifications/certs/CERT-1',
    'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1',
    'http://api.paypal.com/v1/notifications/certs/CERT-1',
    'https://evil.example@10.0.0.1/cert',
    'nonsense',
  ])('that names a certificate at %s is a forgery, and the address is not asked', async url => {
    const callback = signed();
    const before = asked();
    const headers = { ...callback.headers, 'paypal-cert-url': url };
    expect(await offline.verify({ ...callback, headers }, account, 0)).toBe('wrong');
    expect(asked()).toBe(before);
  });

  it('that is one of a flood of forgeries costs PayPal a few calls at most, and a right one is known at once (row 121)', async () => {
    const guarded = callbacksWith([ca]);
    expect(await guarded.verify(signed(), account, 0)).toBe('right');
    const before = paypal.requests.length;
    const forged = (at: number) => {
      const callback = signed();
      const headers = { ...callback.headers, 'paypal-cert-url': `${paypal.url}/v1/notifications/certs/CERT-${at}` };
      return guarded.verify({ ...callback, headers }, account, 0).catch((error: { code?: string }) => error.code);
    };
    const verdicts = await Promise.all(Array.from({ length: 500 }, (_, at) => forged(at)));
    expect(verdicts.filter(verdict => verdict === 'unavailable').length).toBeGreaterThanOrEqual(200);
    // A certificate that is looked for, and the question to PayPal that follows, for each that was let through.
    expect(paypal.requests.length - before).toBeLessThanOrEqual(2 * 300);
    // On a busy machine calls of the flood still arrive, so only those about this callback are counted.
    const callback = signed(event('WH-9'));
    const ownCalls = () =>
      paypal.exchanges.filter(
        ({ path, body }) =>
          callback.headers['paypal-cert-url']?.endsWith(path) || JSON.stringify(body)?.includes('WH-9'),
      );
    const known = ownCalls().length;
    expect(await guarded.verify(callback, account, 0)).toBe('right');
    expect(ownCalls()).toHaveLength(known);
  });

  it('whose certificate leads to no root that we trust is taken to PayPal, which decides', async () => {
    const online = callbacksWith([]);
    const before = asked();
    expect(await online.verify(signed(), account, 0)).toBe('right');
    const forged = signed();
    forged.headers['paypal-transmission-sig'] = signed(event('WH-2')).headers['paypal-transmission-sig']!;
    expect(await online.verify(forged, account, 0)).toBe('wrong');
    expect(asked()).toBe(before + 2);
  });

  it('that cannot be verified now is neither right nor wrong: PayPal is to send it again', async () => {
    const online = callbacksWith([]);
    paypal.faults.plan(/verify-webhook-signature$/, { kind: 'lose_request' });
    await expect(online.verify(signed(), account, 0)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['has expired', createSigner({ authority: paypal.signer.authority, validity: EXPIRED })],
    ['is of another name', createSigner({ authority: paypal.signer.authority, subject: 'paypal.com.evil.example' })],
    ['is of another authority', createSigner({ authority: createAuthority('Evil') })],
  ])('with a certificate that %s is not taken offline', async (_, other) => {
    const { pem } = paypal.signer;
    paypal.signer.pem = other.pem;
    const before = asked();
    await callbacksWith([ca]).verify(signed(), account, 0);
    paypal.signer.pem = pem;
    expect(asked()).toBe(before + 1);
  });

  it('is asked for once for an address, and with all that it must tell', async () => {
    const url = 'https://pay.example.com/gateways/paypal/cmp_1';
    const first = await offline.registration.register(account, url);
    expect(await offline.registration.register(account, url)).toEqual(first);
    expect(await offline.registration.findRegistered(account, url)).toEqual({ isThere: true, missing: [] });
    const [untold] = [...paypal.store.webhooks.values()][0]!.event_types.splice(-1);
    expect(await offline.registration.findRegistered(account, url)).toEqual({ isThere: true, missing: [untold!.name] });
    expect(await offline.registration.register(account, url)).not.toEqual(first);
    expect(paypal.store.webhooks.size).toBe(1);
  });
});

describe('what a callback tells', () => {
  const read = (body: object) => offline.read(Buffer.from(JSON.stringify({ id: 'WH-1', ...body })));

  it('is which payment to ask about', () => {
    const order = { id: '0X', purchase_units: [{ invoice_id: 'env_1.pay_1' }] };
    const marked = { environmentId: 'env_1', paymentId: 'pay_1' };
    expect(read({ event_type: 'CHECKOUT.ORDER.APPROVED', resource: order })).toMatchObject({
      intentId: '0X',
      ...marked,
    });
    const links = [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/2X' }];
    expect(read({ event_type: 'PAYMENT.CAPTURE.REFUNDED', resource: { id: '3X', links } })).toMatchObject({
      captureId: '2X',
    });
    const disputed_transactions = [{ seller_transaction_id: '2X' }];
    expect(read({ event_type: 'CUSTOMER.DISPUTE.CREATED', resource: { disputed_transactions } })).toMatchObject({
      captureId: '2X',
      isDispute: true,
    });
  });

  it('is nothing where it is no event', () => {
    for (const body of ['', '[]', 'null', '{"id":"x"}', '{"id":"x","event_type":"A","resource":[]}']) {
      expect(offline.read(Buffer.from(body))).toBeNull();
    }
  });
});
