import { fragment, type Queryable, sql, sqlUnprepared } from '../../../db/statement.ts';

export interface PlayerFigures {
  playerId: string;
  orders: number;
  lastPaidAt: Date;
  spent: { currency: string; amount: number }[];
}

/** The statements below are planned again each time: on a small table the planner would keep to the primary key, and sort. */
const FIGURES = fragment`f.player_id as "playerId", f.orders, f.last_paid_at as "lastPaidAt",
  array(select json_build_object('currency', s.currency, 'amount', s.amount_minor) from player_spend s
        where s.environment_id = f.environment_id and s.player_id = f.player_id and s.amount_minor <> 0
        order by s.amount_minor desc) as spent`;

/** Where a page begins: below this value, and at the same value below this player. */
export interface After {
  value: number;
  playerId: string;
}

const FIRST: After = { value: Number.MAX_SAFE_INTEGER, playerId: '~' };
/** The end of the year 9999, the latest time that a page is compared with. */
const LAST_SECOND = 253_402_300_799;

export const listPlayersByOrders = (
  db: Queryable,
  environmentId: string,
  { value, playerId }: After = FIRST,
  limit: number,
): Promise<PlayerFigures[]> =>
  db.query(sqlUnprepared('report_list_players_by_orders')`
    select ${FIGURES} from player_figures f
    where f.environment_id = ${environmentId} and (f.orders, f.player_id) < (${value}::bigint, ${playerId})
    order by f.orders desc, f.player_id desc limit ${limit}`);

export const listPlayersByTime = (
  db: Queryable,
  environmentId: string,
  { value, playerId }: After = { ...FIRST, value: LAST_SECOND },
  limit: number,
): Promise<PlayerFigures[]> =>
  db.query(sqlUnprepared('report_list_players_by_time')`
    select ${FIGURES} from player_figures f
    where f.environment_id = ${environmentId} and (f.last_paid_at, f.player_id) < (to_timestamp(${value}::float8), ${playerId})
    order by f.last_paid_at desc, f.player_id desc limit ${limit}`);

export const listPlayersBySpend = (
  db: Queryable,
  environmentId: string,
  currency: string,
  { value, playerId }: After = FIRST,
  limit: number,
): Promise<PlayerFigures[]> =>
  db.query(sqlUnprepared('report_list_players_by_spend')`
    select ${FIGURES} from (
      select environment_id, player_id, amount_minor from player_spend
      where currency = ${currency} and environment_id = ${environmentId}
        and (amount_minor, player_id) < (${value}::bigint, ${playerId})
      order by amount_minor desc, player_id desc limit ${limit}) most
    join player_figures f on f.environment_id = most.environment_id and f.player_id = most.player_id
    order by most.amount_minor desc, f.player_id desc`);

export const listFiguresOf = (db: Queryable, environmentId: string, ids: string[]): Promise<PlayerFigures[]> =>
  db.query(sql('report_list_player_figures')`
    select ${FIGURES} from player_figures f
    where f.environment_id = ${environmentId} and f.player_id = any(${ids}::text[])`);

/** The currency in which the last purchase was made. */
export const findLastCurrency = (db: Queryable, environmentId: string): Promise<string | null> =>
  db.queryValue(sqlUnprepared('report_find_last_currency')`
    select (select s.currency from player_spend s
            where s.environment_id = f.environment_id and s.player_id = f.player_id order by s.amount_minor desc limit 1)
    from player_figures f where f.environment_id = ${environmentId} order by f.last_paid_at desc limit 1`);
