import { cpus } from 'node:os';
import { cpuMs, cpuMsOf } from '../cpu-time.ts';
import type { BenchServer, Lab } from '../lab.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import { countPaid, subscribe, withClient } from '../shop.ts';
import { growthOf, KEPT, readSizes, sum } from './bytes.ts';

export interface CapacityPlan {
  warmUpOrders: number;
  /** The measurement ends at whichever comes first. */
  seconds: number;
  mostOrders: number;
}

export interface Measured {
  orders: number;
  ordersPerSecond: number;
  /** Processor time of one order; 0 where there is no `/proc`. */
  nodeMs: number;
  postgresMs: number;
  bytesPerOrder: number;
  keptBytesPerOrder: number;
  cores: number;
}

export interface Capacity extends Measured {
  freeBytes: number;
  ordersUntilFull: number;
  ordersUntilFullKept: number;
  playersAMonth: number;
}

/** What WAL, vacuum and a backup need beside the tables. */
const USABLE = 0.8;
/** As in the production guide: a player buys 0.2 times a month, a sale has 50 times the mean, and half of the machine stays free. */
const ORDERS_OF_PLAYER = 0.2;
const SALE = 50;
const BUSY = 0.5;
const SECONDS_OF_MONTH = 2_592_000;

const AT_ONCE = 32;
const PLAYERS = 20_000;
/** Receipts are written after the answer. */
const SETTLE_MS = 2_000;

async function startPlayers(lab: Lab, server: BenchServer) {
  const [receiver, players] = await Promise.all([lab.startProgram('receiver'), lab.startProgram('player-load')]);
  const key = server.account.sandboxKey;
  await subscribe(server.port, key, ['item.add', 'item.remove'], await receiver.ask('port'));
  return async (orders: number, ms: number): Promise<{ paid: number; seconds: number }> => {
    const load: PlayerLoad = { port: server.port, key, atOnce: AT_ONCE, players: PLAYERS, ms, orders };
    const { orderIds, seconds } = await players.ask<PlayerLoadResult>(load);
    return { paid: await countPaid(server.databaseUrl, orderIds), seconds };
  };
}

/** Program, PostgreSQL, a game and its players, all on this machine and this disk. */
export async function measureCapacity(lab: Lab, plan: CapacityPlan): Promise<Measured> {
  const server = await lab.startServer(lab.databaseUrl);
  const buy = await startPlayers(lab, server);
  await buy(plan.warmUpOrders, 60_000);
  const before = await readSizes(server.databaseUrl);
  const measured = await withClient(server.databaseUrl, async client => {
    const [nodeBefore, allBefore] = [await cpuMsOf(server.pid), await cpuMs(server, client)];
    const bought = await buy(plan.mostOrders, plan.seconds * 1000);
    const [nodeAfter, allAfter] = [await cpuMsOf(server.pid), await cpuMs(server, client)];
    const node = nodeAfter - nodeBefore;
    return { ...bought, nodeMs: node / bought.paid, postgresMs: (allAfter - allBefore - node) / bought.paid };
  });
  await new Promise(resolve => setTimeout(resolve, SETTLE_MS));
  const rows = growthOf(before, await readSizes(server.databaseUrl), measured.paid);
  await server.stop();
  return {
    orders: measured.paid,
    ordersPerSecond: measured.paid / measured.seconds,
    nodeMs: measured.nodeMs,
    postgresMs: measured.postgresMs,
    bytesPerOrder: sum(rows),
    keptBytesPerOrder: sum(rows.filter(([name]) => KEPT.includes(name))),
    cores: cpus().length,
  };
}

export function capacityOf(measured: Measured, freeBytes: number): Capacity {
  const usable = freeBytes * USABLE;
  return {
    ...measured,
    freeBytes,
    ordersUntilFull: Math.floor(usable / measured.bytesPerOrder),
    ordersUntilFullKept: Math.floor(usable / measured.keptBytesPerOrder),
    playersAMonth: Math.floor((measured.ordersPerSecond * BUSY * SECONDS_OF_MONTH) / SALE / ORDERS_OF_PLAYER),
  };
}

const count = (value: number): string =>
  value >= 1_000_000 ? `${(value / 1_000_000).toFixed(1)} million` : Math.floor(value).toLocaleString('en');

export function capacityText(capacity: Capacity, disk: string): string {
  const { orders, ordersPerSecond, nodeMs, postgresMs, bytesPerOrder, keptBytesPerOrder, cores, freeBytes } = capacity;
  const processors =
    nodeMs > 0
      ? ` An order takes ${nodeMs.toFixed(1)} ms of a core in Node and ${postgresMs.toFixed(1)} ms in PostgreSQL.`
      : '';
  return `This machine (${cores} cores, with PostgreSQL, the game and the players on it) completed ${ordersPerSecond.toFixed(1)} whole orders a second.${processors}
That is enough for ${count(capacity.playersAMonth)} players a month, if each buys 0.2 times, a sale has 50 times the mean and half of the machine stays free.

An order takes ${bytesPerOrder.toLocaleString('en')} bytes on the disk, and ${keptBytesPerOrder.toLocaleString('en')} of them for ever.
${(freeBytes / 1e9).toFixed(1)} GB are free at ${disk}. With a fifth of it for WAL, vacuum and backups it is full after
  ${count(capacity.ordersUntilFull)} orders, if all of them came within the days of RETENTION_…_DAYS,
  ${count(capacity.ordersUntilFullKept)} orders, if only what is kept for ever is left of them.

Measured over ${orders.toLocaleString('en')} orders, in sandbox, on loopback. Other programs on the machine make every figure smaller.`;
}
