import { givenRows, type Queryable, type RowOf, sql, table } from '../../../db/statement.ts';

const REQUEST_LOG = table('request_log', {
  environmentId: 'text',
  keyId: 'text',
  id: 'text',
  method: 'text',
  path: 'text',
  status: 'int',
  code: 'text?',
  detail: 'text?',
  durationMs: 'int',
});

export type LoggedRequest = RowOf<typeof REQUEST_LOG>;

export const insertRequests = (db: Queryable, rows: readonly LoggedRequest[]): Promise<void> =>
  db.execute(sql('request_log_insert')`
    insert into request_log (${REQUEST_LOG.names}, created_at)
    select ${REQUEST_LOG.names}, app_now() from ${givenRows<LoggedRequest>(REQUEST_LOG.types, rows)} as t
    on conflict do nothing`);

/** All but the newest of one key. */
export const deleteOldRequestsOfKey = (
  db: Queryable,
  { environmentId, keyId }: Pick<LoggedRequest, 'environmentId' | 'keyId'>,
  kept: number,
): Promise<void> =>
  db.execute(sql('request_log_delete_of_key')`
    delete from request_log where environment_id = ${environmentId} and key_id = ${keyId} and id <= (
      select id from request_log where environment_id = ${environmentId} and key_id = ${keyId}
      order by id desc offset ${kept} limit 1)`);

/** Of every key. Answers how many. */
export async function deleteOldRequests(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql('request_log_delete_old')`
    delete from request_log where (environment_id, key_id, id) in (
      select environment_id, key_id, id from request_log where created_at < app_now() - interval '1 day'
      order by created_at limit ${limit})
    returning id`);
  return rows.length;
}

export interface RequestFilter {
  onlyErrors: boolean;
  beforeId: string | null;
  limit: number;
}

export const listRequests = (
  db: Queryable,
  { environmentId, keyId }: Pick<LoggedRequest, 'environmentId' | 'keyId'>,
  { onlyErrors, beforeId, limit }: RequestFilter,
): Promise<(LoggedRequest & { createdAt: Date })[]> =>
  db.query(sql('request_log_list')`
    select environment_id as "environmentId", key_id as "keyId", id, method, path, status, code, detail,
           duration_ms as "durationMs", created_at as "createdAt"
    from request_log
    where environment_id = ${environmentId} and key_id = ${keyId}
      and (not ${onlyErrors}::boolean or status >= 400) and (${beforeId}::text is null or id < ${beforeId})
    order by id desc limit ${limit}`);
