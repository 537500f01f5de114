import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface OwnerToNotify {
  email: string;
  locale: string | null;
  companyName: string;
}

/** The owners of the company, or of every company of the user whose own account was changed. */
export const listOwnersToNotify = (
  db: Queryable,
  { companyId, userId }: { companyId: string | null; userId: string | null },
): Promise<OwnerToNotify[]> =>
  db.query(sql('owner_list_to_notify')`
    select u.email, u.locale, string_agg(c.name, ', ' order by c.id) as "companyName"
    from members m
    join users u on u.id = m.user_id
    join companies c on c.id = m.company_id
    where m.role = 'owner'
      and (m.company_id = ${companyId} or ${companyId}::text is null
           and m.company_id in (select company_id from members where user_id = ${userId}))
    group by u.id, u.email, u.locale
    order by u.email limit 100`);
