import type { PlayerDetail, PlayerLine, PlayerSort } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import type { Player } from '../../catalog/catalog.sql.ts';
import { playerView } from '../../catalog/catalog-views.ts';
import { readPlayer } from '../../catalog/manage-items.ts';
import type { Environment } from '../../game/environment.ts';
import { orderView } from '../../order/order-view.ts';
import { paymentViews } from '../../payment/payment-view.ts';
import type { Shop } from '../../shop.ts';
import { listPaymentsOfPlayer } from '../timeline/timeline.sql.ts';
import {
  type Cohort,
  findPlayerSums,
  listCohortPlayers,
  listPlayers,
  listPlayersByEmail,
  listPlayersById,
} from './catalog.sql.ts';
import { orderList } from './orders.ts';
import {
  type After,
  findLastCurrency,
  listFiguresOf,
  listPlayersByOrders,
  listPlayersBySpend,
  listPlayersByTime,
  type PlayerFigures,
} from './player-figures.sql.ts';
import { listPlayersNamed } from './search.sql.ts';

const NEWEST = 20;

/** A player with what they bought; null for one who bought nothing. */
export interface ListedPlayer {
  player: Player;
  figures: PlayerFigures | null;
  /** Where the next page begins. */
  cursor: string;
}

/** By the beginning of the id, of a name or one of its words, or of an e-mail address; in the order of their ids. */
async function listFoundPlayers(
  db: Queryable,
  environmentId: string,
  q: string,
  after: string,
  limit: number,
): Promise<Player[]> {
  const byId = await listPlayers(db, environmentId, q, after, limit);
  if (q === '') return byId;
  const [named, paid] = await Promise.all([
    listPlayersNamed(db, environmentId, q),
    q.includes('@') ? listPlayersByEmail(db, environmentId, q, after, limit) : [],
  ]);
  const found = await listPlayersById(
    db,
    environmentId,
    named.filter(id => id > after),
  );
  const players = new Map([...byId, ...paid, ...found].map(player => [player.playerId, player]));
  return [...players.values()].toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1)).slice(0, limit);
}

const afterOf = (cursor: string | null): After | undefined => {
  if (cursor === null) return undefined;
  const at = cursor.indexOf(' ');
  return { value: Number(cursor.slice(0, at)), playerId: cursor.slice(at + 1) };
};

interface PlayersQuery {
  /** In the order of ids, whatever else is asked for. */
  cohort: Cohort | null;
  q: string;
  sort: PlayerSort;
  currency: string | null;
}

/** Those who bought most, most often or last. */
async function listBuyers(
  db: Queryable,
  environmentId: string,
  { sort, currency }: PlayersQuery,
  after: After | undefined,
  limit: number,
): Promise<ListedPlayer[]> {
  const spentIn = currency ?? (sort === 'spent' ? await findLastCurrency(db, environmentId) : null) ?? '';
  const figures =
    sort === 'orders'
      ? await listPlayersByOrders(db, environmentId, after, limit)
      : sort === 'spent'
        ? await listPlayersBySpend(db, environmentId, spentIn, after, limit)
        : await listPlayersByTime(db, environmentId, after, limit);
  const known = await listPlayersById(
    db,
    environmentId,
    figures.map(({ playerId }) => playerId),
  );
  const sortedBy = ({ orders, lastPaidAt, spent }: PlayerFigures): number =>
    sort === 'orders'
      ? orders
      : sort === 'spent'
        ? (spent.find(one => one.currency === spentIn)?.amount ?? 0)
        : toUnixSeconds(lastPaidAt);
  return figures.flatMap(one => {
    const player = known.find(({ playerId }) => playerId === one.playerId);
    return player ? [{ player, figures: one, cursor: `${sortedBy(one)} ${one.playerId}` }] : [];
  });
}

/** A search comes in the order of ids, whatever the list is sorted by. */
export async function searchPlayers(
  db: Queryable,
  environmentId: string,
  query: PlayersQuery,
  after: string | null,
  limit: number,
): Promise<ListedPlayer[]> {
  if (query.sort !== 'id' && query.q === '' && query.cohort === null)
    return listBuyers(db, environmentId, query, afterOf(after), limit);
  const players = await (query.cohort === null
    ? listFoundPlayers(db, environmentId, query.q, after ?? '', limit)
    : listCohortPlayers(db, environmentId, query.cohort, after ?? '', limit));
  const ids = players.map(({ playerId }) => playerId);
  const figures = new Map((await listFiguresOf(db, environmentId, ids)).map(one => [one.playerId, one]));
  return players.map(player => ({
    player,
    figures: figures.get(player.playerId) ?? null,
    cursor: player.playerId,
  }));
}

export const playerLine = (environment: Environment, { player, figures }: ListedPlayer): PlayerLine => ({
  ...playerView(environment, player),
  orders: figures?.orders ?? 0,
  spent: figures?.spent ?? [],
  last_purchase_at: figures ? toUnixSeconds(figures.lastPaidAt) : null,
});

export async function readPlayerDetail(
  { db, checkoutUrlOf }: Shop,
  environment: Environment,
  playerId: string,
): Promise<PlayerDetail> {
  const player = await readPlayer(db, environment.id, playerId);
  const [sums, payments, orders] = await Promise.all([
    findPlayerSums(db, environment.id, playerId),
    listPaymentsOfPlayer(db, environment.id, playerId, NEWEST),
    orderList.page(db, environment.id, { player_id: playerId }, { before: null, limit: NEWEST }),
  ]);
  return {
    player: playerView(environment, player),
    spent: sums.spent.map(({ currency, amountMinor, payments: count }) => ({
      currency,
      amount: amountMinor,
      payments: count,
    })),
    declined: sums.declined,
    payments: await paymentViews(db, environment, payments),
    orders: orders.rows.map(found => orderView(environment, found, checkoutUrlOf)),
  };
}
