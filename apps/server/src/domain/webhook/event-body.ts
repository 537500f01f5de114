import type { EventKind, PlayerInput } from '@coinslot/contract';
import { toUnixSeconds } from '../../kit/clock.ts';

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
