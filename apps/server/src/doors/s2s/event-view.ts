import type { EventRecord } from '@coinslot/contract';
import { type Environment, isSandbox } from '../../domain/game/environment.ts';
import type { ListedEvent } from '../../domain/webhook/listen/event-list.sql.ts';
import { toUnixSeconds } from '../../kit/clock.ts';

export const eventView = (environment: Environment, event: ListedEvent): EventRecord => ({
  event_id: event.id,
  event_type: event.kind,
  event_time: toUnixSeconds(event.createdAt),
  game_id: environment.gameId,
  sandbox: isSandbox(environment),
  order_id: event.orderId,
  test: event.test || event.kind === 'webhook.test',
  event_data: event.data,
});
