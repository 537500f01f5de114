import type * as contract from '@coinslot/contract';
import { toDecimal } from '../../kit/money.ts';
import { onWire } from '../../kit/on-wire.ts';
import { type Environment, isSandbox } from '../game/environment.ts';
import type { Item, Player } from './catalog.sql.ts';

export const itemView = (environment: Environment, item: Item): contract.Item => ({
  ...onWire(item, 'id, sku, name, description, image_url, currency, sale, created_at, updated_at'),
  price_decimal: item.priceMinor === null ? null : toDecimal(item.priceMinor, item.currency!),
  sandbox: isSandbox(environment),
});

export const playerView = (environment: Environment, player: Player): contract.Player => ({
  ...onWire(player, 'player_id, name, avatar_url, email, created_at, updated_at'),
  attributes: player.attributes ?? {},
  sandbox: isSandbox(environment),
});
