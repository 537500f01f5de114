import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextAttempt, RETRY_STEPS_SECONDS, type RetryKind } from './retry.ts';

const kinds: RetryKind[] = ['items', 'observer'];
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const steps = fc
  .constantFrom(...kinds)
  .chain(kind => fc.record({ kind: fc.constant(kind), attemptsMade: fc.nat(RETRY_STEPS_SECONDS[kind].length - 1) }));

function delayOf(facts: Parameters<typeof nextAttempt>[0]): number {
  const next = nextAttempt(facts);
  if (next === 'exhausted') throw new Error('exhausted');
  return next.delayMs;
}

describe('the steps', () => {
  it('are those of the contract for items', () => {
    const [m, h] = [60, 3600];
    const foreground = [0, 2, 5, 10, 20];
    const background = [m, 5 * m, 15 * m, 30 * m, h, 2 * h, 4 * h, 8 * h, 12 * h, 24 * h, 24 * h];
    expect(RETRY_STEPS_SECONDS.items).toEqual([...foreground, ...background]);
    expect(RETRY_STEPS_SECONDS.observer).toEqual([0, ...background]);
  });

  it('last about three days', () => {
    for (const kind of kinds) {
      const days = RETRY_STEPS_SECONDS[kind].reduce((sum, step) => sum + step, 0) / 86_400;
      expect(days).toBeGreaterThan(3);
      expect(days).toBeLessThan(3.5);
    }
  });

  it('begin at once', () => {
    for (const kind of kinds) {
      expect(nextAttempt({ kind, attemptsMade: 0, retryAfterSeconds: null, random: 0.7 })).toEqual({ delayMs: 0 });
    }
  });

  it('end, whatever the receiver asks for', () => {
    for (const kind of kinds) {
      const attemptsMade = RETRY_STEPS_SECONDS[kind].length;
      expect(nextAttempt({ kind, attemptsMade, retryAfterSeconds: null, random: 0 })).toBe('exhausted');
      expect(nextAttempt({ kind, attemptsMade: attemptsMade + 9, retryAfterSeconds: 5, random: 0 })).toBe('exhausted');
    }
  });
});

describe('the pause', () => {
  it('is the step give or take a fifth (row 28)', () => {
    fc.assert(
      fc.property(steps, randoms, ({ kind, attemptsMade }, random) => {
        const stepMs = (RETRY_STEPS_SECONDS[kind][attemptsMade] ?? 0) * 1000;
        const delayMs = delayOf({ kind, attemptsMade, retryAfterSeconds: null, random });
        expect(delayMs).toBeGreaterThanOrEqual(0.8 * stepMs);
        expect(delayMs).toBeLessThanOrEqual(1.2 * stepMs);
      }),
    );
  });

  it('with Retry-After stays between the step and twice the step', () => {
    fc.assert(
      fc.property(steps, randoms, fc.nat(), ({ kind, attemptsMade }, random, retryAfterSeconds) => {
        const stepMs = (RETRY_STEPS_SECONDS[kind][attemptsMade] ?? 0) * 1000;
        const delayMs = delayOf({ kind, attemptsMade, retryAfterSeconds, random });
        expect(delayMs).toBeGreaterThanOrEqual(stepMs);
        expect(delayMs).toBeLessThanOrEqual(2 * stepMs);
      }),
    );
  });

  it('is never shorter than a Retry-After within reach', () => {
    fc.assert(
      fc.property(
        steps,
        randoms,
        fc.double({ min: 0, max: 2, noNaN: true }),
        ({ kind, attemptsMade }, random, times) => {
          const retryAfterSeconds = Math.floor((RETRY_STEPS_SECONDS[kind][attemptsMade] ?? 0) * times);
          const delayMs = delayOf({ kind, attemptsMade, retryAfterSeconds, random });
          expect(delayMs).toBeGreaterThanOrEqual(retryAfterSeconds * 1000);
        },
      ),
    );
  });

  it('does not follow a Retry-After of days', () => {
    const delayMs = delayOf({ kind: 'items', attemptsMade: 1, retryAfterSeconds: 999_999, random: 0.5 });
    expect(delayMs).toBe(3800);
  });
});
