import type { DayFigures, Home, MoneyFigure } from '@coinslot/contract';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { groupBy } from '../../../kit/collections.ts';
import type { HourFigure } from './figures.sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const HOME_DAYS = 30;

export interface HomeFacts {
  figures: readonly HourFigure[];
  /** Descriptions of response codes. */
  labels: ReadonlyMap<string, string | null>;
  now: Date;
  utcOffsetMinutes: number;
}

type Counts = Omit<DayFigures, 'day'>;
type SpanFigures = Home['today'];

const noMoney = (currency: string): MoneyFigure => ({
  currency,
  paid: 0,
  paid_orders: 0,
  returned: 0,
  returned_orders: 0,
  net: 0,
});

function moneyOf(figures: readonly HourFigure[]): MoneyFigure[] {
  const byCurrency = new Map<string, MoneyFigure>();
  for (const { measure, key: currency, count, amountMinor } of figures) {
    if (measure !== 'paid' && measure !== 'returned' && measure !== 'paid_back') continue;
    const money = byCurrency.get(currency) ?? noMoney(currency);
    if (measure === 'paid') {
      money.paid += amountMinor;
      money.net += amountMinor;
      money.paid_orders += count;
    } else if (measure === 'returned') {
      money.returned += amountMinor;
      money.returned_orders += count;
    } else {
      money.net -= amountMinor;
    }
    byCurrency.set(currency, money);
  }
  return [...byCurrency.values()].toSorted(
    (a, b) => b.paid_orders - a.paid_orders || (a.currency < b.currency ? -1 : 1),
  );
}

const sumOf = (figures: readonly HourFigure[], measure: HourFigure['measure']): number =>
  figures.reduce((sum, figure) => (figure.measure === measure ? sum + figure.count : sum), 0);

const countsOf = (figures: readonly HourFigure[]): Counts => ({
  orders: sumOf(figures, 'orders'),
  opened: sumOf(figures, 'opened'),
  started: sumOf(figures, 'started'),
  paid: sumOf(figures, 'paid'),
  declined: sumOf(figures, 'declined'),
  money: moneyOf(figures),
});

function declinesOf(figures: readonly HourFigure[], labels: HomeFacts['labels']): SpanFigures['declines'] {
  const byCode = new Map<string, number>();
  for (const { measure, key, count } of figures) {
    if (measure === 'declined') byCode.set(key, (byCode.get(key) ?? 0) + count);
  }
  return [...byCode]
    .map(([code, count]) => ({ code, description: labels.get(code) ?? null, count }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

function spanOf(figures: readonly HourFigure[], labels: HomeFacts['labels']): SpanFigures {
  const counts = countsOf(figures);
  const share = (measure: HourFigure['measure'], of: number): number | null =>
    of === 0 ? null : sumOf(figures, measure) / of;
  return {
    ...counts,
    conversion: share('converted', counts.opened),
    refund_rate: share('paid_back', counts.paid),
    dispute_rate: share('disputed', counts.paid),
    declines: declinesOf(figures, labels),
  };
}

/** Days of the viewer, which begin at a full hour of UTC. */
const dayNumber = (timeMs: number, offsetMs: number): number => Math.floor((timeMs + offsetMs) / DAY_MS);

const offsetOf = (utcOffsetMinutes: number): number => Math.floor(utcOffsetMinutes / 60) * HOUR_MS;

/** Where the oldest of the days begins that the home page shows. */
export const homeStart = (now: Date, utcOffsetMinutes: number): Date => {
  const offsetMs = offsetOf(utcOffsetMinutes);
  return new Date((dayNumber(now.getTime(), offsetMs) - HOME_DAYS + 1) * DAY_MS - offsetMs);
};

export function homeFigures({
  figures,
  labels,
  now,
  utcOffsetMinutes,
}: HomeFacts): Pick<Home, 'today' | 'last_30_days' | 'days' | 'hours'> {
  const offsetMs = offsetOf(utcOffsetMinutes);
  const today = dayNumber(now.getTime(), offsetMs);
  const byDay = groupBy(figures, ({ hour }) => dayNumber(hour.getTime(), offsetMs));
  const days = Array.from({ length: HOME_DAYS }, (_, index) => today - HOME_DAYS + 1 + index);
  const thisHour = Math.floor(now.getTime() / HOUR_MS);
  const byHour = groupBy(figures, ({ hour }) => Math.floor(hour.getTime() / HOUR_MS));
  const hours = Array.from({ length: 24 }, (_, index) => thisHour - 23 + index);
  return {
    today: spanOf(byDay.get(today) ?? [], labels),
    last_30_days: spanOf(
      days.flatMap(day => byDay.get(day) ?? []),
      labels,
    ),
    days: days.map(day => ({
      day: new Date(day * DAY_MS).toISOString().slice(0, 10),
      ...countsOf(byDay.get(day) ?? []),
    })),
    hours: hours.map(hour => {
      const { orders, opened, paid } = countsOf(byHour.get(hour) ?? []);
      return { at: toUnixSeconds(new Date(hour * HOUR_MS)), orders, opened, paid };
    }),
  };
}
