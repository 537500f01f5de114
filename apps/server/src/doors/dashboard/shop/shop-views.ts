import type * as contract from '@coinslot/contract';
import type { Player } from '../../../domain/catalog/catalog.sql.ts';
import { type Environment, isSandbox } from '../../../domain/game/environment.ts';
import { checkoutToken } from '../../../domain/order/checkout-token.ts';
import type { OrderAt } from '../../../domain/order/order.sql.ts';
import { orderView as viewOf } from '../../../domain/order/order-view.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import type { Seal } from '../../../kit/seal.ts';

export const orderView =
  ({ seal, publicUrl }: { seal: Seal; publicUrl: string }, environment: Environment) =>
  (found: OrderAt): contract.Order =>
    viewOf(environment, found, `${publicUrl}/c/${checkoutToken(seal, environment.id, found.order.id)}`);

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
