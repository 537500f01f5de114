import type { EventKind } from '@coinslot/contract';

export type EventData = Record<string, unknown>;

export const boughtReason = (playerId: string): string => `Player ${playerId} bought these items.`;

/** By the beginning of a kind: what its order knows or what follows from the rest. */
const NOT_STORED: Readonly<Record<string, readonly string[]>> = {
  order: ['order_id', 'player_id', 'items', 'metadata', 'created_at', 'expires_at', 'price_decimal'],
  item: ['order_id', 'player_id', 'items', 'metadata'],
  // The player's name stays: archives are searched by it.
  payment: ['order_id', 'price_decimal'],
  checkout: ['order_id', 'player_id'],
};

export const familyOf = (kind: EventKind): string => kind.slice(0, kind.indexOf('.'));

const isUsualReason = (data: EventData): boolean => data.reason === boughtReason(String(data.player_id));

/** The part of an order's event that is written into its row. */
export function storedData(kind: EventKind, data: EventData): EventData {
  const left = NOT_STORED[familyOf(kind)] ?? [];
  const stored: EventData = {};
  for (const key in data) {
    const isKnown = data[key] === null || left.includes(key) || (key === 'reason' && isUsualReason(data));
    if (!isKnown) stored[key] = data[key];
  }
  return stored;
}
