import { setTimeout as pause } from 'node:timers/promises';
import { CARDS } from '@coinslot/testing/program';
import { expect } from 'vitest';
import { Customer, type Promised } from './customer.ts';
import type { Mood } from './honest-game.ts';
import { findLosses } from './oracle.ts';
import { type Load, startLoad } from './players.ts';
import { seededRandom } from './seeded-random.ts';
import { PAST_ALL_LEASES_SECONDS, type Shop } from './shop.ts';

type Way = readonly [kind: string, mood: Mood];

const PAYS: Way = ['pays', 'well'];
const IS_REFUNDED: Way = ['pays and is refunded', 'well'];
const IS_REJECTED: Way = ['pays', 'decline'];
const IS_CHALLENGED: Way = ['completes the challenge', 'well'];

/** Every call of the provider and every delivery, each with a journey that reaches it. */
const CALLS: Readonly<Record<string, Way>> = {
  authorize: PAYS,
  capture: PAYS,
  void: IS_REJECTED,
  refund: IS_REFUNDED,
  'look up': IS_REFUNDED,
  'answer of a challenge': IS_CHALLENGED,
  'delivery of item.add': PAYS,
  'delivery of item.remove': IS_REFUNDED,
  'delivery to an observer': PAYS,
};
/** Struck without fail, as every commit of an order that is paid and refunded. */
const CALL_POINTS = Object.entries(CALLS).map(([what, way]) => [
  { point: `before ${what}`, ways: [way] },
  { point: `after ${what}`, ways: [way] },
]);
/** Commits that no player causes: setting up, the chain behind the audit log, and a sweep that runs once a minute. */
const NOT_BY_PLAYERS = /webhook_insert|s2s_key|idempotency_key_delete|audit_link/;

/** Fewer would mean that the test no longer sees them. */
const FEWEST_COMMITS = 8;

const PLAYERS = { every: 4, some: 4 };
const MAX_ORDERS = 3_000;
const RANDOM_KILLS = { every: 6, some: 2 };
const ORDERS_BEFORE_STRIKES = { every: 80, some: 30 };
/** Both are far more than it takes, for machines that do other things meanwhile. */
const PATIENCE_MS = 300_000;
export const LONGEST_MS = 1_800_000;

/**
 * `every` strikes at both sides of each call and between every two commits; `some` at one side of every third call, before the
 * one and after the next, and between every sixth pair of commits. `npm test` takes some, `npm run test:release` every.
 */
export type Strikes = 'every' | 'some';

export interface Crash {
  programs: number;
  seed: number;
  strikes: Strikes;
}

interface Point {
  point: string;
  ways: readonly Way[];
}

interface Strike extends Point {
  place: number;
}

/** After one and before the next is the same place between two commits, so one of them is enough. */
const isCommit = (point: string): boolean => point.startsWith('after commit') && !NOT_BY_PLAYERS.test(point);

/** Every commit on the way of one order from its creation to its refund, learned from a program that does nothing else. */
async function learnCommits({ fleet, key, settle }: Shop): Promise<{ points: Point[]; promised: Promised }> {
  const surprises: string[] = [];
  const customer = new Customer({ url: () => fleet.url(), key, surprises, isStopped: () => false });
  await customer.createOrder('player_1', 499, 'well', 'pays and is refunded', false);
  await customer.pay(CARDS.success);
  await customer.until('paid');
  await customer.refund();
  await customer.until('refunded');
  expect([await settle(), surprises, await customer.status()]).toEqual([[], [], 'refunded']);
  const points = [...fleet.at(0).passed].filter(isCommit).map(point => ({ point, ways: [IS_REFUNDED] }));
  return { points, promised: customer.promised };
}

/** True when the program died by itself, that is, at its point. */
async function strike({ fleet, database }: Shop, load: Load, { place, point, ways }: Strike) {
  const victim = fleet.start(place, { point, passing: 1 });
  for (const [kind, mood] of ways) load.repeat(kind, mood, victim);
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

/** Answers with the points at which no program died. */
async function strikeAll(target: Shop, load: Load, points: readonly Point[], places: number): Promise<string[]> {
  const missed: string[] = [];
  const left = points.values();
  const strikeInTurn = async (place: number): Promise<void> => {
    for (const { point, ways } of left) {
      if (!(await strike(target, load, { place, point, ways }))) missed.push(point);
    }
    target.fleet.start(place);
  };
  await Promise.all(Array.from({ length: places }, (_, place) => strikeInTurn(place)));
  return missed;
}

function chooseCalls(strikes: Strikes): Point[] {
  if (strikes === 'every') return CALL_POINTS.flat();
  return CALL_POINTS.filter((_, call) => call % 3 === 0).map((sides, place) => sides[place % sides.length]!);
}

function chooseCommits(commits: readonly Point[], strikes: Strikes): Point[] {
  if (strikes === 'every') return [...commits];
  return commits.filter((_, place) => place % 6 === 0);
}

/** Programs on one database, killed at random, at calls and, when it is one, between commits. */
export async function crashAll(shop: Shop, { programs, seed, strikes }: Crash): Promise<void> {
  const random = seededRandom(seed);
  const { fleet, game, database, key } = shop;
  for (let place = 0; place < programs; place++) fleet.start(place);
  await shop.register();
  const learned = programs === 1 ? await learnCommits(shop) : null;
  const commits = learned?.points ?? [];
  const load = startLoad(PLAYERS[strikes], { url: () => fleet.url(), key, random, maxOrders: MAX_ORDERS });
  for (let kill = 0; kill < RANDOM_KILLS[strikes]; kill++) {
    await load.untilOrders(load.promised.length + Math.floor(random() * 20));
    await fleet.kill(kill % programs);
    await database.advance(PAST_ALL_LEASES_SECONDS);
    fleet.start(kill % programs);
  }
  await load.untilOrders(load.promised.length + ORDERS_BEFORE_STRIKES[strikes]);
  for (let place = 0; place < programs; place++) await fleet.kill(place);
  const missed = await strikeAll(shop, load, chooseCalls(strikes), programs);
  // The commits were learned from an order that the game took at once. An endpoint that fails is asked in another way.
  load.calm();
  for (let place = 0; place < programs; place++) await fleet.kill(place);
  missed.push(...(await strikeAll(shop, load, chooseCommits(commits, strikes), programs)));
  await load.stop();

  expect(await shop.settle()).toEqual([]);
  const promised = learned ? [...load.promised, learned.promised] : load.promised;
  expect(await findLosses(database.db, game, promised)).toEqual([]);
  expect(load.surprises).toEqual([]);
  expect(missed).toEqual([]);
  if (programs === 1) expect(commits.length).toBeGreaterThan(FEWEST_COMMITS);
}
