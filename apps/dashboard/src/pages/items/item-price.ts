import type { Item } from '@coinslot/contract';
import { formatPercent } from '../../kit/format.ts';
import { formatMoney, minorOf } from '../../kit/money.ts';
import { language } from '../../texts/texts.ts';

export const priceText = ({ price_decimal, currency }: Pick<Item, 'price_decimal' | 'currency'>): string | null =>
  price_decimal === null || currency === null
    ? null
    : formatMoney(language, minorOf(price_decimal, currency), currency);

export type SaleState = 'none' | 'planned' | 'on' | 'over';

/** A sale runs from `starts_at` up to, but not including, `ends_at`. */
export function saleState({ sale }: Pick<Item, 'sale'>, now: number): SaleState {
  if (sale === null) return 'none';
  if ((sale.starts_at ?? 0) > now) return 'planned';
  return now < (sale.ends_at ?? Infinity) ? 'on' : 'over';
}

export function saleText({ sale, currency }: Pick<Item, 'sale' | 'currency'>): string {
  if (sale?.discount_percent !== undefined) return `−${formatPercent(language, sale.discount_percent / 100)}`;
  return priceText({ price_decimal: sale?.price_decimal ?? null, currency }) ?? '';
}
