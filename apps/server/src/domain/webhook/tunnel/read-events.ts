import type { EventRecord } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { newId } from '../../../kit/ids.ts';
import { type Environment, isSandbox } from '../../game/environment.ts';
import type { EventRow } from '../events/event-rows.sql.ts';
import { listEventsSince } from './event-list.sql.ts';

export const eventView = (environment: Environment, event: EventRow): EventRecord => ({
  event_id: event.id,
  event_type: event.kind,
  event_time: toUnixSeconds(event.createdAt),
  game_id: environment.gameId,
  sandbox: isSandbox(environment),
  order_id: event.orderId,
  test: event.test || event.kind === 'webhook.test',
  event_data: event.data,
});

/** Others may commit later than they named their event, or their clocks may be off, so each look goes this far back. */
const OVERLAP_MS = 30_000;
const BATCH = 500;
const TIME_CHARS = 'evt_'.length + 10;

/** The id that an event of this moment would begin with. */
const startOf = (timeMs: number): string => newId('evt', timeMs).slice(0, TIME_CHARS);

/** Gives every event once, in the order in which they are seen. */
export function createEventTail(db: Queryable, environmentId: string, sinceMs: number) {
  let from = startOf(sinceMs);
  let seen = new Set<string>();
  return {
    async look(nowMs: number): Promise<EventRow[]> {
      const found = await listEventsSince(db, environmentId, from, BATCH);
      const fresh = found.filter(({ id }) => !seen.has(id));
      // After a full page the next look reads on from its end; else the window moves on.
      const next = found.length === BATCH ? found.at(-1)!.id : startOf(nowMs - OVERLAP_MS);
      for (const { id } of fresh) seen.add(id);
      if (next > from) {
        from = next;
        seen = new Set([...seen].filter(id => id >= from));
      }
      return fresh;
    },
  };
}
