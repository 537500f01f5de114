import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { findLosses } from './oracle.ts';
import { startLoad } from './players.ts';
import { APPLICATION_NAME } from './program-process.ts';
import { seededRandom } from './seeded-random.ts';
import { openShop, PAST_ALL_LEASES_SECONDS, type Shop } from './shop.ts';

const CUTS = 8;
const LONGEST_MS = 200_000;
const ORDERS_BETWEEN_CUTS = 12;

let shop: Shop | undefined;
afterEach(() => shop?.close());

test(
  '44: connections cut again and again in the middle of everything lose nothing',
  async () => {
    shop = await openShop();
    const { fleet, game, database, key } = shop;
    const program = fleet.start(0);
    await shop.register();
    const random = seededRandom(44);
    const load = startLoad(24, { url: () => fleet.url(), key, random, maxOrders: 2_000 });
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    let cut = 0;
    for (let round = 1; round <= CUTS; round++) {
      await load.untilOrders(round * ORDERS_BETWEEN_CUTS);
      const { rowCount } = await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
        [APPLICATION_NAME],
      );
      cut += rowCount ?? 0;
      await database.advance(PAST_ALL_LEASES_SECONDS);
    }
    await admin.end();
    await load.stop();

    expect(await shop.settle()).toEqual([]);
    expect(await findLosses(database.db, game, load.promised)).toEqual([]);
    expect(load.surprises).toEqual([]);
    expect(cut).toBeGreaterThan(CUTS);
    expect(program.hasEnded).toBe(false);
  },
  LONGEST_MS,
);
