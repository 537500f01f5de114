import type { Role } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface CompanyAccess {
  companyId: string;
  companyName: string;
  requiresSecondFactor: boolean;
  role: Role;
}

/** Null for a company that does not exist and for one that is not the user's: the caller cannot tell them apart. */
export const findCompanyAccess = (db: Queryable, userId: string, companyId: string): Promise<CompanyAccess | null> =>
  db.queryOne(sql('access_find_company')`
    select c.id as "companyId", c.name as "companyName",
           c.requires_second_factor as "requiresSecondFactor", m.role
    from members m
    join companies c on c.id = m.company_id
    where m.company_id = ${companyId} and m.user_id = ${userId}`);
