import type { Queryable, Tx } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

export interface ProviderEvent {
  accountId: string;
  eventId: string;
  companyId: string | null;
  type: string;
  intentId: string | null;
  environmentId: string | null;
  paymentId: string | null;
  outcome: 'queued' | 'ignored';
}

/** False: it was here before. */
export const insertProviderEvent = (tx: Tx, it: ProviderEvent): Promise<boolean> =>
  tx.queryAny(sql('provider_event_insert')`
    insert into provider_events (account_id, event_id, company_id, type, intent_id, environment_id, payment_id, outcome,
                                 received_at)
    values (${it.accountId}, ${it.eventId}, ${it.companyId}, ${it.type}, ${it.intentId}, ${it.environmentId},
            ${it.paymentId}, ${it.outcome}, app_now())
    on conflict (account_id, event_id) do nothing
    returning event_id`);

/** Kept for as long as the provider might send one again, and a while longer for people who look. */
export async function deleteOldProviderEvents(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql('provider_event_delete_old')`
    delete from provider_events where (account_id, event_id) in (
      select account_id, event_id from provider_events
      where received_at <= app_now() - interval '90 days' order by received_at limit ${limit})
    returning event_id`);
  return rows.length;
}
