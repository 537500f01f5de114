const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Below this, the time left is shown in hours, because "in 3 days" hides the hour at which it ends. */
const NEAR_SECONDS = 3 * DAY_SECONDS;

export interface TimeLeft {
  count: number;
  unit: 'hour' | 'day';
  tone: 'soon' | 'near' | 'far';
}

/** Whole hours or days that are left, rounded down so that no member relies on time that is not there. Null: none. */
export function timeLeft(at: number, now: number): TimeLeft | null {
  const left = at - now;
  if (left <= 0) return null;
  if (left > NEAR_SECONDS) return { count: Math.floor(left / DAY_SECONDS), unit: 'day', tone: 'far' };
  return { count: Math.floor(left / HOUR_SECONDS), unit: 'hour', tone: left > DAY_SECONDS ? 'near' : 'soon' };
}
