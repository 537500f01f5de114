import type { Clock } from '../../kit/clock.ts';

export interface Liveness {
  /** What a restart would mend, in words for the operator; null: nothing. */
  problem(): string | null;
  stop(): void;
}

const STUCK_MS = 30_000;
const TICK_MS = 1_000;

/** Red only for what ends with this process: an event loop or a batch that has not moved for half a minute. */
export function watchLiveness(clock: Clock, oldestBatchMs: () => number): Liveness {
  let tickedMs = clock.nowMs();
  const timer = setInterval(() => {
    tickedMs = clock.nowMs();
  }, TICK_MS);
  timer.unref();
  return {
    problem() {
      if (clock.nowMs() - tickedMs > STUCK_MS) return 'the event loop stood still';
      if (oldestBatchMs() > STUCK_MS) return 'a shared transaction does not come to its end';
      return null;
    },
    stop: () => clearInterval(timer),
  };
}
