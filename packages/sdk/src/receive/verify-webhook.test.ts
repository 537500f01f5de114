import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';

interface Vector {
  name: string;
  secret: string;
  now: number;
  headers: Record<string, string>;
  raw_body: string;
  valid: boolean;
  reason: string | null;
  status: number;
}

const FILE = new URL('../../../../docs/reference/signature-vectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as { vectors: Vector[] };

const clock = (seconds: number): Date => new Date(seconds * 1000);
const checked = (vector: Vector) => ({
  rawBody: vector.raw_body,
  headers: vector.headers,
  secret: vector.secret,
  now: clock(vector.now),
});
const [good] = vectors as [Vector];

describe('each signature vector', () => {
  it.each(vectors)('$name', async vector => {
    const result = await verifyWebhook(checked(vector));
    if (!vector.valid) expect(result).toEqual({ ok: false, reason: vector.reason });
    else if (result.ok) expect(result.event).toEqual(JSON.parse(vector.raw_body));
    else expect([result.reason, vector.status]).toEqual(['invalid_body', 400]);
  });

  it.each(vectors)('$name is the same for text, bytes and a buffer, and for every form of headers', async vector => {
    const expected = await verifyWebhook(checked(vector));
    const bytes = new TextEncoder().encode(vector.raw_body);
    for (const rawBody of [bytes, bytes.buffer])
      expect(await verifyWebhook({ ...checked(vector), rawBody })).toEqual(expected);
    const entries = Object.entries(vector.headers);
    const forms = [
      new Headers(vector.headers),
      Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value])),
      Object.fromEntries(entries.map(([name, value]) => [name, [value]])),
    ];
    for (const headers of forms) expect(await verifyWebhook({ ...checked(vector), headers })).toEqual(expected);
  });
});

describe('the time window', () => {
  it.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])('an age of %i seconds is taken: %s', async (ageSeconds, ok) => {
    const result = await verifyWebhook({ ...checked(good), now: clock(good.now + ageSeconds) });
    expect(result.ok).toBe(ok);
  });

  it('is as wide as it is told to be', async () => {
    const late = { ...checked(good), now: clock(good.now + 500) };
    expect((await verifyWebhook({ ...late, toleranceSeconds: 500 })).ok).toBe(true);
    expect((await verifyWebhook({ ...late, toleranceSeconds: 499 })).ok).toBe(false);
  });

  it('is measured from now when no time is given', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', good.secret).update(`${timestamp}.${good.raw_body}`).digest('hex');
    const headers = { 'x-service-signature-timestamp': timestamp, 'x-service-signature': signature };
    expect((await verifyWebhook({ rawBody: good.raw_body, headers, secret: good.secret })).ok).toBe(true);
  });
});

describe('the secret', () => {
  it('may be one of several', async () => {
    expect((await verifyWebhook({ ...checked(good), secret: ['an old one', good.secret] })).ok).toBe(true);
    expect((await verifyWebhook({ ...checked(good), secret: ['an old one', 'another one'] })).ok).toBe(false);
  });
});

describe('called wrongly it says so', () => {
  it.each([
    ['a parsed body', { rawBody: { event_type: 'item.add' } }, /rawBody must be the body as it arrived/],
    ['no body', { rawBody: undefined }, /rawBody must be/],
    ['no secret', { secret: undefined }, /secret is missing/],
    ['an empty secret', { secret: '' }, /secret is missing or empty/],
    ['a short secret', { secret: 'short' }, /secret is too short/],
    ['no secrets', { secret: [] }, /secret is missing/],
    ['no headers', { headers: undefined }, /headers must be the headers/],
  ])('%s', async (_name, wrong, message) => {
    await expect(verifyWebhook({ ...checked(good), ...wrong } as never)).rejects.toThrow(message);
  });
});

it('a body that is no event is refused, however well it is signed', async () => {
  for (const rawBody of ['null', '[]', '"item.add"', '{}', '{"event_type":"item.add","idempotency_key":""}']) {
    const timestamp = String(good.now);
    const signature = createHmac('sha256', good.secret).update(`${timestamp}.${rawBody}`).digest('hex');
    const headers = { 'x-service-signature-timestamp': timestamp, 'x-service-signature': signature };
    expect(await verifyWebhook({ ...checked(good), rawBody, headers })).toEqual({ ok: false, reason: 'invalid_body' });
  }
});
