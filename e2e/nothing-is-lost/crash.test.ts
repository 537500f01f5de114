import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { findLosses } from './oracle.ts';
import { startLoad } from './players.ts';
import { seededRandom } from './seeded-random.ts';
import { openShop, PAST_ALL_LEASES_SECONDS, type Shop } from './shop.ts';

const CALLS = ['authorize', 'capture', 'void', 'refund', 'look up', 'answer of a challenge'];
const DELIVERIES = ['delivery of item.add', 'delivery of item.remove', 'delivery to an observer'];
/** Struck first, and without fail. All others are commits, found by watching the program work. */
const MUST_STRIKE = [...CALLS, ...DELIVERIES].flatMap(what => [`before ${what}`, `after ${what}`]);

/** Commits that no player brings about: setting up, and a sweep that comes once a minute. */
const NOT_BY_PLAYERS = /webhook_insert|s2s_key|idempotency_key_delete/;

const PLAYERS = 24;
const MAX_ORDERS = 3_000;
const RANDOM_KILLS = 6;
const ORDERS_TO_LEARN_FROM = 80;
const PATIENCE_MS = 10_000;

let shop: Shop | undefined;
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

/** True when the program died by itself, that is, at its point. */
async function strike({ fleet, database }: Shop, place: number, point: string, passing: number): Promise<boolean> {
  const victim = fleet.start(place, { point, passing });
  const patience = new AbortController();
  const died = await Promise.race([
    victim.ended.then(() => true),
    pause(PATIENCE_MS, false, { signal: patience.signal }).catch(() => false),
  ]);
  patience.abort();
  await fleet.kill(place);
  await database.advance(PAST_ALL_LEASES_SECONDS);
  return died;
}

/** Every point that the programs came by, also those that only a crash makes them come by. */
async function strikeEveryPoint(
  target: Shop,
  places: number,
  random: () => number,
  commitsMs: number,
): Promise<Set<string>> {
  const struck = new Set<string>();
  const tried = new Set<string>(MUST_STRIKE);
  const deadline = Date.now() + commitsMs;
  const must = MUST_STRIKE.values();
  const nextPoint = (): string | undefined => {
    const first = must.next().value;
    if (first !== undefined || Date.now() > deadline) return first;
    const found = [...target.fleet.points].find(point => !tried.has(point) && !NOT_BY_PLAYERS.test(point));
    if (found !== undefined) tried.add(found);
    return found;
  };
  const strikeInTurn = async (place: number): Promise<void> => {
    for (let point = nextPoint(); point !== undefined; point = nextPoint()) {
      // Now and then the second time: the first one is often what the last crash left behind.
      if (await strike(target, place, point, random() < 0.7 ? 1 : 2)) struck.add(point);
      else if (await strike(target, place, point, 1)) struck.add(point);
    }
  };
  await Promise.all(Array.from({ length: places }, (_, place) => strikeInTurn(place)));
  return struck;
}

test.each([
  // On a slow machine the commits that come last are left out.
  { title: 'one program', programs: 1, seed: 20_260_501, commitsMs: 60_000 },
  { title: 'two programs on one database', programs: 2, seed: 20_260_502, commitsMs: 0 },
])('$title, killed at random and at every point it passes, loses nothing', async ({ programs, seed, commitsMs }) => {
  const random = seededRandom(seed);
  shop = await openShop();
  const { fleet, game, database, key } = shop;
  for (let place = 0; place < programs; place++) fleet.start(place);
  await shop.register();
  const load = startLoad(PLAYERS, { url: () => fleet.url(), key, random, maxOrders: MAX_ORDERS });
  for (let kill = 0; kill < RANDOM_KILLS; kill++) {
    await load.untilOrders(load.told.length + Math.floor(random() * 20));
    await fleet.kill(kill % programs);
    await database.advance(PAST_ALL_LEASES_SECONDS);
    fleet.start(kill % programs);
  }
  await load.untilOrders(load.told.length + ORDERS_TO_LEARN_FROM);
  for (let place = 0; place < programs; place++) await fleet.kill(place);

  const struck = await strikeEveryPoint(shop, programs, random, commitsMs);
  for (let place = 0; place < programs; place++) fleet.start(place);
  await load.stop();

  expect(await shop.settle()).toEqual([]);
  expect(await findLosses(database.db, game, load.told)).toEqual([]);
  expect(load.surprises).toEqual([]);
  expect(MUST_STRIKE.filter(point => !struck.has(point))).toEqual([]);
});
