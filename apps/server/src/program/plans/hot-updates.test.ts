import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';

let shop: TestProgram;
let game: Game;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame();
  game.answerAlways({ status: 200 });
  for (const events of [['item.add', 'item.remove'], ['payment.*']]) {
    await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events });
  }
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

interface Updates {
  name: string;
  updates: number;
  hot: number;
}

/** Sessions report what they did when they are idle; with `force` at their next statement. */
async function readUpdates(): Promise<Map<string, Updates>> {
  const { db } = shop.database;
  await db.query(sql('test_stats_flush')`select pg_stat_force_next_flush()`);
  const rows = await db.query<Updates>(sql('test_stats')`
    select regexp_replace(relname, '_[0-9]{6}$', '') as name, sum(n_tup_upd)::int as updates, sum(n_tup_hot_upd)::int as hot
    from pg_stat_user_tables group by 1`);
  return new Map(rows.map(row => [row.name, row]));
}

const COUNT = 24;
const ROUNDS = 4;
const NAMES = ['payments', 'orders', 'deliveries_observer'] as const;
/** How many deliveries find room in their page depends on which came before them. */
const LEAST = [0.4, 0.4, 0.2];

/** Pays for some orders, and answers which part of all updates stayed in their page. */
async function sharesAfter(round: number): Promise<number[]> {
  for (let n = 0; n < COUNT; n++) await shop.pay((await shop.createOrder()).checkout_url);
  await shop.later(0);
  const least = [2, 1, 2].map(times => times * COUNT * round);
  const reported = async (): Promise<boolean> => {
    const updates = await readUpdates();
    return NAMES.every((name, at) => (updates.get(name)?.updates ?? 0) >= least[at]!);
  };
  await expect.poll(reported, { interval: 200 }).toBe(true);
  const updates = await readUpdates();
  return NAMES.map(name => updates.get(name)!.hot / updates.get(name)!.updates);
}

it('a step of a whole order that is not its last is written into the page where the row is', async () => {
  let shares: number[] = [];
  const isEnough = (): boolean => LEAST.every((least, at) => shares[at]! >= least);
  // What another session still reads keeps its place in the page, so a round may find none.
  for (let round = 1; round <= ROUNDS && !isEnough(); round++) shares = await sharesAfter(round);
  expect([shares, isEnough()]).toEqual([shares, true]);
});
