import { dayText } from '../../kit/times.ts';

/** The server's limit, less a day for time zones. */
const MOST_DAYS = 89;
/** In the morning, when the next working day begins. */
const HOUR = 9;

const daysAhead = (days: number, now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);

export const snoozeDay = (days: number, now: Date): string => dayText(daysAhead(days, now));

export const lastSnoozeDay = (now: Date): string => snoozeDay(MOST_DAYS, now);

/** The morning of the chosen day, in Unix seconds. Null: no day was chosen. */
export function snoozeUntil(day: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return null;
  return Math.floor(new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]), HOUR).getTime() / 1_000);
}
