import type { DashboardMethod } from '@coinslot/contract';
import { formatCountry } from '../../../kit/format.ts';
import { formatMoney } from '../../../kit/money.ts';
import { language, t } from '../../../texts/texts.ts';

const MAX_NAMED = 6;
/** Of more than these the first few, in the order of the alphabet, would say nothing. */
const MAX_LISTED = 20;
const MAX_LIMITS = 2;

/** Names the first few and counts the rest. Null means no limit. */
function listText(list: readonly string[] | null, unlimited: string, name: (code: string) => string): string {
  if (list === null) return unlimited;
  const shown = list.slice(0, MAX_NAMED).map(name).join(', ');
  return list.length > MAX_NAMED ? `${shown} ${t('methods.more', { count: list.length - MAX_NAMED })}` : shown;
}

export const countriesText = (codes: readonly string[] | null): string =>
  listText(codes, t('methods.anyCountry'), code => formatCountry(language, code));

export const currenciesText = (codes: readonly string[] | null): string =>
  codes !== null && codes.length > MAX_LISTED
    ? t('methods.currencies', { count: codes.length })
    : listText(codes, t('methods.anyCurrency'), code => code);

export function limitText({ currency, min, max }: DashboardMethod['limits'][number]): string {
  const money = (minor: number): string => formatMoney(language, minor, currency);
  if (min !== null && max !== null) return `${money(min)} – ${money(max)}`;
  if (max !== null) return t('methods.upTo', { amount: money(max) });
  return min === null ? '' : t('methods.atLeast', { amount: money(min) });
}

const limitsText = (limits: DashboardMethod['limits']): string[] => limits.slice(0, MAX_LIMITS).map(limitText);

type Traits = Pick<DashboardMethod, 'can_reserve' | 'takes' | 'can_refund' | 'can_save' | 'limits'> &
  Partial<Pick<DashboardMethod, 'takers'>>;

/** Says when the money is captured, how long that takes, and what the method cannot do. */
export const traitsText = (method: Traits): string =>
  [
    t(method.can_reserve ? 'methods.capturesAfter' : 'methods.capturesFirst'),
    t(`methods.takes.${method.takes}`),
    ...(method.can_refund ? [] : [t('methods.noRefund')]),
    ...(method.can_save ? [t('methods.saves')] : []),
    // A connected provider has its own.
    ...(method.takers?.some(({ connected, available }) => connected && available) ? [] : limitsText(method.limits)),
  ]
    .filter(text => text !== '')
    .join(' · ');

type Taker = DashboardMethod['takers'][number];

/** Names a provider with the currencies and limits that it has for this method. */
export const takerText = ({ title, currencies, limits }: Taker): string =>
  [`${title}: ${currenciesText(currencies)}`, ...limitsText(limits)].filter(text => text !== '').join(' · ');

/** Says what one provider supports for this method. */
export const providerText = (taker: Taker): string =>
  [
    takerText(taker),
    t(taker.can_reserve ? 'methods.capturesAfter' : 'methods.capturesFirst'),
    ...(taker.can_save ? [t('methods.saves')] : []),
  ].join(' · ');
