import { describe, expect, it } from 'vitest';
import { exchangeOf, LISTEN_LIMITS, readListenerFrame } from './listen-frames.ts';

const ID = 'req_00000000000000000000000000';
const frame = (fields: object): string => JSON.stringify({ type: 'answer', id: ID, status: 200, ...fields });
const answered = (fields: object) => exchangeOf(readListenerFrame(frame(fields))!.answer, 1_000, 1_250);

describe('an answer from a listener', () => {
  it.each([
    [{ status: 200 }, { succeeded: true, declined: false, failure: null, error: null }],
    [{ status: 299 }, { succeeded: true }],
    [{ status: 302 }, { succeeded: false, error: 'answered 302, redirects are not followed' }],
    [
      { status: 422, body: '{"code":"declined"}' },
      { succeeded: false, declined: true },
    ],
    [{ status: 422, body: '{"code":"declined"}', cut: true }, { declined: false }],
    [
      { status: 500, body: '{"code":"declined"}' },
      { declined: false, failure: 'status' },
    ],
    [{ status: 429, headers: { 'Retry-After': '9' } }, { retryAfterSeconds: 9 }],
    [{ status: 200, headers: { 'retry-after': '9' } }, { retryAfterSeconds: null }],
  ])('%j is judged as one over HTTP', (fields, expected) => {
    expect(answered(fields)).toMatchObject({ startedAtMs: 1_000, durationMs: 250, ...expected });
  });

  it('keeps as much as the sender keeps, by bytes and without breaking a character', () => {
    const { responseBody, responseBodyCut } = answered({ body: '剣'.repeat(40_000) });
    expect(Buffer.byteLength(responseBody)).toBeLessThanOrEqual(LISTEN_LIMITS.bodyBytes + 3);
    expect(responseBodyCut).toBe(true);
  });

  it('holds nothing that text in the database cannot hold', () => {
    const { responseBody, responseHeaders } = answered({ body: 'a\u0000b\ud800', headers: { 'X-Odd': '\u0000' } });
    expect([responseBody, responseHeaders]).toEqual(['a\uFFFDb\uFFFD', { 'x-odd': '\uFFFD' }]);
  });

  it('that there is none is reported with its reason', () => {
    const text = JSON.stringify({ type: 'failed', id: ID, reason: 'connection refused' });
    expect(exchangeOf(readListenerFrame(text)!.answer, 0, 5)).toMatchObject({
      status: null,
      succeeded: false,
      failure: 'connect',
      error: 'connection refused',
    });
  });
});

describe('no honest listener sends', () => {
  it.each([
    '',
    'null',
    '[]',
    '"answer"',
    '{}',
    frame({ id: 'evt_00000000000000000000000000' }),
    frame({ id: 1 }),
    frame({ type: 'hello' }),
    frame({ status: '200' }),
    frame({ status: 199 }),
    frame({ status: 600 }),
    frame({ status: 200.5 }),
    frame({ body: 1 }),
    frame({ cut: 'yes' }),
    frame({ headers: [] }),
    frame({ headers: { a: null } }),
    frame({ headers: { 'a b': 'c' } }),
    frame({ headers: { '': 'c' } }),
    frame({ headers: { a: 'x'.repeat(20_000) } }),
    frame({ headers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, ''])) }),
    frame({ type: 'failed' }),
    frame({ type: 'failed', reason: 'x'.repeat(301) }),
    frame({ type: 'failed', reason: 'x', failure: 'certificate' }),
  ])('%s', text => expect(readListenerFrame(text)).toBeNull());
});
