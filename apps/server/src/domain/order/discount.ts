import type { OrderItem } from './order.ts';

export interface Priced {
  items: readonly Pick<OrderItem, 'priceMinor' | 'quantity' | 'currency'>[];
  amountMinor: number;
  currency: string;
}

/**
 * What the order's own price takes off the sum of its items; null when it takes off nothing, or when a price is missing and
 * there is no sum.
 */
export function discountMinor({ items, amountMinor, currency }: Priced): number | null {
  let sum = 0;
  for (const { priceMinor, quantity, currency: own } of items) {
    if (priceMinor === null || own !== currency) return null;
    sum += priceMinor * quantity;
  }
  return Number.isSafeInteger(sum) && sum > amountMinor ? sum - amountMinor : null;
}
