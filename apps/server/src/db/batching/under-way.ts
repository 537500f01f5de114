import { AppError } from '../../kit/app-error.ts';
import { steadyMs } from '../../kit/clock.ts';
import { createSlots } from '../../kit/collections.ts';
import { isDatabaseUnavailable } from '../sessions/database-errors.ts';

/** What has begun and not ended, and for how long. */
export function createUnderWay() {
  const begunMs = createSlots<number>();
  return {
    size: (): number => begunMs.size,
    oldestMs: (): number => Math.max(0, ...[...begunMs].map(at => steadyMs() - at)),
    newestMs: (): number => Math.min(...[...begunMs].map(at => steadyMs() - at)),
    /** Returns what ends it. */
    begin(): () => void {
      const slot = begunMs.put(steadyMs());
      return () => begunMs.clear(slot);
    },
  };
}

/**
 * A batch may have failed for one of its members, and then the others succeed alone. Where the database is unavailable or has
 * no connection to give, trying each again would only make every caller wait twice.
 */
export const isWorthRetrying = (error: unknown): boolean =>
  !isDatabaseUnavailable(error) && !(error instanceof AppError && error.code === 'unavailable');
