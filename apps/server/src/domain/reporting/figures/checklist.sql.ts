import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

/** When each of the first steps really happened; null for what did not. */
export interface Checklist {
  orderCreatedAt: Date | null;
  orderPaidAt: Date | null;
  webhookAddedAt: Date | null;
  itemGrantedAt: Date | null;
  sellerCompleteAt: Date | null;
}

/** Each reads the first row of an index, however much has happened since. */
export const findChecklist = (db: Queryable, environmentId: string): Promise<Checklist> =>
  db.queryFirst(sql('checklist_find')`
    select
      (select created_at from orders where environment_id = ${environmentId} order by id limit 1) as "orderCreatedAt",
      (select p.authorized_at from payments p
       where p.environment_id = ${environmentId} and p.authorized_at is not null
       order by p.id limit 1) as "orderPaidAt",
      (select created_at from webhook_subscriptions
       where environment_id = ${environmentId} and takes_items and listening_until is null
       order by id limit 1) as "webhookAddedAt",
      (select d.finished_at from deliveries d
       where d.environment_id = ${environmentId} and d.lane = 'items' and d.event_type = 'item.add' and d.status = 'succeeded'
       order by d.id limit 1) as "itemGrantedAt",
      (select c.seller_complete_at from companies c
       join games g on g.company_id = c.id
       join environments e on e.game_id = g.id
       where e.id = ${environmentId}) as "sellerCompleteAt"`);
