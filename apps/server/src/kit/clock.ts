/** The process clock. It only schedules and measures; what time it is for money and orders, the database says. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export const toUnixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

export const unixOrNull = (time: Date | null): number | null => time && toUnixSeconds(time);
