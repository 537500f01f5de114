import type { Db, Queryable } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import type { Seal } from '../../kit/seal.ts';
import { findPlayer } from '../catalog/catalog.sql.ts';
import { type Delivery, updateDeliveryBody } from './delivery.sql.ts';
import { findEvent } from './event.sql.ts';
import { eventBody } from './event-body.ts';
import type { Exchange } from './exchange.ts';
import type { Sender } from './send.ts';
import { signHeaders } from './signature.ts';
import { findItemTarget, findTarget, type Target } from './subscription.sql.ts';

export interface AttemptDeps {
  db: Db;
  sender: Sender;
  seal: Seal;
  clock: DbClock;
}

export interface Attempted {
  exchange: Exchange;
  target: Target;
  headers: Record<string, string>;
}

export const targetOf = (db: Queryable, delivery: Delivery): Promise<Target | null> =>
  delivery.lane === 'items'
    ? findItemTarget(db, delivery.environmentId, delivery.kind)
    : findTarget(db, delivery.environmentId, delivery.subscriptionId!);

/** What `context.player` tells, when the subscription wants it. */
export async function playerContext(db: Queryable, environmentId: string, playerId: string) {
  const player = await findPlayer(db, environmentId, playerId);
  return {
    player_id: playerId,
    ...(player?.name != null && { name: player.name }),
    ...(player?.avatarUrl != null && { avatar_url: player.avatarUrl }),
    ...(player?.attributes != null && { attributes: player.attributes }),
  };
}

async function makeBody(db: Queryable, delivery: Delivery, target: Target): Promise<string> {
  const event = await findEvent(db, delivery.environmentId, delivery.eventId);
  const playerId = event!.data.player_id;
  const wanted = target.playerContextEnabled && typeof playerId === 'string';
  const body = eventBody({
    eventId: delivery.eventId,
    kind: delivery.kind,
    time: event!.createdAt,
    gameId: target.gameId,
    sandbox: target.mode === 'sandbox',
    idempotencyKey: delivery.idempotencyKey,
    data: event!.data,
    player: wanted ? await playerContext(db, delivery.environmentId, playerId) : null,
  });
  return updateDeliveryBody(db, delivery, body, target.subscriptionId);
}

export function secretsOf(seal: Seal, target: Target): { secret: string; previousSecret: string | null } {
  const { secretSealed, previousSecretSealed } = target;
  return {
    secret: secretSealed ? seal.open(secretSealed, target.subscriptionId) : seal.open(target.keySealed, target.keyId),
    previousSecret: previousSecretSealed ? seal.open(previousSecretSealed, target.subscriptionId) : null,
  };
}

/** One attempt over the wire. What came of it is for the caller to record. */
export async function attemptDelivery(deps: AttemptDeps, delivery: Delivery, target: Target): Promise<Attempted> {
  const body = delivery.body ?? (await makeBody(deps.db, delivery, target));
  const headers = signHeaders({
    body,
    timestampSeconds: deps.clock.nowSeconds(),
    idempotencyKey: delivery.idempotencyKey,
    attempt: delivery.attemptsMade,
    ...secretsOf(deps.seal, target),
  });
  const exchange = await deps.sender.send({ url: target.url, body, headers });
  return { exchange, target, headers };
}
