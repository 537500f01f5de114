import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { explaining } from '@coinslot/testing/explain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_IDS } from './index-scan.sql.ts';
import {
  findLastCurrency,
  listFiguresOf,
  listPlayersByOrders,
  listPlayersBySpend,
  listPlayersByTime,
} from './player-figures.sql.ts';
import { listPlayersNamed, listSearched } from './search.sql.ts';

/** Enough that reading all of it would show: each page holds some dozens. */
const ROWS = 20_000;
const MOST_PAGES = 700;

let database: TestDatabase;

const run = (text: string) => database.db.query({ name: '', text, values: [] });

beforeAll(async () => {
  database = await testDatabase();
  await run(`insert into search_postings (environment_id, kind, term, bucket, batch, ids, count)
    select 'env_a', 'last4', lpad((n % 3)::text, 4, '0'), left(id, 12), n / 1000, array_agg(id), count(*)
    from (select n, 'pay_' || lpad(n::text, 9, '0') as id from generate_series(1, ${ROWS}) n) p group by 3, 4, 5`);
  await run(`insert into search_entries (environment_id, kind, term, id)
    select 'env_a', k.kind, k.word || n, 'player_' || n
    from generate_series(1, ${ROWS}) n cross join (values ('name', 'ada'), ('email', 'mail')) k (kind, word)`);
  await run(`insert into player_figures (environment_id, player_id, orders, last_paid_at)
    select 'env_' || case n % 2 when 0 then 'a' else 'b' end, 'player_' || n, n % 40, to_timestamp(1700000000 + n)
    from generate_series(1, ${ROWS}) n`);
  await run(`insert into player_spend (environment_id, player_id, currency, amount_minor)
    select environment_id, player_id, case when orders % 4 = 0 then 'USD' else 'EUR' end, orders * 100 from player_figures`);
});

afterAll(() => database?.drop());

it.each([
  ['before statistics', null],
  ['with statistics', 'analyze search_postings, search_entries, player_figures, player_spend'],
] as const)('what the search box and the sorted players ask is answered from an index, %s', async (_when, analyze) => {
  if (analyze) await run(analyze);
  const { db, plans } = explaining(database.db);
  await db.transaction(async explained => {
    // Statements that are planned again each time have no name, under which their plan could be noted.
    let unnamed = 0;
    const tx: typeof explained = {
      ...explained,
      query: statement => explained.query({ ...statement, name: statement.name || `unnamed_${unnamed++}` }),
    };
    expect((await listSearched(tx, 'env_a', 'last4', ['0001'], ALL_IDS)).ids).toHaveLength(500);
    expect(await listPlayersNamed(tx, 'env_a', 'ADA777')).toHaveLength(11);
    expect(await listPlayersNamed(tx, 'env_a', 'mail19999')).toEqual(['player_19999']);
    expect((await listPlayersByOrders(tx, 'env_a', undefined, 20))[0]).toMatchObject({ orders: 38 });
    expect((await listPlayersByTime(tx, 'env_a', undefined, 20))[0]).toMatchObject({ playerId: 'player_20000' });
    expect((await listPlayersBySpend(tx, 'env_a', 'USD', undefined, 20))[0]?.spent).toEqual([
      { currency: 'USD', amount: 3_600 },
    ]);
    expect(await listFiguresOf(tx, 'env_a', ['player_2'])).toHaveLength(1);
    expect(await findLastCurrency(explained, 'env_a')).toMatch(/^(?:USD|EUR)$/);
  });
  expect(plans.size).toBeGreaterThanOrEqual(6);
  for (const [name, { text, pages }] of plans) {
    expect.soft(text, name).not.toMatch(/Seq Scan/);
    expect.soft(pages, `${name}\n${text}`).toBeLessThan(MOST_PAGES);
  }
});

it('a page of sorted players goes on where the last ended, and no other environment’s are among them', async () => {
  const seen: string[] = [];
  let after: { value: number; playerId: string } | undefined;
  for (let page = 0; page < 3; page++) {
    const rows = await listPlayersByOrders(database.db, 'env_b', after, 20);
    seen.push(...rows.map(({ playerId }) => playerId));
    const last = rows.at(-1)!;
    after = { value: last.orders, playerId: last.playerId };
  }
  expect(new Set(seen).size).toBe(60);
  expect(seen.every(id => Number(id.slice(7)) % 2 === 1)).toBe(true);
});

it('pages of what is found behind terms have each id once, newest first, however its rows overlap', async () => {
  // Two items; each second of a busy hour in several rounds of the reader, and some rounds of hundreds.
  await run(`insert into search_postings (environment_id, kind, term, bucket, batch, ids, count)
    select 'env_p', 'sku', term, left(id, 12), batch, array_agg(id), count(*) from (
      select case when n % 7 = 0 then 'rare' else 'common' end as term, 'ord_' || lpad(n::text, 11, '0') as id, hashtext(n::text) % 3 as batch
      from generate_series(1, 20000) n where n < 12000 or n > 14500) o group by 3, 4, 5`);
  const seen: string[] = [];
  let below = ALL_IDS.below;
  for (let pages = 0; pages < 100; pages++) {
    const { ids, stoppedAt } = await listSearched(database.db, 'env_p', 'sku', ['rare', 'common'], {
      below,
      from: 'ord_00000000900',
    });
    seen.push(...ids);
    if (stoppedAt === null) break;
    below = stoppedAt;
  }
  const expected = Array.from({ length: 20_000 }, (_, i) => 20_000 - i)
    .filter(n => (n < 12_000 || n > 14_500) && n >= 900)
    .map(n => `ord_${String(n).padStart(11, '0')}`);
  expect(seen).toEqual(expected);
});
