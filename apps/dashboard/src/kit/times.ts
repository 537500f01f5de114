/** The time ranges of a list. The address writes them as a word or as two days. */
export const RANGES = ['today', '7d', '30d', '90d', 'all'] as const;
export type RangeWord = (typeof RANGES)[number];

export interface Span {
  created_from?: number;
  created_to?: number;
}

const DAYS: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '90d': 90 };

const seconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

function dayOf(text: string | undefined): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '');
  if (!match) return undefined;
  const day = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return day.getMonth() === Number(match[2]) - 1 ? day : undefined;
}

/** Days of UTC in the address, which is what rolled-up figures count. */
const UTC = 'Z';

export const utcRange = (from: string, to: string): string => `${from}..${to}${UTC}`;

/** The moment at which the day of this name begins in UTC. */
const inUtc = (day: Date): Date => new Date(Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()));

const daysAfter = (day: Date, count: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + count);

/** Reads `7d`, `today`, or `2026-01-01..2026-01-31` with the last day included, in days of UTC if it ends with `Z`. Anything else means all time. */
export function spanOf(text: string | undefined, now: Date): Span {
  if (text === undefined || text === 'all') return {};
  if (text === 'today') return { created_from: seconds(daysAfter(now, 0)) };
  const days = DAYS[text];
  if (days !== undefined) return { created_from: seconds(daysAfter(now, 1 - days)) };
  const { from: first, to: last } = daysOfRange(text);
  const from = dayOf(first);
  const to = dayOf(last);
  const start = text.endsWith(UTC) ? inUtc : (day: Date) => day;
  return {
    ...(from && { created_from: seconds(start(from)) }),
    ...(to && { created_to: seconds(start(daysAfter(to, 1))) }),
  };
}

/** Providers count days in UTC, so reconciliation compares UTC days. */
export const utcDayText = (date: Date): string => date.toISOString().slice(0, 10);

export const dayText = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;

/** The periods of the home page's figures, which always have a first and a last day. */
export const PERIODS = ['today', '7d', '30d', '90d', 'month', 'last_month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const PERIOD_DAYS: Readonly<Partial<Record<string, number>>> = { today: 1, ...DAYS, year: 365 };

/**
 * Returns the first and last day of a named period or of two days in the address. Any other text means the last 30
 * days.
 */
export function periodDays(text: string | undefined, now: Date): { from: string; to: string } {
  const own = daysOfRange(text);
  if (dayOf(own.from) && dayOf(own.to)) return own;
  const monthStart = (monthsAgo: number): Date => new Date(now.getFullYear(), now.getMonth() - monthsAgo, 1);
  if (text === 'month') return { from: dayText(monthStart(0)), to: dayText(now) };
  if (text === 'last_month') return { from: dayText(monthStart(1)), to: dayText(daysAfter(monthStart(0), -1)) };
  const days = PERIOD_DAYS[text ?? ''] ?? 30;
  return { from: dayText(daysAfter(now, 1 - days)), to: dayText(now) };
}

/** Writes two date fields for the address. An open end is today. */
export const rangeOfDays = (from: string, to: string, today: Date): string | undefined =>
  from === '' && to === '' ? undefined : `${from}..${to || dayText(today)}`;

/** Fills two date fields from the address. A named range fills neither. */
export function daysOfRange(range: string | undefined): { from: string; to: string } {
  const [from = '', to = ''] = range?.includes('..') ? range.split('..') : [];
  return { from, to: to.replace(UTC, '') };
}

export const isRangeWord = (text: string | undefined): text is RangeWord | Period =>
  text !== undefined && ([...RANGES, ...PERIODS] as readonly string[]).includes(text);

/** Reads a `datetime-local` field as Unix seconds. */
export const secondsOf = (text: string): number | undefined => (text === '' ? undefined : seconds(new Date(text)));

/** Writes Unix seconds for a `datetime-local` field. */
export function fieldTime(at: number | undefined): string {
  if (at === undefined) return '';
  const date = new Date(at * 1_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Noon of a `2026-01-31`, which is the same day in almost every zone it may be shown in. */
export function noonOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return seconds(new Date(year, month - 1, date, 12));
}

/** The month so many months after a `2026-01`. */
export function monthAfter(month: string, count: number): string {
  const [year = 0, nth = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, nth - 1 + count, 1)).toISOString().slice(0, 7);
}
