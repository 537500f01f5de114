import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface ServerFacts {
  version: string;
  major: number;
  fsync: string;
  synchronousCommit: string;
  maxConnections: number;
}

export const findServerFacts = (db: Queryable): Promise<ServerFacts> =>
  db.queryFirst(sql('doctor_find_server')`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('max_connections')::int as "maxConnections"`);

export interface UnreachedGame {
  name: string;
  environmentId: string;
}

/** Lists live games that have orders and no endpoint that takes items. */
export const listGamesWithoutEndpoint = (db: Queryable): Promise<UnreachedGame[]> =>
  db.query<UnreachedGame>(sql('doctor_list_games_without_endpoint')`
    select g.name, e.id as "environmentId" from environments e join games g on g.id = e.game_id
    where e.mode = 'live' and exists (select 1 from orders o where o.environment_id = e.id)
      and not exists (select 1 from webhook_subscriptions s
                      where s.environment_id = e.id and s.enabled and s.takes_items and s.listening_until is null)
    order by e.id limit 20`);
