/** The process clock. It only schedules and measures; for money and orders the database's clock decides. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** Measures durations: it goes on evenly when the host's clock is set, and says nothing about the time of day. */
export const steadyMs = (): number => performance.now();

export const toUnixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

export const unixOrNull = (time: Date | null): number | null => time && toUnixSeconds(time);

/** Doubles from `baseSeconds` up to `maxSeconds`, spread by ±20 % so that what failed together does not return together. */
export function backoffSeconds(tries: number, random: number, baseSeconds = 2, maxSeconds = 3_600): number {
  const step = Math.min(maxSeconds, baseSeconds * 2 ** Math.min(tries - 1, 30));
  return step * (0.8 + 0.4 * random);
}
