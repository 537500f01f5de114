import { type Queryable, sql, words } from '../../../db/statement.ts';
import { ITEMS, type Item, PLAYERS, type Player } from '../../catalog/catalog.sql.ts';
import { paymentStatusesThatAre } from '../../payment/payment.ts';

const EARNED = words(paymentStatusesThatAre('earned'));

/** In the order of their ids, which is the only one that a table of any size has ready. */
export const listPlayers = (
  db: Queryable,
  environmentId: string,
  prefix: string,
  afterId: string,
  limit: number,
): Promise<Player[]> =>
  db.query(sql('report_list_players')`
    select ${PLAYERS.columns} from players
    where environment_id = ${environmentId} and player_id > ${afterId} and player_id >= ${prefix}
      and player_id < ${`${prefix}\u{10ffff}`}
    order by player_id limit ${limit}`);

export const listPlayersByEmail = (
  db: Queryable,
  environmentId: string,
  email: string,
  afterId: string,
  limit: number,
): Promise<Player[]> =>
  db.query(sql('report_list_players_by_email')`
    select ${PLAYERS.of('p')}
    from (select distinct environment_id, player_id from (
            select environment_id, player_id from payments
            where environment_id = ${environmentId} and lower(email) collate "C" = lower(${email}) and email is not null
              and stage <> 'open'
            order by id desc limit 1000) paid) found
    join players p on p.environment_id = found.environment_id and p.player_id = found.player_id
    where p.player_id > ${afterId}
    order by p.player_id limit ${limit}`);

export const listPlayersById = (db: Queryable, environmentId: string, ids: string[]): Promise<Player[]> =>
  db.query(sql('report_list_players_by_id')`
    select ${PLAYERS.columns} from players
    where environment_id = ${environmentId} and player_id = any(${ids}::text[])`);

/** Months as `2026-01`. */
export interface Cohort {
  first: string;
  bought: string;
}

/** Who bought first in one month, and in the other too; for the same month twice, all who bought first in it. */
export const listCohortPlayers = (
  db: Queryable,
  environmentId: string,
  { first, bought }: Cohort,
  afterId: string,
  limit: number,
): Promise<Player[]> =>
  db.query(sql('report_list_cohort_players')`
    select ${PLAYERS.of('p')}
    from buyer_months b
    join players p on p.environment_id = b.environment_id and p.player_id = b.player_id
    where b.environment_id = ${environmentId} and b.first_month = ${`${first}-01`}::date
      and b.month = ${`${bought}-01`}::date and b.player_id > ${afterId}
    order by b.player_id limit ${limit}`);

export interface Spent {
  currency: string;
  amountMinor: number;
  payments: number;
}

/** What is kept of the newest payments of a player, and how many were declined. */
export async function findPlayerSums(
  db: Queryable,
  environmentId: string,
  playerId: string,
): Promise<{ spent: Spent[]; declined: number }> {
  const rows = await db.query<Spent & { declined: number }>(sql('report_find_player_sums')`
    select currency, coalesce(sum(amount_minor) filter (where status in (${EARNED})), 0)::bigint as "amountMinor",
           count(*) filter (where status in (${EARNED}))::int as payments,
           count(*) filter (where status = 'declined')::int as declined
    from (select currency, amount_minor, status from payments
          where environment_id = ${environmentId} and player_id = ${playerId} order by id desc limit 1000) newest
    group by currency order by payments desc`);
  return {
    spent: rows
      .filter(({ payments }) => payments > 0)
      .map(({ currency, amountMinor, payments }) => ({ currency, amountMinor, payments })),
    declined: rows.reduce((sum, { declined }) => sum + declined, 0),
  };
}

export const listCatalog = (
  db: Queryable,
  environmentId: string,
  part: string | null,
  beforeId: string | null,
  limit: number,
): Promise<Item[]> =>
  db.query(sql('report_list_items')`
    select ${ITEMS.columns} from items
    where environment_id = ${environmentId} and (${beforeId}::text is null or id < ${beforeId})
      and (${part}::text is null or position(lower(${part}) in lower(sku)) > 0
           or position(lower(${part}) in lower(coalesce(name, ''))) > 0)
    order by id desc limit ${limit}`);
