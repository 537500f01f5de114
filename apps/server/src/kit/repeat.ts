import { setTimeout as pause } from 'node:timers/promises';
import { steadyMs } from './clock.ts';

export interface RepeatOptions {
  /** The longest wait before each repetition. Its second half is left to chance, so that callers do not come back together. */
  waitsMs: readonly number[];
  /** No repetition begins after this moment of `steadyMs`. */
  untilMs: number;
  /** Whether the cause may be gone in a moment. */
  isPassing: (error: unknown, isRepeated: boolean) => boolean;
}

/** Does the work again while it fails for a cause that passes, a few times and within seconds. The last failure is thrown. */
export async function repeat<T>(work: () => Promise<T>, { waitsMs, untilMs, isPassing }: RepeatOptions): Promise<T> {
  for (let repeated = 0; ; repeated++) {
    try {
      return await work();
    } catch (error) {
      const longestMs = waitsMs[repeated];
      if (longestMs === undefined || !isPassing(error, repeated > 0)) throw error;
      const waitMs = longestMs * (0.5 + Math.random() / 2);
      if (steadyMs() + waitMs > untilMs) throw error;
      await pause(waitMs);
    }
  }
}
