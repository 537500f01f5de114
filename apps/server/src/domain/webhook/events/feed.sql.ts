import type { NumberedTable } from '../../../db/read-numbered.sql.ts';
import { type Queryable, sql } from '../../../db/statement.ts';
import { EVENT_COLUMNS, type EventRow, readEvents } from './event-rows.sql.ts';

/** Creations are read from the orders: as events they are stored only while a webhook observes them. */
export const FEED_TABLES: NumberedTable = {
  tables: ['events', 'orders'],
  newest: sql('feed_find_newest')`
    select greatest((select seq from events where type <> 'order.created' or test order by seq desc limit 1),
                    (select seq from orders order by seq desc limit 1)) as seq`,
};

/** Up to here both roll-ups have read, or a month was removed, so no row below this number is still to come. */
export const findReadByAll = (db: Queryable): Promise<number> =>
  db.queryValue(sql('feed_find_read')`
    select greatest((select min(seq) from reader_positions where name in ('figures', 'orders')),
                    (select removed_seq from time_partitions where kind = 'events')) as seq`);

/** The highest number of an event that is no longer kept; 0 while all are there. */
export const findRemovedSeq = (db: Queryable): Promise<number> =>
  db.queryValue(sql('feed_find_removed')`
    select removed_seq as seq from time_partitions where kind = 'events'`);

export type FeedEvent = EventRow & { seq: number };

export interface FeedSpan {
  /** Read are the numbers above this one, up to and with `upTo`. */
  after: number;
  upTo: number;
  limit: number;
}

/** What the numbers of a span are in one environment. The span bounds what is read, so other environments cost little. */
export const listFeedEvents = (db: Queryable, environmentId: string, span: FeedSpan): Promise<FeedEvent[]> =>
  readEvents(
    db.query(sql('feed_list')`
      select ${EVENT_COLUMNS}, e.seq from (
        select n.environment_id, n.id, n.type, n.order_id, n.data, n.test, n.created_at, n.seq from (
          select environment_id, id, type, order_id, data, test, created_at, seq from events
          where seq > ${span.after} and seq <= ${span.upTo} and (type <> 'order.created' or test)
          union all
          select environment_id, 'evt_' || substr(id, 5), 'order.created', id, '{}', false, created_at, seq from orders
          where seq > ${span.after} and seq <= ${span.upTo}
        ) n
        where n.environment_id = ${environmentId} order by n.seq limit ${span.limit}
      ) e order by e.seq`),
  ) as Promise<FeedEvent[]>;
