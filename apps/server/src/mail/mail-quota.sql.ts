import { type Queryable, sql } from '../db/statement.ts';

/** How many mails of a sender were counted today. */
export const findMailsOfToday = async (db: Queryable, sender: string): Promise<number> =>
  (await db.queryValue<number | null>(sql('mail_quota_find')`
    select sent from mail_quotas where day = (app_now() at time zone 'UTC')::date and sender = ${sender}`)) ?? 0;

/** Counts one more mail of a sender today, over all processes. Returns false when the quota of the day is used up. */
export const takeMailQuota = (db: Queryable, sender: string, most: number): Promise<boolean> =>
  db.queryAny(sql('mail_quota_take')`
    with old as (
      delete from mail_quotas where day < (app_now() at time zone 'UTC')::date
    )
    insert into mail_quotas (day, sender, sent) values ((app_now() at time zone 'UTC')::date, ${sender}, 1)
    on conflict (day, sender) do update set sent = mail_quotas.sent + 1 where mail_quotas.sent < ${most}
    returning sent`);
