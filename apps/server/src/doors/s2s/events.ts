import * as contract from '@coinslot/contract';
import type { Environment } from '../../domain/game/environment.ts';
import { feedCursor } from '../../domain/webhook/events/feed-cursor.ts';
import { readFeed } from '../../domain/webhook/events/read-feed.ts';
import { listEvents } from '../../domain/webhook/tunnel/event-list.sql.ts';
import { eventView } from '../../domain/webhook/tunnel/read-events.ts';
import { fromUnix, limitOf, pageOf } from '../../http/paging.ts';
import { assertNoIssues } from '../../kit/app-error.ts';
import type { S2sMount, S2sShop } from './s2s-shop.ts';

type EventQuery = contract.QueryOf<typeof contract.listEvents>;
type EventPage = contract.ResponseOf<typeof contract.listEvents>;

/** What the list takes; the feed has every event. */
const LIST_ONLY = ['cursor', 'event_type', 'order_id', 'created_from', 'created_to'] as const;

const listPage = (shop: S2sShop, environment: Environment, query: EventQuery): Promise<EventPage> =>
  pageOf(
    query,
    'evt',
    (beforeId, limit) =>
      listEvents(shop.db, environment.id, {
        kind: query.event_type ?? null,
        orderId: query.order_id ?? null,
        createdFrom: fromUnix(query.created_from),
        createdTo: fromUnix(query.created_to),
        beforeId,
        limit,
      }),
    rows => rows.map(event => eventView(environment, event)),
  );

async function feedPage(shop: S2sShop, environment: Environment, query: EventQuery, after: string): Promise<EventPage> {
  const message = 'The feed cannot be filtered: leave it out, or leave `after` out.';
  const given = LIST_ONLY.filter(name => query[name] !== undefined);
  assertNoIssues(...given.map(name => ({ pointer: `/${name}`, code: 'one_of' as const, message })));
  const { events, upTo, hasMore } = await readFeed(shop, environment.id, { after, limit: limitOf(query) });
  return {
    data: events.map(event => ({
      ...eventView(environment, event),
      cursor: feedCursor(shop.seal, environment.id, event.seq),
    })),
    next_cursor: feedCursor(shop.seal, environment.id, upTo),
    has_more: hasMore,
  };
}

export const mountEvents = (mount: S2sMount, shop: S2sShop): void =>
  mount(contract.listEvents, ({ query, context: { environment } }) =>
    query.after === undefined ? listPage(shop, environment, query) : feedPage(shop, environment, query, query.after),
  );
