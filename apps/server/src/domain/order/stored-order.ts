import type { OrderDetails, OrderItem } from './order.ts';

/** As an order's row holds it: what is empty is left out. */
export type StoredItem = Pick<OrderItem, 'sku' | 'quantity'> & Partial<OrderItem>;
export type StoredDetails = Partial<OrderDetails>;

/** JSON leaves out what is undefined. */
const filled = <T>(value: T | null): T | undefined => value ?? undefined;

export const storedItem = (item: OrderItem) => ({
  sku: item.sku,
  name: filled(item.name),
  description: filled(item.description),
  imageUrl: filled(item.imageUrl),
  quantity: item.quantity,
  priceMinor: filled(item.priceMinor),
  fullPriceMinor: filled(item.fullPriceMinor),
  currency: filled(item.currency),
});

export const toItem = (stored: StoredItem): OrderItem => ({
  sku: stored.sku,
  name: stored.name ?? null,
  description: stored.description ?? null,
  imageUrl: stored.imageUrl ?? null,
  quantity: stored.quantity,
  priceMinor: stored.priceMinor ?? null,
  fullPriceMinor: stored.fullPriceMinor ?? null,
  currency: stored.currency ?? null,
});

export const toItems = (stored: StoredItem[]): OrderItem[] => stored.map(toItem);

const isEmpty = (metadata: Record<string, string>): boolean => Object.keys(metadata).length === 0;

export const storedDetails = (details: OrderDetails) => ({
  country: filled(details.country),
  locale: filled(details.locale),
  theme: details.theme === 'auto' ? undefined : details.theme,
  backToGameUrl: filled(details.backToGameUrl),
  backToStoreUrl: filled(details.backToStoreUrl),
  metadata: isEmpty(details.metadata) ? undefined : details.metadata,
});

export const toDetails = (stored: StoredDetails): OrderDetails => ({
  country: stored.country ?? null,
  locale: stored.locale ?? null,
  theme: stored.theme ?? 'auto',
  backToGameUrl: stored.backToGameUrl ?? null,
  backToStoreUrl: stored.backToStoreUrl ?? null,
  metadata: stored.metadata ?? {},
});
