import type { Figures } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { findRates } from '../../company/company.sql.ts';
import { findFiguresAge, listPaymentValues } from './figures.sql.ts';
import { DAY_MS, dayText, readRange } from './home-range.ts';
import { listCohorts, listItemNames, listPaidIn, listQuestionFigures, listRateDays } from './questions.sql.ts';
import {
  buyersRow,
  cohortsOf,
  declineRows,
  grantFigures,
  hourRows,
  moneyFor,
  rateDays,
  salesRows,
  shareRows,
} from './questions.ts';

export interface FiguresQuery {
  from?: string;
  to?: string;
  before_from?: string;
  currency?: string;
}

const COHORT_MONTHS = 12;

/** Every answer comes from rolled-up rows: how many payments there are makes no difference. */
export async function readFigures(
  db: Queryable,
  { id: environmentId, companyId }: { id: string; companyId: string },
  asked: FiguresQuery,
): Promise<Figures> {
  const { until, now } = await findFiguresAge(db);
  const { first, days } = readRange(asked, now, 0);
  const span = { from: dayText(first), to: dayText(first + days - 1) };
  const { before_from: wanted } = asked;
  const beforeFirst = wanted === undefined ? first - days : readRange({ from: wanted, to: wanted }, now, 0).first;
  const before = { from: dayText(beforeFirst), to: dayText(beforeFirst + days - 1) };
  const lastMonth = dayText(now.getTime() / DAY_MS).slice(0, 7);
  const oldest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - COHORT_MONTHS + 1, 1)).toISOString();
  const [currencies, rates] = await Promise.all([
    listPaidIn(db, environmentId, span, before),
    findRates(db, companyId),
  ]);
  const money = moneyFor(asked.currency, currencies, rates);
  const shown = money.isSum ? currencies : [money.currency ?? ''];
  const [figures, rateFigures, cohorts, values] = await Promise.all([
    listQuestionFigures(db, environmentId, span, before, shown),
    listRateDays(db, environmentId, span),
    listCohorts(db, environmentId, oldest.slice(0, 10)),
    listPaymentValues(db, environmentId),
  ]);
  const codes = values.filter(({ facet }) => facet === 'response_code');
  const items = salesRows(figures, 'paid_item', money);
  const named = await listItemNames(
    db,
    environmentId,
    items.map(({ key }) => key),
  );
  const names = new Map(named.map(({ sku, name }) => [sku, name]));
  const isMissing = (one: string): boolean => one !== rates?.currency && rates?.rates[one] === undefined;
  return {
    as_of: toUnixSeconds(until),
    ...span,
    before_from: before.from,
    before_to: before.to,
    currency: money.currency,
    is_sum: money.isSum,
    currencies,
    sum_currency: rates?.currency ?? null,
    missing: money.isSum ? currencies.filter(isMissing) : [],
    methods: shareRows(figures, 'started_method', 'authorized_method'),
    countries: shareRows(figures, 'opened_country', 'converted_country'),
    devices: shareRows(figures, 'opened_device', 'converted_device'),
    declines: declineRows(figures, new Map(codes.map(({ value, label }) => [value, label]))),
    sales: {
      items: items.map(row => ({ ...row, name: names.get(row.key) ?? null })),
      countries: salesRows(figures, 'paid_country', money),
      hours: hourRows(figures, money),
      methods: salesRows(figures, 'paid_method', money),
      first: buyersRow(figures, 'paid_first', money),
      repeat: buyersRow(figures, 'paid_repeat', money),
    },
    cohorts: cohortsOf(cohorts, oldest.slice(0, 7), lastMonth),
    grants: grantFigures(figures),
    days: rateDays(first, days, rateFigures),
  };
}
