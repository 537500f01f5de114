/** The time spans of a list. Kept in the address as a word or as two days. */
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

const daysAfter = (day: Date, count: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + count);

/** `7d`, `today`, or `2026-01-01..2026-01-31` with the last day included. Anything else is all time. */
export function spanOf(text: string | undefined, now: Date): Span {
  if (text === undefined || text === 'all') return {};
  if (text === 'today') return { created_from: seconds(daysAfter(now, 0)) };
  const days = DAYS[text];
  if (days !== undefined) return { created_from: seconds(daysAfter(now, 1 - days)) };
  const [first, last] = text.split('..');
  const from = dayOf(first);
  const to = dayOf(last);
  return {
    ...(from && { created_from: seconds(from) }),
    ...(to && { created_to: seconds(daysAfter(to, 1)) }),
  };
}

/** The provider's days, and so those that are compared, are those of UTC. */
export const utcDayText = (date: Date): string => date.toISOString().slice(0, 10);

export const dayText = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;

/** The periods of figures, which have a first and a last day. */
export const PERIODS = ['today', '7d', '30d', '90d', 'month', 'last_month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const PERIOD_DAYS: Readonly<Partial<Record<string, number>>> = { today: 1, ...DAYS, year: 365 };

/** First and last day of a period or of two days in the address; an odd text is the last 30 days. */
export function periodDays(text: string | undefined, now: Date): { from: string; to: string } {
  const own = daysOfRange(text);
  if (dayOf(own.from) && dayOf(own.to)) return own;
  const monthStart = (monthsAgo: number): Date => new Date(now.getFullYear(), now.getMonth() - monthsAgo, 1);
  if (text === 'month') return { from: dayText(monthStart(0)), to: dayText(now) };
  if (text === 'last_month') return { from: dayText(monthStart(1)), to: dayText(daysAfter(monthStart(0), -1)) };
  const days = PERIOD_DAYS[text ?? ''] ?? 30;
  return { from: dayText(daysAfter(now, 1 - days)), to: dayText(now) };
}

/** Two date fields as the address keeps them; an open end is today. */
export const rangeOfDays = (from: string, to: string, today: Date): string | undefined =>
  from === '' && to === '' ? undefined : `${from}..${to || dayText(today)}`;

/** The two date fields of what the address keeps; a word fills neither. */
export function daysOfRange(range: string | undefined): { from: string; to: string } {
  const [from = '', to = ''] = range?.includes('..') ? range.split('..') : [];
  return { from, to };
}

export const isRangeWord = (text: string | undefined): text is RangeWord | Period =>
  text !== undefined && ([...RANGES, ...PERIODS] as readonly string[]).includes(text);

/** What a `datetime-local` field holds, in Unix seconds. */
export const secondsOf = (text: string): number | undefined => (text === '' ? undefined : seconds(new Date(text)));

/** Unix seconds as a `datetime-local` field wants them. */
export function fieldTime(at: number | undefined): string {
  if (at === undefined) return '';
  const date = new Date(at * 1_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Noon of a `2026-01-31`, so that it is the same day in every zone it is shown in. */
export function noonOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return seconds(new Date(year, month - 1, date, 12));
}
