import type { AttentionCode, OrderStatus } from '@coinslot/contract';
import type { Phrase } from '@coinslot/texts/attention';
import { json, jsonOrNull, type RowOf, table, typed, withDates } from '../../db/table.ts';

export interface OrderItem {
  sku: string;
  name: string | null;
  description: string | null;
  imageUrl: string | null;
  quantity: number;
  /** Price of one piece with the sale applied; null when only the whole order has a price. */
  priceMinor: number | null;
  /** Price before the sale, when a sale applied. */
  fullPriceMinor: number | null;
  currency: string | null;
}

/** What the order carries along and no rule looks at. */
export interface OrderDetails {
  country: string | null;
  locale: string | null;
  theme: 'auto' | 'light' | 'dark';
  backToGameUrl: string | null;
  backToStoreUrl: string | null;
  metadata: Record<string, string>;
}

/** Why money waits for a studio member. */
export interface Attention {
  code: AttentionCode;
  since: Date;
  detail: Phrase[];
  /** Nothing more happens by itself. */
  isFinal: boolean;
  /** When the program tries or asks again by itself. */
  nextCheckAt: Date | null;
}

/** As an order's row holds it: what is empty is left out. */
export type StoredItem = Pick<OrderItem, 'sku' | 'quantity'> & Partial<OrderItem>;
export type StoredDetails = Partial<OrderDetails>;

/** JSON leaves out what is undefined. */
export const storedItem = (item: OrderItem) => ({
  sku: item.sku,
  name: item.name ?? undefined,
  description: item.description ?? undefined,
  imageUrl: item.imageUrl ?? undefined,
  quantity: item.quantity,
  priceMinor: item.priceMinor ?? undefined,
  fullPriceMinor: item.fullPriceMinor ?? undefined,
  currency: item.currency ?? undefined,
});

/** Property by property: what is spread behind others is copied by a slow path, and every order is read several times. */
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

const toItems = (stored: StoredItem[]): OrderItem[] => stored.map(toItem);

export const storedDetails = (details: OrderDetails) => ({
  country: details.country ?? undefined,
  locale: details.locale ?? undefined,
  theme: details.theme === 'auto' ? undefined : details.theme,
  backToGameUrl: details.backToGameUrl ?? undefined,
  backToStoreUrl: details.backToStoreUrl ?? undefined,
  metadata: Object.keys(details.metadata).length === 0 ? undefined : details.metadata,
});

export const toDetails = (stored: StoredDetails): OrderDetails => ({
  country: stored.country ?? null,
  locale: stored.locale ?? null,
  theme: stored.theme ?? 'auto',
  backToGameUrl: stored.backToGameUrl ?? null,
  backToStoreUrl: stored.backToStoreUrl ?? null,
  metadata: stored.metadata ?? {},
});

export const toAttention = withDates<Attention>('since', 'nextCheckAt');

export const ORDERS = table('orders', {
  environmentId: 'text',
  id: 'text',
  playerId: 'text',
  status: typed<OrderStatus>('text'),
  amountMinor: 'bigint',
  currency: 'text',
  items: json(toItems),
  details: json(toDetails),
  email: 'text?',
  /** What people should know: why it was rejected, why a refund failed. */
  problem: jsonOrNull<Phrase[]>(),
  attention: jsonOrNull(toAttention),
  grantedAt: 'timestamptz?',
  paidAt: 'timestamptz?',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  updatedAt: 'timestamptz',
  /** Of the row that was read; every write compares it and adds one. */
  version: 'int',
});

export type Order = RowOf<typeof ORDERS>;
