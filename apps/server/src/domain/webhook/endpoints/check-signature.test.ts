import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkSignature, type SignatureCheckFacts } from './check-signature.ts';
import { eventIdIn, readHeaders } from './pasted-webhook.ts';

const NOW = 1_767_225_600;
const EVENT = `evt_${'0'.repeat(26)}`;
const BODY = `{"event_id":"${EVENT}","event_type":"item.add","n":1.0}`;
const SECRETS: SignatureCheckFacts['secrets'] = [
  { name: 'current', secret: 'now' },
  { name: 's2s_key', secret: 'key' },
  { name: 'previous', secret: 'before' },
  { name: 'other_webhook', secret: 'elsewhere' },
  { name: 'other_mode', secret: 'live' },
];

const sign = (secret: string, body = BODY, timestamp = NOW): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

interface Given {
  signature?: string;
  timestamp?: string | number;
  body?: string;
  headers?: string;
  sent?: string | null;
}

const check = ({ signature = sign('now'), timestamp = NOW, body = BODY, headers, sent = BODY }: Given = {}) =>
  checkSignature({
    pasted: {
      headers:
        headers ??
        `Host: game.example\r\nX-Service-Signature-Timestamp: ${timestamp}\r\nx-service-signature: ${signature}`,
      body,
    },
    secrets: SECRETS,
    nowSeconds: NOW + 10,
    delivery: sent === null ? null : { id: 'dlv_1', body: sent },
  });

describe('what a receiver pasted', () => {
  it('is right', () => {
    expect(check()).toMatchObject({
      verdict: 'valid',
      is_valid: true,
      age_seconds: 10,
      is_old: false,
      matched_secret: 'current',
      delivery_id: 'dlv_1',
      expected_signature: sign('now'),
    });
  });

  it('is right but old', () => {
    const timestamp = NOW - 4_000;
    const found = check({ timestamp, signature: sign('now', BODY, timestamp) });
    expect(found).toMatchObject({ verdict: 'valid', is_valid: true, is_old: true, age_seconds: 4_010 });
    expect(found.message).toContain('300 seconds');
  });

  it.each([
    ['timestamp_missing', { headers: `x-service-signature: ${sign('now')}` }],
    ['signature_missing', { headers: `x-service-signature-timestamp: ${NOW}` }],
    ['signature_missing', { headers: '', timestamp: 1 }],
    ['timestamp_malformed', { timestamp: '2026-01-01T00:00:00Z' }],
    ['timestamp_malformed', { timestamp: `${NOW}000` }],
    ['signature_malformed', { signature: 'c2lnbmF0dXJl' }],
    ['signature_malformed', { signature: `sha256=${sign('now')}` }],
    ['signature_uppercase', { signature: sign('now').toUpperCase() }],
    ['valid_with_previous_secret', { signature: sign('before') }],
    ['wrong_secret', { signature: sign('key') }],
    ['wrong_secret', { signature: sign('elsewhere') }],
    ['wrong_environment', { signature: sign('live') }],
    ['body_whitespace', { body: `${BODY}\n` }],
    ['body_whitespace', { body: ` ${BODY}` }],
    ['body_reserialized', { body: JSON.stringify(JSON.parse(BODY)) }],
    ['body_reserialized', { body: JSON.stringify(JSON.parse(BODY), null, 2) }],
    ['body_reserialized', { body: `{"n":1,"event_type":"item.add","event_id":"${EVENT}"}` }],
    ['body_altered', { body: BODY.replace('item.add', 'item.remove') }],
    ['no_match', { body: BODY.replace('item.add', 'item.remove'), sent: null }],
    ['no_match', { signature: sign('no secret of this game') }],
    [
      'timestamp_altered',
      {
        headers: `x-service-signature-timestamp: ${NOW + 1}\nwebhook-timestamp: ${NOW}\nx-service-signature: ${sign('now')}`,
      },
    ],
  ] as [string, Given][])('is judged as %s', (verdict, given) => {
    const expected = verdict === 'signature_missing' && given.headers === '' ? 'timestamp_missing' : verdict;
    expect(check(given).verdict).toBe(expected);
  });

  it('that was written again is recognized even when the delivery is not known', () => {
    const signature = sign('now', '{"a":1}');
    expect(check({ body: '{ "a": 1 }', signature, sent: null }).verdict).toBe('body_reserialized');
  });

  it('is never signed for a caller: only bytes that were really sent have an expected signature', () => {
    expect(check({ body: '{"event_type":"item.add"}' }).expected_signature).toBeNull();
    expect(check({ sent: null }).expected_signature).toBeNull();
  });
});

describe('pasted headers', () => {
  it('may be lines or JSON, in any case', () => {
    expect(readHeaders('A: 1\r\nb:2\n\nno colon\n: x')).toEqual(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    );
    expect(readHeaders('{"X-Service-Signature":"abc","n":5}')).toEqual(
      new Map([
        ['x-service-signature', 'abc'],
        ['n', '5'],
      ]),
    );
    expect(readHeaders('[1]')).toEqual(new Map());
  });
});

it('finds the event that a body names', () => {
  expect(eventIdIn(BODY)).toBe(EVENT);
  expect(eventIdIn('not json')).toBeNull();
});
