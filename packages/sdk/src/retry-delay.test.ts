import { describe, expect, it } from 'vitest';
import { retryAfterSeconds, retryDelayMs } from './retry-delay.ts';

describe('the wait before the next try', () => {
  it('doubles up to eight seconds, half of it by chance', () => {
    const spans = [1, 2, 3, 4, 5, 6, 20].map(tries => [retryDelayMs(tries, null, 0), retryDelayMs(tries, null, 1)]);
    expect(spans).toEqual([
      [250, 500],
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [4000, 8000],
      [4000, 8000],
      [4000, 8000],
    ]);
  });

  it('is never shorter than the service asked for', () => {
    expect(retryDelayMs(1, 7, 0)).toBe(7000);
    expect(retryDelayMs(1, 7, 1)).toBe(7250);
    expect(retryDelayMs(9, 0, 0)).toBe(0);
  });
});

describe('Retry-After', () => {
  it.each([
    ['3', 3],
    [' 3 ', 3],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:30 GMT', 20],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['soon', null],
    ['', null],
    ['-5', null],
    [null, null],
  ])('%j is %j seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, 10_000)).toBe(seconds);
  });
});
