import { describe, expect, it } from 'vitest';
import { explain, isDeclined, playerMessage, readRetryAfter, readText, statusError } from './exchange.ts';

describe('a refusal', () => {
  it.each([
    [422, '{"code":"declined"}'],
    [400, '\uFEFF {"message":"no such player","code":"declined"} '],
    [404, '{"code":"declined","code_of_conduct":1}'],
  ])('is a 4xx with the code declined: %i %s', (status, body) => {
    expect(isDeclined(status, body)).toBe(true);
  });

  it.each([
    [200, '{"code":"declined"}'],
    [302, '{"code":"declined"}'],
    [500, '{"code":"declined"}'],
    [422, '{"code":"Declined"}'],
    [422, '{"error":{"code":"declined"}}'],
    [422, '["declined"]'],
    [422, '"declined"'],
    [422, 'null'],
    [422, 'code=declined'],
    [422, '{"code":"declined"'],
    [422, ''],
    [422, '['.repeat(60_000)],
  ])('is nothing else: %i %s', (status, body) => {
    expect(isDeclined(status, body)).toBe(false);
  });
});

describe('the words for the player beside a refusal', () => {
  it.each([
    ['{"code":"declined","message":"Your bag is full."}', 'Your bag is full.'],
    ['{"message":"  two\\nlines\\u202e "}', 'two lines'],
    ['{"message":""}', null],
    ['{"message":"\\u0000"}', null],
    ['{"message":{"text":"no"}}', null],
    ['{"code":"declined"}', null],
    ['full', null],
  ])('%s are %j', (body, words) => {
    expect(playerMessage(body)).toBe(words);
  });

  it('end where a sentence or two would', () => {
    const words = playerMessage(JSON.stringify({ message: '🎒'.repeat(500) }));
    expect(Array.from(words ?? '')).toHaveLength(200);
    expect(words?.endsWith('🎒…')).toBe(true);
  });
});

describe('Retry-After', () => {
  const nowMs = Date.UTC(2030, 0, 1, 12, 0, 0);

  it.each([
    ['0', 0],
    [' 120 ', 120],
    ['999999', 999_999],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['Tue, 01 Jan 2030 12:00:30 GMT', 30],
    ['Tue, 01 Jan 2030 11:00:00 GMT', 0],
  ])('is seconds or a date: %s', (value, seconds) => {
    expect(readRetryAfter(value, nowMs)).toBe(seconds);
  });

  it.each([undefined, '', '-5', '1.5', 'soon', '1e3', '2030-01-01', 'NaN'])(
    'is ignored when it is neither: %s',
    value => {
      expect(readRetryAfter(value, nowMs)).toBeNull();
    },
  );
});

describe('the text of an answer', () => {
  it('can always be stored and shown (row 78)', () => {
    expect(readText([])).toBe('');
    expect(readText([Buffer.from('dra'), Buffer.from('gon \u{1F409}')])).toBe('dragon \u{1F409}');
    expect(readText([Buffer.from([0x61, 0x00, 0x62, 0xff, 0xf0, 0x9f])])).toBe('a\uFFFDb\uFFFD\uFFFD');
  });
});

describe('the reason', () => {
  it('says what a redirect is worth, and nothing about a success', () => {
    expect(statusError(204)).toBeNull();
    expect(statusError(308)).toBe('answered 308, redirects are not followed');
    expect(statusError(503)).toBe('answered 503');
  });

  it('is that of the first address when several were tried', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(explain(new AggregateError([refused]), false)).toEqual({
      failure: 'connect',
      error: 'could not connect: connection refused',
    });
  });

  it('exists for errors of any shape', () => {
    for (const error of [null, undefined, 'text', {}, new Error('x'), new AggregateError([])]) {
      expect(explain(error, false).error).toBe('could not connect: unknown reason');
      expect(explain(error, true).error).toBe('the connection was closed before an answer');
    }
  });
});
