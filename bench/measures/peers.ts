import { execFile, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, type Lab } from '../lab.ts';
import type { OrderLoad, OrderLoadResult } from '../programs/order-load.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import type { VendureLoad, VendureLoadResult } from '../programs/vendure-load.ts';
import type { Result } from '../result.ts';
import { countPaid, subscribe } from '../shop.ts';
import { median, medianRatio } from '../statistics.ts';

const VENDURE = '3.7.3';
const PACKAGES = {
  private: true,
  dependencies: { '@vendure/core': VENDURE, pg: '8.22.0' },
  // A package of its asks for a version that not every mirror of the registry has.
  overrides: { '@graphql-tools/batch-execute': '10.2.0' },
};
const SHOP = fileURLToPath(new URL('../peers/vendure-shop.cjs', import.meta.url));
const START_MS = 180_000;
const INSTALL_MS = 600_000;

const AT_ONCE = 32;
const PLAYERS = 1_000;
const WARM_UP_MS = 12_000;
const ROUND_MS = 5_000;
const ROUNDS = 5;

interface Peer {
  create(ms: number): Promise<number>;
  whole(ms: number): Promise<number>;
}

/** From the package registry into a folder of its own: it is no dependency of ours, and nothing of it stays. */
async function installVendure(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-peers-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify(PACKAGES));
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    timeout: INSTALL_MS,
  });
  return folder;
}

async function startVendure(folder: string, databaseUrl: string): Promise<{ port: number; stop(): void }> {
  const port = await freePort();
  const child = fork(SHOP, [folder, databaseUrl, String(port)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Vendure did not start')), START_MS);
    child.once('message', () => resolve());
    child.once('exit', code => reject(new Error(`Vendure ended with ${code}`)));
    child.once('message', () => clearTimeout(timer));
  });
  return { port, stop: () => void child.kill() };
}

async function openVendure(lab: Lab, folder: string): Promise<Peer & { stop(): void }> {
  const shop = await startVendure(folder, await lab.createDatabase('vendure'));
  const load = await lab.startProgram('vendure-load');
  const run = async (isWhole: boolean, ms: number): Promise<number> => {
    const asked: VendureLoad = { port: shop.port, atOnce: AT_ONCE, players: PLAYERS, ms, isWhole };
    const { orders, seconds } = await load.ask<VendureLoadResult>(asked);
    return orders / seconds;
  };
  return { create: ms => run(false, ms), whole: ms => run(true, ms), stop: shop.stop };
}

async function openCoinslot(lab: Lab): Promise<Peer & { stop(): Promise<void> }> {
  const server = await lab.startServer(lab.databaseUrl);
  const [receiver, orders, players] = await Promise.all([
    lab.startProgram('receiver'),
    lab.startProgram('order-load'),
    lab.startProgram('player-load'),
  ]);
  const { port, databaseUrl } = server;
  const key = server.account.sandboxKey;
  await subscribe(port, key, ['item.add', 'item.remove'], await receiver.ask('port'));
  return {
    async create(ms) {
      const load: OrderLoad = { port, key, connections: AT_ONCE, players: PLAYERS, ms };
      return (await orders.ask<OrderLoadResult>(load)).perSecond;
    },
    async whole(ms) {
      const load: PlayerLoad = { port, key, atOnce: AT_ONCE, players: PLAYERS, ms, orders: Number.MAX_SAFE_INTEGER };
      const { orderIds, seconds } = await players.ask<PlayerLoadResult>(load);
      return (await countPaid(databaseUrl, orderIds)) / seconds;
    },
    stop: () => server.stop(),
  };
}

const perSecond = (rates: readonly number[]): string => `${Math.round(median(rates))}/s`;

/** Coinslot and Vendure on one PostgreSQL, in turns, each with the machine to itself. */
export async function measurePeers(lab: Lab, say: (text: string) => void): Promise<Result[]> {
  say(`installing Vendure ${VENDURE} …`);
  const folder = await installVendure();
  try {
    say('starting both …');
    const [coinslot, vendure] = [await openCoinslot(lab), await openVendure(lab, folder)];
    say('warming up …');
    for (const peer of [coinslot, vendure]) await peer.whole(WARM_UP_MS);
    const rates = { coinslot: { create: [], whole: [] }, vendure: { create: [], whole: [] } } as Record<
      'coinslot' | 'vendure',
      Record<keyof Peer, number[]>
    >;
    for (let round = 0; round < ROUNDS; round++) {
      say(`round ${round + 1} of ${ROUNDS} …`);
      for (const what of ['create', 'whole'] as const) {
        rates.coinslot[what].push(await coinslot[what](ROUND_MS));
        rates.vendure[what].push(await vendure[what](ROUND_MS));
      }
    }
    vendure.stop();
    await coinslot.stop();
    const line = (what: string, key: keyof Peer): Result => ({
      what,
      measured: `${perSecond(rates.coinslot[key])} to ${perSecond(rates.vendure[key])}`,
      value: medianRatio(rates.coinslot[key], rates.vendure[key]),
      unit: '×',
      target: null,
    });
    return [
      line('order creation, Coinslot to Vendure, 32 connections', 'create'),
      line('whole orders, Coinslot to Vendure, 32 players', 'whole'),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
