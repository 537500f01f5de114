// `npm run lab -- failover`: a real cluster whose leader is killed, frozen and cut off under load, again and again.
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDb, type Db } from '../../apps/server/src/db/db.ts';
import { startHonestGame } from '../nothing-is-lost/honest-game.ts';
import { findLosses, listUnsettled } from '../nothing-is-lost/oracle.ts';
import { startLoad } from '../nothing-is-lost/players.ts';
import { seededRandom } from '../nothing-is-lost/seeded-random.ts';
import { type Cluster, type Fault, startCluster } from './cluster.ts';
import { haveEngines } from './machine.ts';
import { Probe, type Programs, startPrograms } from './programs.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const ROUNDS = Number(values.rounds);
const FAULTS: Fault[] = ['kill', 'freeze', 'partition', 'switchover'];
/** So many that serve and so many that work. */
const PROGRAMS = 2;
const PLAYERS = 12;
const ORDERS_BEFORE_A_FAULT = 20;
const GOAL_MS = 15_000;
const GIVE_UP_MS = 120_000;
const SETTLING_STEPS = 40;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never');

async function register(programs: Programs, subscriptions: object[]): Promise<void> {
  for (const subscription of subscriptions) {
    const response = await fetch(`${await programs.next()}/s2s/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${programs.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(subscription),
    });
    if (response.status !== 201) throw new Error(`not registered: ${await response.text()}`);
  }
}

/** Moves the shop's clock on until no row waits for a worker. Answers with what still does. */
async function settle(db: Db): Promise<string[]> {
  let left = await listUnsettled(db);
  for (let step = 1, ahead = 0; step <= SETTLING_STEPS && left.length > 0; step++) {
    ahead += 60 * step;
    const body = `select now() + interval '${ahead} seconds'`;
    const text = `create or replace function app_now() returns timestamptz language sql stable parallel safe as $f$${body}$f$`;
    await db.query({ name: '', text, values: [] });
    const deadline = Date.now() + 2_000;
    do {
      await pause(200);
      left = await listUnsettled(db);
    } while (left.length > 0 && Date.now() < deadline);
  }
  return left;
}

interface Round {
  number: number;
  fault: Fault;
  struckAt: number;
  promotedAt: number;
  sincePromotionMs: number;
}

async function strikeOnce(cluster: Cluster, probes: Probe[], fault: Fault, number: number): Promise<Round> {
  const { struckAt, promotedAt, from, to } = await cluster.strike(fault);
  const back = await Promise.all(probes.map(probe => probe.firstAfter(promotedAt, GIVE_UP_MS)));
  const sincePromotionMs = Math.max(...back) - promotedAt;
  print(
    `${number}. ${fault}: ${from} → ${to}, promoted after ${seconds(promotedAt - struckAt)}; ` +
      `all servers take orders ${seconds(sincePromotionMs)} later${sincePromotionMs > GOAL_MS ? '  MISSED' : ''}`,
  );
  await cluster.heal();
  return { number, fault, struckAt, promotedAt, sincePromotionMs };
}

/** Everything that a caller was promised, against what is there when all is quiet. */
async function judge(
  db: Db,
  game: Awaited<ReturnType<typeof startHonestGame>>,
  promised: Parameters<typeof findLosses>[2],
) {
  const unsettled = await settle(db);
  // The probes' orders are counted apart: nothing was promised for them but that they exist.
  const losses = (await findLosses(db, game, promised)).filter(loss => !/^\d+ orders exist|is not there$/.test(loss));
  return [...unsettled.map(what => `still waits: ${what}`), ...losses];
}

/** Orders that were acknowledged and are not there, each with its place among the faults. */
async function listGone(db: Db, acknowledged: ReadonlyMap<string, number>, rounds: readonly Round[]) {
  const ids = [...acknowledged.keys()];
  const text =
    'select asked.id from unnest($1::text[]) as asked(id) where not exists (select from orders o where o.id = asked.id)';
  const gone = await db.query<{ id: string }>({ name: '', text, values: [ids] });
  return gone.map(({ id }) => {
    const at = acknowledged.get(id)!;
    const next = rounds.find(({ struckAt }) => struckAt > at);
    const last = rounds.findLast(({ struckAt }) => struckAt <= at);
    return [
      `${id} was acknowledged and is gone`,
      last
        ? `${seconds(at - last.struckAt)} after fault ${last.number} (${last.fault}), ${seconds(at - last.promotedAt)} after its promotion`
        : '',
      next ? `${seconds(next.struckAt - at)} before fault ${next.number} (${next.fault})` : '',
    ].join('; ');
  });
}

async function keepLogs(cluster: Cluster): Promise<string> {
  const file = join(tmpdir(), `coinslot-failover-${process.pid}.log`);
  await writeFile(file, cluster.logs());
  return file;
}

async function play(cluster: Cluster): Promise<number> {
  const { url } = cluster;
  const programs = await startPrograms(PROGRAMS, url);
  const game = await startHonestGame();
  const db = createDb({ url, maxConnections: 4, onError: () => {} });
  try {
    await register(programs, [
      { url: game.url, events: ['item.add', 'item.remove'] },
      { url: game.observerUrl, events: ['order.*'] },
    ]);
    const random = seededRandom(Number(values.seed));
    const load = startLoad(PLAYERS, { url: programs.next, key: programs.key, random, maxOrders: 100_000 });
    const probes = programs.serving.map(program => new Probe(program.url, programs.key));
    const rounds: Round[] = [];
    for (let number = 1; number <= ROUNDS; number++) {
      await load.untilOrders(load.promised.length + ORDERS_BEFORE_A_FAULT);
      rounds.push(await strikeOnce(cluster, probes, FAULTS[(number - 1) % FAULTS.length]!, number));
    }
    for (const probe of probes) probe.stop();
    await load.stop();
    const probed = probes.flatMap(probe => [...probe.orders]);
    const asked = load.promised.flatMap(({ orderIds, at }) => [...orderIds].map(id => [id, at] as const));
    const wrong = [
      ...(await judge(db, game, load.promised)),
      ...load.surprises.map(what => `surprise: ${what}`),
      ...(await listGone(db, new Map([...probed, ...asked]), rounds)),
      ...programs.all
        .filter(({ daemon }) => daemon.child.exitCode !== null)
        .map(({ url: at }) => `${at} ended by itself`),
    ];
    const longest = Math.max(...rounds.map(({ sincePromotionMs }) => sincePromotionMs));
    for (const line of wrong.slice(0, 40)) print(`WRONG ${line}`);
    if (wrong.length > 0) print(`what the cluster wrote: ${await keepLogs(cluster)}`);
    print(`${cluster.resets()} times a watchdog reset a machine whose manager no longer fed it`);
    print(
      `${rounds.length} failovers, ${load.promised.length} orders of players and ${probed.length} of probes; longest gap after a promotion ` +
        `${seconds(longest)} (goal ${seconds(GOAL_MS)}); ${wrong.length} wrong`,
    );
    return wrong.length > 0 || longest > GOAL_MS ? 1 : 0;
  } finally {
    await db.close().catch(() => {});
    await programs.close();
    await game.close();
  }
}

const engines = await haveEngines(print);
print('starting etcd and three PostgreSQL under Patroni …');
const cluster = await startCluster(engines);
let code = 1;
try {
  code = await play(cluster);
} catch (error) {
  print(cluster.logs());
  throw error;
} finally {
  await cluster.close();
}
process.exit(code);
