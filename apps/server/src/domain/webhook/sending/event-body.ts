import type { EventKind, PlayerInput } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { findPlayer } from '../../catalog/catalog.sql.ts';
import { isSandbox, type Mode } from '../../game/environment.ts';

/** The player of an event, for a subscription that asked for the facts. */
type PlayerFacts = ({ player_id: string } & PlayerInput) | null;

/** The bytes of an event for one receiver. The signature and every attempt use exactly these. */
export const bodyFor = (
  event: { id: string; kind: EventKind; createdAt: Date; data: unknown },
  receiver: { gameId: string; mode: Mode },
  idempotencyKey: string,
  player: PlayerFacts,
): string =>
  JSON.stringify({
    event_id: event.id,
    event_type: event.kind,
    event_time: toUnixSeconds(event.createdAt),
    game_id: receiver.gameId,
    sandbox: isSandbox(receiver),
    idempotency_key: idempotencyKey,
    event_data: event.data,
    ...(player && { context: { player } }),
  });

/** What `context.player` holds, for a subscription that asked for it; null when the event has no player. */
export async function playerContext(
  db: Queryable,
  { environmentId, data }: { environmentId: string; data: Record<string, unknown> },
): Promise<PlayerFacts> {
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
