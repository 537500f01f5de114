import type * as contract from '@coinslot/contract';
import { toUnixSeconds } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import { type Environment, isSandbox } from '../game/environment.ts';
import type { Item, Player } from './catalog.sql.ts';

/** An item as every door shows it. */
export const itemView = (environment: Environment, item: Item): contract.Item => ({
  id: item.id,
  sku: item.sku,
  name: item.name,
  description: item.description,
  image_url: item.imageUrl,
  price_decimal: item.priceMinor === null ? null : toDecimal(item.priceMinor, item.currency!),
  currency: item.currency,
  sale: item.sale,
  sandbox: isSandbox(environment),
  created_at: toUnixSeconds(item.createdAt),
  updated_at: toUnixSeconds(item.updatedAt),
});

export const playerView = (environment: Environment, player: Player): contract.Player => ({
  player_id: player.playerId,
  name: player.name,
  avatar_url: player.avatarUrl,
  email: player.email,
  attributes: player.attributes ?? {},
  sandbox: isSandbox(environment),
  created_at: toUnixSeconds(player.createdAt),
  updated_at: toUnixSeconds(player.updatedAt),
});
