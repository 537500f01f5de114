import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

export interface LoggedRequest {
  environmentId: string;
  keyId: string;
  id: string;
  method: string;
  path: string;
  status: number;
  code: string | null;
  detail: string | null;
  durationMs: number;
}

export async function insertRequests(db: Queryable, rows: readonly LoggedRequest[]): Promise<void> {
  await db.query(sql('request_log_insert')`
    insert into request_log (environment_id, key_id, id, method, path, status, code, detail, duration_ms, created_at)
    select r.environment_id, r.key_id, r.id, r.method, r.path, r.status, r.code, r.detail, r.duration_ms, app_now()
    from unnest(${rows.map(it => it.environmentId)}::text[], ${rows.map(it => it.keyId)}::text[],
                ${rows.map(it => it.id)}::text[], ${rows.map(it => it.method)}::text[], ${rows.map(it => it.path)}::text[],
                ${rows.map(it => it.status)}::int[], ${rows.map(it => it.code)}::text[],
                ${rows.map(it => it.detail)}::text[], ${rows.map(it => it.durationMs)}::int[])
      as r (environment_id, key_id, id, method, path, status, code, detail, duration_ms)
    on conflict do nothing`);
}

/** All but the newest of one key. */
export async function deleteOldRequestsOfKey(
  db: Queryable,
  { environmentId, keyId }: Pick<LoggedRequest, 'environmentId' | 'keyId'>,
  kept: number,
): Promise<void> {
  await db.query(sql('request_log_delete_of_key')`
    delete from request_log where environment_id = ${environmentId} and key_id = ${keyId} and id <= (
      select id from request_log where environment_id = ${environmentId} and key_id = ${keyId}
      order by id desc offset ${kept} limit 1)`);
}

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
