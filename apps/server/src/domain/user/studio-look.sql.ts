import { type Queryable, sql } from '../../db/statement.ts';
import { emailKey } from '../../kit/email.ts';
import type { MailLook } from '../../mail/mail-content.ts';

interface Reader {
  email: string;
  userId: string | null;
  /** Null: that of the only company of the user. A member of several companies gets the default look. */
  companyId: string | null;
}

/** How the first game of a member's company looks. Only for a member whose address was proven. */
export const findLookForUser = (db: Queryable, { email, userId, companyId }: Reader): Promise<MailLook | null> =>
  db.queryOne(sql('studio_look_find')`
    select g.icon_url as "iconUrl", g.logo_url as "logoUrl", g.accent_color as "accentColor"
    from users u
    join members m on m.user_id = u.id
    join games g on g.company_id = m.company_id
    where (u.email_key = ${emailKey(email)} or u.id = ${userId}) and u.email_verified_at is not null
      and (m.company_id = ${companyId}
           or ${companyId}::text is null and not exists (
             select from members other where other.user_id = u.id and other.company_id <> m.company_id))
    order by g.id limit 1`);

export const findAccent = (db: Queryable, companyId: string): Promise<string | null> =>
  db.queryValue(sql('studio_look_find_accent')`
    select accent_color from games where company_id = ${companyId} order by id limit 1`);
