import { type Queryable, type RowOf, sql, type Tx, table, typed } from '../../../db/statement.ts';

const PROVIDER_EVENTS = table('provider_events', {
  accountId: 'text',
  eventId: 'text',
  companyId: 'text?',
  type: 'text',
  intentId: 'text?',
  environmentId: 'text?',
  paymentId: 'text?',
  outcome: typed<'queued' | 'ignored'>('text'),
});

export type ProviderEvent = RowOf<typeof PROVIDER_EVENTS>;

/** False: it was here before. */
export const insertProviderEvent = (tx: Tx, it: ProviderEvent): Promise<boolean> =>
  tx.queryAny(sql('provider_event_insert')`
    insert into provider_events (${PROVIDER_EVENTS.names}, received_at) values (${PROVIDER_EVENTS.values(it)}, app_now())
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
