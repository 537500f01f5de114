/** The time spans a list can be cut to. Kept in the address as a word or as two days. */
export const RANGES = ['today', '7d', '30d', '90d', 'all'] as const;
export type RangeWord = (typeof RANGES)[number];

export interface Span {
  created_from?: number;
  created_to?: number;
}

const DAYS: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '90d': 90 };

const dayStart = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate());

function dayOf(text: string | undefined): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '');
  if (!match) return undefined;
  const day = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return day.getMonth() === Number(match[2]) - 1 ? day : undefined;
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

/** `7d`, `today`, or `2026-01-01..2026-01-31`; the last day counts whole. Anything else is all time. */
export function spanOf(text: string | undefined, now: Date): Span {
  if (text === undefined || text === 'all') return {};
  const today = dayStart(now);
  if (text === 'today') return { created_from: seconds(today) };
  const days = DAYS[text];
  if (days !== undefined) {
    return { created_from: seconds(new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1)) };
  }
  const [first, last] = text.split('..');
  const from = dayOf(first);
  const to = dayOf(last);
  return {
    ...(from && { created_from: seconds(from) }),
    ...(to && { created_to: seconds(new Date(to.getFullYear(), to.getMonth(), to.getDate() + 1)) }),
  };
}

export const dayText = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;

export const isRangeWord = (text: string | undefined): text is RangeWord =>
  text !== undefined && (RANGES as readonly string[]).includes(text);
