import type { Figures, SalesRow, ShareRow } from '@coinslot/contract';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { language } from '../../texts/texts.ts';
import type { LinkedRow } from '../../ui/figures/figure-panel.tsx';

const NONE = '–';

export const shareOf = (reached: number, of: number): number | null => (of === 0 ? null : reached / of);

const shareText = (share: number | null): string => (share === null ? NONE : formatPercent(language, share));
const count = (value: number): string => formatNumber(language, value);
const rounded = (share: number | null): number | string => (share === null ? '' : Math.round(share * 10_000) / 10_000);

export interface Named {
  name(key: string): string;
  to: string;
  /** The filters of the list behind a row. */
  search(key: string): Record<string, string>;
}

/** A row of unknown values, such as an unknown country, has no list behind it. */
const linkOf = (key: string, { to, search }: Named): Pick<LinkedRow, 'to' | 'search'> =>
  key === '' ? {} : { to, search: search(key) };

/** Name, how many, the share, and the share before. */
export const shareRows = (rows: readonly ShareRow[], named: Named): LinkedRow[] =>
  rows.map(({ key, of, reached, of_before, reached_before }) => {
    const [now, before] = [shareOf(reached, of), shareOf(reached_before, of_before)];
    const name = named.name(key);
    return {
      key,
      cells: [name, count(of), shareText(now), shareText(before)],
      values: [name, of, rounded(now), rounded(before)],
      bar: Math.min(1, now ?? 0),
      ...linkOf(key, named),
    };
  });

/** Name, how many, the amount, and the amount before. */
export function salesRows(rows: readonly SalesRow[], currency: string, named: Named): LinkedRow[] {
  const most = Math.max(1, ...rows.map(({ amount }) => amount));
  return rows.map(row => {
    const name = row.name ?? named.name(row.key);
    const money = (minor: number): string => formatMoney(language, minor, currency);
    return {
      key: row.key,
      cells: [name, count(row.count), money(row.amount), money(row.amount_before)],
      values: [name, row.count, row.amount, row.amount_before],
      bar: Math.max(0, row.amount / most),
      ...linkOf(row.key, named),
    };
  });
}

const ADVICE = [
  ['funds', /insufficient|2051|not_sufficient/],
  ['expired', /expired|2054/],
  ['typed', /cvc|cvv|incorrect|invalid_(?:number|expiry)|2082/],
  ['secure', /authentication|3d|secure|2065/],
  ['stolen', /lost|stolen|pickup|3041|3043/],
  ['fraud', /fraud|risk|blocked|suspect/],
  ['limit', /limit|velocity|exceed/],
  ['setup', /provider|method_unavailable|currency|amount_|given_up|saved_method/],
] as const;

export type Advice = (typeof ADVICE)[number][0] | 'bank';

/** What a studio can do about a decline, by the word that the bank or the provider gave. */
export const adviceFor = (code: string): Advice => {
  const word = code.toLowerCase();
  return ADVICE.find(([, pattern]) => pattern.test(word))?.[0] ?? 'bank';
};

/**
 * The limits of the card schemes: above this share of disputes, and from this number of disputes in a month on, a merchant pays
 * fees.
 */
export const SCHEME_LIMITS = [
  { scheme: 'Visa VAMP', share: 0.015, from: 1_500 },
  { scheme: 'Mastercard ECM', share: 0.015, from: 100 },
] as const;

/** The hour of a place whose clock is so many minutes ahead of UTC. */
export const localHour = (utcHour: number, offsetMinutes: number): number =>
  (((utcHour + Math.round(offsetMinutes / 60)) % 24) + 24) % 24;

/** Shares of each cohort that bought again, by months since the first purchase. */
export const cohortShares = ({
  cohorts,
}: Pick<Figures, 'cohorts'>): { month: string; size: number; shares: (number | null)[] }[] =>
  cohorts.map(({ month, buyers: [size = 0, ...later] }) => ({
    month,
    size,
    shares: later.map(buyers => shareOf(buyers, size)),
  }));

/** The first day of the span that another is compared with. */
export function beforeFrom(compare: string | undefined, from: string): string | undefined {
  if (compare === 'year') {
    const [year = '', ...rest] = from.split('-');
    return [String(Number(year) - 1), ...rest].join('-').replace('-02-29', '-02-28');
  }
  return compare !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(compare) ? compare : undefined;
}
