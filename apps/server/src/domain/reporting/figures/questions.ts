import type { Cohort, Figures, RateDay, SalesRow, ShareRow } from '@coinslot/contract';
import { groupBy } from '../../../kit/collections.ts';
import type { Rates } from '../../company/company.sql.ts';
import { convert } from '../../company/rates.ts';
import { dayText } from './home-range.ts';
import { type CohortMonth, type DayFigure, GRANT_STEPS_MS, type RateDay as RateDayFigure } from './questions.sql.ts';

/** More than a page can show; the rest is too small to be asked about. */
const MOST_ROWS = 50;

const of = (figures: readonly DayFigure[], measure: string): DayFigure[] =>
  figures.filter(figure => figure.measure === measure);

const countIn = (figures: readonly DayFigure[], isBefore: boolean): number =>
  figures.reduce((sum, figure) => (figure.isBefore === isBefore ? sum + figure.count : sum), 0);

/** Shares by key: all there were by one measure, those that got there by the other. */
export function shareRows(figures: readonly DayFigure[], all: string, reached: string): ShareRow[] {
  const got = groupBy(of(figures, reached), ({ key }) => key);
  return [...groupBy(of(figures, all), ({ key }) => key)]
    .map(([key, some]) => ({
      key,
      of: countIn(some, false),
      reached: countIn(got.get(key) ?? [], false),
      of_before: countIn(some, true),
      reached_before: countIn(got.get(key) ?? [], true),
    }))
    .toSorted((a, b) => b.of - a.of || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_ROWS);
}

/** Which amounts are shown, and in what. */
export interface ShownMoney {
  currency: string | null;
  isSum: boolean;
  rates: Rates | null;
}

/** Null: not of the chosen currency, or without a rate. */
function amountOf({ currency, amountMinor }: DayFigure, money: ShownMoney): number | null {
  if (money.isSum) return convert(money.rates!, amountMinor, currency);
  return currency === money.currency ? amountMinor : null;
}

function salesRow(key: string, figures: readonly DayFigure[], money: ShownMoney): SalesRow {
  const row: SalesRow = { key, name: null, count: 0, amount: 0, count_before: 0, amount_before: 0 };
  for (const figure of figures) {
    const amount = amountOf(figure, money);
    if (amount === null) continue;
    if (figure.isBefore) {
      row.count_before += figure.count;
      row.amount_before += amount;
    } else {
      row.count += figure.count;
      row.amount += amount;
    }
  }
  return row;
}

export const salesRows = (figures: readonly DayFigure[], measure: string, money: ShownMoney): SalesRow[] =>
  [...groupBy(of(figures, measure), ({ key }) => key)]
    .map(([key, some]) => salesRow(key, some, money))
    .filter(({ count, count_before }) => count > 0 || count_before > 0)
    .toSorted((a, b) => b.amount - a.amount || b.count - a.count || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_ROWS);

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));

export function hourRows(figures: readonly DayFigure[], money: ShownMoney): SalesRow[] {
  const byHour = groupBy(of(figures, 'paid_hour'), ({ key }) => key);
  return HOURS.map(hour => salesRow(hour, byHour.get(hour) ?? [], money));
}

/** The asked one, else the most used. */
export function moneyFor(asked: string | undefined, currencies: readonly string[], rates: Rates | null): ShownMoney {
  if (asked === 'sum' && rates) return { currency: rates.currency, isSum: true, rates };
  return { currency: asked !== undefined && asked !== 'sum' ? asked : (currencies[0] ?? null), isSum: false, rates };
}

export const buyersRow = (
  figures: readonly DayFigure[],
  measure: 'paid_first' | 'paid_repeat',
  money: ShownMoney,
): SalesRow => salesRow('', of(figures, measure), money);

export function declineRows(
  figures: readonly DayFigure[],
  labels: ReadonlyMap<string, string | null>,
): Figures['declines'] {
  return [...groupBy(of(figures, 'declined_code'), ({ key }) => key)]
    .map(([code, some]) => ({
      code,
      description: labels.get(code) ?? null,
      count: countIn(some, false),
      count_before: countIn(some, true),
    }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, MOST_ROWS);
}

/** The end of the step within which this share of all was granted. */
function within(counts: readonly number[], portion: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let sum = 0;
  const at = counts.findIndex(count => {
    sum += count;
    return sum >= all * portion;
  });
  return GRANT_STEPS_MS[at] ?? null;
}

export function grantFigures(figures: readonly DayFigure[]): Figures['grants'] {
  const byStep = groupBy(of(figures, 'grant'), ({ key }) => key);
  const steps = [...GRANT_STEPS_MS, null].map((upToMs, step) => ({
    up_to_ms: upToMs,
    count: countIn(byStep.get(String(step)) ?? [], false),
    count_before: countIn(byStep.get(String(step)) ?? [], true),
  }));
  const counts = steps.map(({ count }) => count);
  return { steps, p50_ms: within(counts, 0.5), p95_ms: within(counts, 0.95) };
}

export function rateDays(first: number, days: number, figures: readonly RateDayFigure[]): RateDay[] {
  const byDay = groupBy(figures, ({ day }) => day);
  return Array.from({ length: days }, (_, at) => {
    const day = dayText(first + at);
    const count = (measure: RateDayFigure['measure']): number =>
      (byDay.get(day) ?? []).find(figure => figure.measure === measure)?.count ?? 0;
    return { day, paid: count('paid'), returned: count('paid_back'), disputed: count('disputed') };
  });
}

const monthNumber = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

/** Players of each first month, by how many months later they bought again. */
export function cohortsOf(figures: readonly CohortMonth[], firstMonth: string, lastMonth: string): Cohort[] {
  const shown = figures.filter(({ first }) => first >= firstMonth);
  return [...groupBy(shown, ({ first }) => first)].map(([month, some]) => {
    const buyers = Array.from({ length: monthNumber(lastMonth) - monthNumber(month) + 1 }, () => 0);
    for (const one of some) buyers[monthNumber(one.month) - monthNumber(month)] = one.buyers;
    return { month, buyers };
  });
}
