import type { DayFigures, Home, MoneyFigure, MoneySum } from '@coinslot/contract';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { groupBy } from '../../../kit/collections.ts';
import type { Rates } from '../../company/company.sql.ts';
import { convert } from '../../company/rates.ts';
import type { HourFigure } from './figures.sql.ts';
import { dayNumber, dayText, HOUR_MS, type HomeRange, offsetMs } from './home-range.ts';

export interface HomeFacts {
  /** Of today and of the last 24 hours. */
  hourly: readonly HourFigure[];
  /** Of the range and of as many days before it. */
  daily: readonly HourFigure[];
  labels: ReadonlyMap<string, string | null>;
  rates: Rates | null;
  now: Date;
  range: HomeRange;
  utcOffsetMinutes: number;
}

type Counts = Omit<DayFigures, 'day'>;
type SpanFigures = Home['today'];
/** What is the same for every span of one answer. */
type Context = Pick<HomeFacts, 'labels' | 'rates'>;

const NO_MONEY = { paid: 0, paid_orders: 0, returned: 0, returned_orders: 0, net: 0 };

function moneyOf(figures: readonly HourFigure[]): MoneyFigure[] {
  const byCurrency = new Map<string, MoneyFigure>();
  for (const { measure, key: currency, count, amountMinor } of figures) {
    if (measure !== 'paid' && measure !== 'returned' && measure !== 'paid_back') continue;
    const money = byCurrency.get(currency) ?? { currency, ...NO_MONEY };
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

/** Null where the studio wants no sum. A currency without a rate is named, never guessed. */
function moneySum(money: readonly MoneyFigure[], rates: Rates | null): MoneySum | null {
  if (rates === null) return null;
  const sum: MoneySum = { currency: rates.currency, paid: 0, net: 0, missing: [] };
  for (const { currency, paid, net } of money) {
    const converted = [convert(rates, paid, currency), convert(rates, net, currency)] as const;
    if (converted[0] === null || converted[1] === null) {
      if (paid !== 0 || net !== 0) sum.missing.push(currency);
      continue;
    }
    sum.paid += converted[0];
    sum.net += converted[1];
  }
  return sum;
}

const sumOf = (figures: readonly HourFigure[], measure: HourFigure['measure']): number =>
  figures.reduce((sum, figure) => (figure.measure === measure ? sum + figure.count : sum), 0);

function countsOf(figures: readonly HourFigure[], { rates }: Context): Counts {
  const money = moneyOf(figures);
  return {
    orders: sumOf(figures, 'orders'),
    opened: sumOf(figures, 'opened'),
    started: sumOf(figures, 'started'),
    paid: sumOf(figures, 'paid'),
    declined: sumOf(figures, 'declined'),
    money,
    sum: moneySum(money, rates),
  };
}

function declinesOf(figures: readonly HourFigure[], labels: HomeFacts['labels']): SpanFigures['declines'] {
  const byCode = new Map<string, number>();
  for (const { measure, key, count } of figures) {
    if (measure === 'declined') byCode.set(key, (byCode.get(key) ?? 0) + count);
  }
  return [...byCode]
    .map(([code, count]) => ({ code, description: labels.get(code) ?? null, count }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

function spanOf(figures: readonly HourFigure[], context: Context): SpanFigures {
  const counts = countsOf(figures, context);
  const share = (measure: HourFigure['measure'], of: number): number | null =>
    of === 0 ? null : sumOf(figures, measure) / of;
  return {
    ...counts,
    conversion: share('converted', counts.opened),
    refund_rate: share('paid_back', counts.paid),
    dispute_rate: share('disputed', counts.paid),
    declines: declinesOf(figures, context.labels),
  };
}

const numbersFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

export function homeFigures(
  facts: HomeFacts,
): Pick<Home, 'today' | 'from' | 'to' | 'range' | 'before' | 'days' | 'hours'> {
  const { hourly, daily, now, range, utcOffsetMinutes } = facts;
  const shift = offsetMs(utcOffsetMinutes);
  const dayOf = ({ hour }: HourFigure): number => dayNumber(hour.getTime(), shift);
  const byDay = groupBy(daily, dayOf);
  const days = numbersFrom(range.first, range.days);
  const inDays = (some: readonly number[]): HourFigure[] => some.flatMap(day => byDay.get(day) ?? []);
  const byHour = groupBy(hourly, ({ hour }) => Math.floor(hour.getTime() / HOUR_MS));
  const today = dayNumber(now.getTime(), shift);
  return {
    today: spanOf(
      hourly.filter(figure => dayOf(figure) === today),
      facts,
    ),
    from: dayText(range.first),
    to: dayText(range.first + range.days - 1),
    range: spanOf(inDays(days), facts),
    before: spanOf(inDays(numbersFrom(range.first - range.days, range.days)), facts),
    days: days.map(day => ({ day: dayText(day), ...countsOf(byDay.get(day) ?? [], facts) })),
    hours: numbersFrom(Math.floor(now.getTime() / HOUR_MS) - 23, 24).map(hour => {
      const { orders, opened, paid } = countsOf(byHour.get(hour) ?? [], facts);
      return { at: toUnixSeconds(new Date(hour * HOUR_MS)), orders, opened, paid };
    }),
  };
}
