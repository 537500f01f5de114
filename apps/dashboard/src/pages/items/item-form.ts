import type { Item, ItemInput } from '@coinslot/contract';
import { numberOf } from '../../kit/money.ts';
import { fieldTime, secondsOf } from '../../kit/times.ts';

/** The fields hold text as it was typed. */
export interface ItemForm {
  sku: string;
  name: string;
  description: string;
  image_url: string;
  price: string;
  currency: string;
  saleKind: 'none' | 'percent' | 'price';
  saleValue: string;
  saleFrom: string;
  saleTo: string;
}

export type FormIssue = 'price_number' | 'price_currency' | 'sale_number' | 'sale_price' | 'sale_order' | 'sku_needed';

export function formOf(item: Item | null): ItemForm {
  const sale = item?.sale ?? null;
  return {
    sku: item?.sku ?? '',
    name: item?.name ?? '',
    description: item?.description ?? '',
    image_url: item?.image_url ?? '',
    price: item?.price_decimal?.toString() ?? '',
    currency: item?.currency ?? 'USD',
    saleKind: sale === null ? 'none' : sale.discount_percent !== undefined ? 'percent' : 'price',
    saleValue: (sale?.discount_percent ?? sale?.price_decimal)?.toString() ?? '',
    saleFrom: fieldTime(sale?.starts_at),
    saleTo: fieldTime(sale?.ends_at),
  };
}

function saleOf(form: ItemForm): ItemInput['sale'] {
  const value = numberOf(form.saleValue);
  if (form.saleKind === 'none' || value === null) return undefined;
  const starts_at = secondsOf(form.saleFrom);
  const ends_at = secondsOf(form.saleTo);
  return {
    ...(form.saleKind === 'percent' ? { discount_percent: value } : { price_decimal: value }),
    ...(starts_at !== undefined && { starts_at }),
    ...(ends_at !== undefined && { ends_at }),
  };
}

export function issuesOf(form: ItemForm): FormIssue[] {
  const issues: FormIssue[] = [];
  if (form.sku.trim() === '') issues.push('sku_needed');
  if (form.price.trim() !== '' && numberOf(form.price) === null) issues.push('price_number');
  if (form.price.trim() !== '' && !/^[A-Z]{3}$/.test(form.currency)) issues.push('price_currency');
  if (form.saleKind === 'none') return issues;
  const value = numberOf(form.saleValue);
  if (value === null || (form.saleKind === 'percent' && (value <= 0 || value > 100))) issues.push('sale_number');
  if (form.price.trim() === '') issues.push('sale_price');
  const from = secondsOf(form.saleFrom);
  const to = secondsOf(form.saleTo);
  if (from !== undefined && to !== undefined && to <= from) issues.push('sale_order');
  return issues;
}

/** Leaves out empty fields, which the server then clears. */
export function inputOf(form: ItemForm): ItemInput {
  const price = numberOf(form.price);
  const sale = saleOf(form);
  return {
    ...(form.name.trim() !== '' && { name: form.name.trim() }),
    ...(form.description.trim() !== '' && { description: form.description.trim() }),
    ...(form.image_url.trim() !== '' && { image_url: form.image_url.trim() }),
    ...(price !== null && { price_decimal: price, currency: form.currency }),
    ...(sale !== undefined && { sale }),
  };
}
