/** Intl formatters are slow to create, so each is kept. */

const cached = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `n${locale}${JSON.stringify(options)}`;
  const known = cached.get(key) as Intl.NumberFormat | undefined;
  const format = known ?? new Intl.NumberFormat(locale, options);
  cached.set(key, format);
  return format;
}

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `d${locale}${JSON.stringify(options)}`;
  const known = cached.get(key) as Intl.DateTimeFormat | undefined;
  const format = known ?? new Intl.DateTimeFormat(locale, options);
  cached.set(key, format);
  return format;
}

export const formatNumber = (locale: string, value: number): string => numberFormat(locale, {}).format(value);

export const formatCompact = (locale: string, value: number): string =>
  numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

export const formatPercent = (locale: string, share: number): string =>
  numberFormat(locale, { style: 'percent', maximumFractionDigits: share < 0.1 && share > 0 ? 2 : 1 }).format(share);

export function formatDuration(locale: string, ms: number): string {
  if (ms < 1_000) return `${formatNumber(locale, Math.round(ms))} ms`;
  return `${numberFormat(locale, { maximumFractionDigits: 1 }).format(ms / 1_000)} s`;
}

export const formatDay = (locale: string, at: number): string =>
  dateFormat(locale, { day: 'numeric', month: 'short' }).format(at * 1_000);

export const formatDate = (locale: string, at: number): string =>
  dateFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' }).format(at * 1_000);

/** A 12-hour clock writes "9:05 AM", a 24-hour clock "09:05". */
const hourOf = (locale: string): 'numeric' | '2-digit' =>
  dateFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true ? 'numeric' : '2-digit';

/** Leaves out the current year. Leave out the zone only below a heading that names it. */
export function formatTime(locale: string, at: number, now: number, zone = true): string {
  const isThisYear = new Date(at * 1_000).getFullYear() === new Date(now * 1_000).getFullYear();
  const year = isThisYear ? {} : { year: 'numeric' as const };
  const zoned = zone ? { timeZoneName: 'short' as const } : {};
  const options = {
    day: 'numeric',
    month: 'short',
    hour: hourOf(locale),
    minute: '2-digit',
    ...year,
    ...zoned,
  } as const;
  return dateFormat(locale, options).format(at * 1_000);
}

/** Includes seconds, for places where the sequence matters. */
export const formatExactTime = (locale: string, at: number): string =>
  dateFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: hourOf(locale),
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(at * 1_000);

export const formatFullTime = (locale: string, at: number): string =>
  dateFormat(locale, { dateStyle: 'full', timeStyle: 'long' }).format(at * 1_000);

/** The short name of the member's time zone, such as GMT+1. */
export const zoneName = (locale: string, now: Date): string =>
  dateFormat(locale, { timeZoneName: 'short' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** For chart axes, which have no space for AM and PM. */
export const formatHour = (locale: string, at: number): string =>
  dateFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at * 1_000);

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "3 minutes ago", "in 2 hours". */
export function formatAgo(locale: string, at: number, now: number): string {
  const seconds = at - now;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (!step) return Math.abs(seconds) < 45 ? format.format(0, 'second') : format.format(Math.round(seconds), 'second');
  return format.format(Math.round(seconds / step[1]), step[0]);
}

export function formatCountry(locale: string, code: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** `German`, or the tag where the browser has no name for it. */
export function formatLanguage(locale: string, tag: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The first grapheme, for a tile without an image. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name.trim());
  return first?.segment.toUpperCase() ?? '?';
}

/** "2 × Potion, Sword". */
export const itemsText = (items: readonly { name: string | null; sku: string; quantity: number }[]): string =>
  items.map(({ name, sku, quantity }) => `${quantity > 1 ? `${quantity} × ` : ''}${name ?? sku}`).join(', ');

/** A member without a name is shown by the e-mail address. */
export const memberName = ({ name, email }: { name: string; email: string }): string => name || email;

export const prettyJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Indents JSON and shows anything else as it arrived. */
export function prettyText(text: string): string {
  try {
    return prettyJson(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Formats the days from one `2026-01-31` to another. */
export function spanText(locale: string, from: string, to: string): string {
  const at = (day: string): number => Date.parse(`${day}T12:00:00Z`);
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return dateFormat(locale, options).formatRange(at(from), at(to));
}

/** "Jan 2026" for `2026-01`. */
export const monthText = (locale: string, month: string): string =>
  dateFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));
