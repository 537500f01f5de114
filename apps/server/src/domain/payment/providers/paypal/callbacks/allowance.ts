import type { Clock } from '../../../../../kit/clock.ts';

const MINUTE_MS = 60_000;

/**
 * How often in a minute something may be done for callers whom we do not know yet. Each forged callback would else be a
 * call to PayPal under the shop's name, and PayPal slows down those who call too often: their payments too.
 */
export function createAllowance(clock: Clock, most: number): () => boolean {
  let fromMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  return () => {
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - fromMs) >= MINUTE_MS) {
      fromMs = nowMs;
      used = 0;
    }
    return ++used <= most;
  };
}
