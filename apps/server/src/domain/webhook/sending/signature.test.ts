import { createHmac, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signHeaders } from './signature.ts';

const body = '{"event_type":"item.add","event_data":{"player_id":"Zoë 🐉","items":[{"sku":"gem"}]}}';
const timestampSeconds = Math.floor(Date.now() / 1000);
const facts = { body, timestampSeconds, idempotencyKey: 'evt_1', attempt: 1, secret: 's2s_sandbox_0123abc-XYZ' };

/** Written from the Authentication part of the interface alone. */
function receiverAccepts(headers: Record<string, string>, rawBody: string, secretKey: string): boolean {
  const timestamp = headers['x-service-signature-timestamp'] ?? '';
  const expected = createHmac('sha256', secretKey).update(`${timestamp}.${rawBody}`).digest('hex');
  const received = headers['x-service-signature'] ?? '';
  return expected.length === received.length && timingSafeEqual(Buffer.from(expected), Buffer.from(received));
}

describe('x-service-signature', () => {
  it('is accepted by a receiver written from the interface, for any body and secret', () => {
    const texts = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(texts, fc.string({ minLength: 1 }), (text, secret) => {
        const headers = signHeaders({ ...facts, body: text, secret });
        expect(receiverAccepts(headers, text, secret)).toBe(true);
        expect(receiverAccepts(headers, `${text} `, secret)).toBe(false);
        expect(receiverAccepts(headers, text, `${secret}x`)).toBe(false);
      }),
    );
  });

  it('is 64 lower-case hexadecimal digits over <timestamp>.<body>', () => {
    expect(signHeaders({ ...facts, body: '{}', timestampSeconds: 1700000000, secret: 'key' })).toMatchObject({
      'x-service-signature-timestamp': '1700000000',
      'x-service-signature': createHmac('sha256', 'key').update('1700000000.{}').digest('hex'),
    });
    expect(signHeaders(facts)['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is the same for the text and for its bytes', () => {
    expect(signHeaders({ ...facts, body: Buffer.from(body) })).toEqual(signHeaders(facts));
  });

  it('changes with the timestamp of each attempt while the webhook id stays', () => {
    const first = signHeaders(facts);
    const second = signHeaders({ ...facts, attempt: 2, timestampSeconds: timestampSeconds + 60 });
    expect(second['x-service-signature']).not.toBe(first['x-service-signature']);
    expect(second['webhook-id']).toBe(first['webhook-id']);
    expect(second['x-service-delivery-attempt']).toBe('2');
  });
});

describe('a rotation', () => {
  const headers = signHeaders({ ...facts, secret: 'new-secret', previousSecret: 'old-secret' });

  it('signs with the new secret and, beside it, with the old one', () => {
    expect(receiverAccepts(headers, body, 'new-secret')).toBe(true);
    const previous = { ...headers, 'x-service-signature': headers['x-service-signature-previous'] ?? '' };
    expect(receiverAccepts(previous, body, 'old-secret')).toBe(true);
  });

  it('is accepted by a Standard Webhooks verifier that holds either secret', () => {
    for (const secret of ['new-secret', 'old-secret']) {
      expect(new Webhook(secret, { format: 'raw' }).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook('third', { format: 'raw' }).verify(body, headers)).toThrow('No matching signature');
  });

  it('sends no previous signature when there is no previous secret', () => {
    expect(signHeaders({ ...facts, previousSecret: null })).not.toHaveProperty('x-service-signature-previous');
    expect(signHeaders(facts)['webhook-signature']).not.toContain(' ');
  });
});

describe('Standard Webhooks', () => {
  it('verifies an S2S key given as base64, with and without the whsec_ prefix, and given raw', () => {
    const headers = signHeaders(facts);
    const base64 = Buffer.from(facts.secret).toString('base64');
    for (const webhook of [
      new Webhook(base64),
      new Webhook(`whsec_${base64}`),
      new Webhook(facts.secret, { format: 'raw' }),
    ]) {
      expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
    }
  });

  it('verifies a whsec_ secret pasted as it is, and the interface signature still uses the whole text', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const headers = signHeaders({ ...facts, secret });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(receiverAccepts(headers, body, secret)).toBe(true);
  });

  it('treats a secret that only looks like whsec_ as plain text', () => {
    for (const secret of ['whsec_', 'whsec_not base64!', 'whsec_abc']) {
      const headers = signHeaders({ ...facts, secret });
      expect(new Webhook(secret, { format: 'raw' }).verify(body, headers)).toEqual(JSON.parse(body));
    }
  });

  it('refuses an altered body', () => {
    const webhook = new Webhook(facts.secret, { format: 'raw' });
    expect(() => webhook.verify(`${body} `, signHeaders(facts))).toThrow('No matching signature');
  });
});
