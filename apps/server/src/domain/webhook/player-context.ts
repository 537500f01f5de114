import type { Queryable } from '../../db/db.ts';
import { findPlayer } from '../catalog/catalog.sql.ts';
import type { EventBodyFacts } from './event-body.ts';

/** What `context.player` tells, for a subscription that wants it; null when the event has no player. */
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
