import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cpuMsOf, postgresCpuMs } from '../cpu-time.ts';
import type { BenchProgram, BenchServer, Lab } from '../lab.ts';
import { FULL } from '../plan.ts';
import type { OrderLoad, OrderLoadResult } from '../programs/order-load.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import type { Result } from '../result.ts';
import { countPaid, subscribe, unsubscribe, withClient } from '../shop.ts';
import { median, medianRatio } from '../statistics.ts';

const MANY = 128;
const PLAYERS_AT_ONCE = 32;
const PLAYERS = 20_000;
const WARM_UP_MS = 8_000;

interface Rates {
  created: number[];
  createdNode: number[];
  createdPostgres: number[];
  whole: number[];
  wholeNode: number[];
  wholePostgres: number[];
  /** To a bare loop beside them. */
  deliveries: number[];
}

const emptyRates = (): Rates => ({
  created: [],
  createdNode: [],
  createdPostgres: [],
  whole: [],
  wholeNode: [],
  wholePostgres: [],
  deliveries: [],
});

type Measured = { perSecond: number; node: number; postgres: number };
type MeasureDeliveries = typeof import('../measures/deliveries.ts').measureDeliveries;

export interface Checkout {
  root: string;
  lab: Lab;
}

/** What it made in a second, and processor time for one of them. */
async function timed(server: BenchServer, run: () => Promise<{ count: number; seconds: number }>): Promise<Measured> {
  return withClient(server.databaseUrl, async client => {
    const used = async () => [await cpuMsOf(server.pid), await postgresCpuMs(client)] as const;
    const before = await used();
    const { count, seconds } = await run();
    const after = await used();
    return {
      perSecond: count / seconds,
      node: (after[0] - before[0]) / count,
      postgres: (after[1] - before[1]) / count,
    };
  });
}

interface Loads {
  orders: BenchProgram;
  players: BenchProgram;
}

async function makeWhole({ players }: Loads, { port, account, databaseUrl }: BenchServer, ms: number) {
  const orders = Number.MAX_SAFE_INTEGER;
  const load: PlayerLoad = { port, key: account.sandboxKey, atOnce: PLAYERS_AT_ONCE, players: PLAYERS, ms, orders };
  const { orderIds, seconds } = await players.ask<PlayerLoadResult>(load);
  const count = await countPaid(databaseUrl, orderIds);
  if (count < orderIds.length) throw new Error(`${orderIds.length - count} orders were not paid`);
  return { count, seconds };
}

async function enter({ root, lab }: Checkout) {
  const server = await lab.startServer(lab.databaseUrl);
  const receiver = await lab.startProgram('receiver');
  const loads: Loads = { orders: await lab.startProgram('order-load'), players: await lab.startProgram('player-load') };
  const { measureDeliveries } = (await import(pathToFileURL(join(root, 'bench/measures/deliveries.ts')).href)) as {
    measureDeliveries: MeasureDeliveries;
  };
  const key = server.account.sandboxKey;
  const webhook = await subscribe(server.port, key, ['item.add', 'item.remove'], await receiver.ask<number>('port'));
  const warmUp = async (): Promise<void> => void (await makeWhole(loads, server, WARM_UP_MS));
  const run = async (ms: number, rates: Rates): Promise<void> => {
    const load: OrderLoad = { port: server.port, key, connections: MANY, players: PLAYERS, ms };
    const created = await timed(server, async () => {
      const { perSecond } = await loads.orders.ask<OrderLoadResult>(load);
      return { count: (perSecond * ms) / 1000, seconds: ms / 1000 };
    });
    rates.created.push(created.perSecond);
    rates.createdNode.push(created.node);
    rates.createdPostgres.push(created.postgres);
    const whole = await timed(server, () => makeWhole(loads, server, ms));
    rates.whole.push(whole.perSecond);
    rates.wholeNode.push(whole.node);
    rates.wholePostgres.push(whole.postgres);
    const [deliveries] = await measureDeliveries(lab, server, { ...FULL, rounds: 1 });
    rates.deliveries.push(deliveries!.value);
  };
  const stop = async (): Promise<void> => {
    await unsubscribe(server.port, key, webhook);
    await Promise.all([receiver, loads.orders, loads.players].map(program => program.stop()));
    await server.stop();
  };
  return { warmUp, run, stop };
}

const each = (what: string, unit: Result['unit'], ours: number[], theirs: number[], digits: number): Result => ({
  what,
  measured: `${median(ours).toFixed(digits)}${unit === '/s' ? '/s' : ` ${unit}`} to ${median(theirs).toFixed(digits)}${unit === '/s' ? '/s' : ` ${unit}`}`,
  value: medianRatio(ours, theirs),
  unit: '×',
  target: null,
});

/** This checkout and another one in turns, each with its own program, schema and database: what slows the machine slows both. */
export async function measureAgainst([ours, theirs]: readonly [Checkout, Checkout], rounds: number, ms: number) {
  const pair = [await enter(ours), await enter(theirs)] as const;
  for (const one of pair) await one.warmUp();
  const [a, b] = [emptyRates(), emptyRates()];
  for (let round = 0; round < rounds; round++) {
    // Who begins changes, so that neither always follows the other.
    const turns = [async () => pair[0].run(ms, a), async () => pair[1].run(ms, b)];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  for (const one of pair) await one.stop();
  return [
    each('whole orders', '/s', a.whole, b.whole, 0),
    each('whole orders, Node for one', 'ms', a.wholeNode, b.wholeNode, 2),
    each('whole orders, PostgreSQL for one', 'ms', a.wholePostgres, b.wholePostgres, 2),
    each(`creation, ${MANY} connections`, '/s', a.created, b.created, 0),
    each('creation, Node for one', 'ms', a.createdNode, b.createdNode, 3),
    each('creation, PostgreSQL for one', 'ms', a.createdPostgres, b.createdPostgres, 3),
    each('webhook deliveries to a bare loop', '×', a.deliveries, b.deliveries, 2),
  ];
}
