import { invalidField } from '../../../kit/app-error.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

/** Days are numbered from 1970 on. */
export interface HomeRange {
  first: number;
  days: number;
}

/** Days of the viewer, which begin at a full hour of UTC. */
export const offsetMs = (utcOffsetMinutes: number): number => Math.floor(utcOffsetMinutes / 60) * HOUR_MS;

export const dayNumber = (timeMs: number, shiftMs: number): number => Math.floor((timeMs + shiftMs) / DAY_MS);

export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Null for a day that no calendar has, such as the 31st of June. */
function numberOf(text: string): number | null {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || dayText(ms / DAY_MS) !== text ? null : ms / DAY_MS;
}

/** What was asked for, else the last 30 days. */
export function readRange(given: { from?: string; to?: string }, now: Date, utcOffsetMinutes: number): HomeRange {
  const today = dayNumber(now.getTime(), offsetMs(utcOffsetMinutes));
  const last = given.to === undefined ? today : numberOf(given.to);
  if (last === null) throw invalidField('/to', 'pattern', 'Must be a day such as 2026-05-04.');
  const first = given.from === undefined ? last - USUAL_DAYS + 1 : numberOf(given.from);
  if (first === null) throw invalidField('/from', 'pattern', 'Must be a day such as 2026-05-04.');
  if (first > last) throw invalidField('/to', 'time_order', 'Must not be before the first day.');
  const days = last - first + 1;
  if (days > MOST_DAYS) throw invalidField('/from', 'too_many', `Must be at most ${MOST_DAYS} days.`);
  return { first, days };
}

/** Where the days before the range begin, and where the range ends. */
export function wholeSpan({ first, days }: HomeRange, utcOffsetMinutes: number) {
  const shift = offsetMs(utcOffsetMinutes);
  return {
    from: new Date((first - days) * DAY_MS - shift),
    to: new Date((first + days) * DAY_MS - shift),
    offsetSeconds: shift / 1_000,
  };
}
