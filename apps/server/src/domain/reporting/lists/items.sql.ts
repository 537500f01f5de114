import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { ITEMS, type Item } from '../../catalog/catalog.sql.ts';

export const listCatalog = (
  db: Queryable,
  environmentId: string,
  part: string | null,
  beforeId: string | null,
  limit: number,
): Promise<Item[]> =>
  db.query(sql('report_list_items')`
    select ${ITEMS.columns} from items
    where environment_id = ${environmentId} and (${beforeId}::text is null or id < ${beforeId})
      and (${part}::text is null or position(lower(${part}) in lower(sku)) > 0
           or position(lower(${part}) in lower(coalesce(name, ''))) > 0)
    order by id desc limit ${limit}`);
