import type { Role } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface CompanyOfUser {
  id: string;
  name: string;
  role: Role;
  games: { id: string; name: string; icon_url: string | null }[];
}

/** What the switcher shows, in one read. */
export const listCompaniesOfUser = (db: Queryable, userId: string): Promise<CompanyOfUser[]> =>
  db.query(sql('company_list_of_user')`
    select c.id, c.name, m.role,
           coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'icon_url', g.icon_url) order by g.id)
                     from games g where g.company_id = c.id), '[]') as games
    from members m
    join companies c on c.id = m.company_id
    where m.user_id = ${userId}
    order by c.id`);
