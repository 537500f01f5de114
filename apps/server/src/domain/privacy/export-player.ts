import type { PlayerExport } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { findPlayer } from '../catalog/catalog.sql.ts';
import { playerView } from '../catalog/catalog-views.ts';
import type { Environment } from '../game/environment.ts';
import type { CheckoutUrlOf } from '../order/checkout-token.ts';
import { listOrders } from '../order/order.sql.ts';
import { orderView } from '../order/order-view.ts';
import { paymentViews } from '../payment/payment-view.ts';
import { listPaymentsOfPlayer } from '../reporting/timeline/timeline.sql.ts';
import { listMailsTo, listMethodsOf } from './player-data.sql.ts';

/** More than any player buys; the export says nothing of what is beyond. */
const MOST = 10_000;

/** Everything that is known of a player, for the player. */
export async function exportPlayer(
  { db, checkoutUrlOf }: { db: Queryable; checkoutUrlOf: CheckoutUrlOf },
  environment: Environment,
  playerId: string,
): Promise<PlayerExport> {
  const all = { status: null, needsAttention: false, createdFrom: null, createdTo: null, beforeId: null, limit: MOST };
  const [player, orders, payments, methods] = await Promise.all([
    findPlayer(db, environment.id, playerId),
    listOrders(db, environment.id, { ...all, playerId }),
    listPaymentsOfPlayer(db, environment.id, playerId, MOST),
    listMethodsOf(db, environment.id, playerId),
  ]);
  if (!player && orders.length === 0) throw new AppError('player_not_found');
  const mails = await listMailsTo(
    db,
    environment.id,
    payments.map(({ id }) => id),
  );
  return {
    player: player && playerView(environment, player),
    orders: orders.map(found => orderView(environment, found, checkoutUrlOf)),
    payments: await paymentViews(db, environment, payments),
    saved_methods: methods.map(({ expiryMonth, expiryYear, createdAt, ...method }) => ({
      ...method,
      expiry_month: expiryMonth,
      expiry_year: expiryYear,
      created_at: toUnixSeconds(createdAt),
    })),
    mails: mails.map(({ createdAt, ...mail }) => ({ ...mail, created_at: toUnixSeconds(createdAt) })),
  };
}
