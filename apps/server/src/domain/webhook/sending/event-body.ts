import type { EventKind, PlayerInput } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { findPlayer } from '../../catalog/catalog.sql.ts';

export interface EventBodyFacts {
  eventId: string;
  kind: EventKind;
  time: Date;
  gameId: string;
  sandbox: boolean;
  idempotencyKey: string;
  data: unknown;
  /** Given when the subscription asked for it and the event has a player. */
  player: ({ player_id: string } & PlayerInput) | null;
}

interface Receiver {
  gameId: string;
  mode: 'live' | 'sandbox';
}

/** The bytes of a stored event for one receiver. */
export const bodyFor = (
  event: { id: string; kind: EventKind; createdAt: Date; data: unknown },
  receiver: Receiver,
  idempotencyKey: string,
  player: EventBodyFacts['player'],
): string =>
  eventBody({
    eventId: event.id,
    kind: event.kind,
    time: event.createdAt,
    gameId: receiver.gameId,
    sandbox: receiver.mode === 'sandbox',
    idempotencyKey,
    data: event.data,
    player,
  });

/** The bytes of a webhook. Made once; the signature and every attempt use exactly these. */
export const eventBody = (facts: EventBodyFacts): string =>
  JSON.stringify({
    event_id: facts.eventId,
    event_type: facts.kind,
    event_time: toUnixSeconds(facts.time),
    game_id: facts.gameId,
    sandbox: facts.sandbox,
    idempotency_key: facts.idempotencyKey,
    event_data: facts.data,
    ...(facts.player && { context: { player: facts.player } }),
  });

/** What `context.player` holds, for a subscription that asked for it; null when the event has no player. */
export async function playerContext(
  db: Queryable,
  { environmentId, data }: { environmentId: string; data: Record<string, unknown> },
): Promise<EventBodyFacts['player']> {
  const playerId = data.player_id;
  if (typeof playerId !== 'string') return null;
  const player = await findPlayer(db, environmentId, playerId);
  return {
    player_id: playerId,
    ...(player?.name != null && { name: player.name }),
    ...(player?.avatarUrl != null && { avatar_url: player.avatarUrl }),
    ...(player?.attributes != null && { attributes: player.attributes }),
  };
}
