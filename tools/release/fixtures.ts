/** Makes what is kept of a version: the built program runs once on a database of its own, and a few orders go through it. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { findRunning } from '../../apps/server/src/db/embedded/start-embedded.ts';
import { countOrders, dumpDatabase } from './fixture-database.ts';
import { migrationsIn, type Release, releaseFolder } from './released.ts';
import { startProgram } from './run-program.ts';

export interface FixtureOptions {
  root: string;
  version: string;
  date: string;
  mayRollBackTo: string;
}

const exec = promisify(execFile);
const DONE_MS = 60_000;

/** A game that grants, but to one player. */
async function startGame(): Promise<{ url: string; close(): void }> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const isBanned = body.includes('"banned"');
    response.writeHead(isBanned ? 422 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isBanned ? { code: 'declined' } : {}));
  };
  const game = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(game, 'listening');
  const close = (): void => {
    game.closeAllConnections();
    game.close();
  };
  return { url: `http://127.0.0.1:${(game.address() as AddressInfo).port}/webhook`, close };
}

type Call = (method: string, path: string, body?: object) => Promise<{ order_id: string; status: string }>;

const callsOf =
  (url: string, key: string): Call =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/s2s/v1/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { order_id: string; status: string };
  };

async function becomes(call: Call, id: string, status: string): Promise<void> {
  const deadlineMs = performance.now() + DONE_MS;
  for (;;) {
    const order = await call('GET', `orders/${id}?wait=5`);
    if (order.status === status) return;
    if (performance.now() > deadlineMs) throw new Error(`The order ${id} is ${order.status}, not ${status}.`);
    await pause(100);
  }
}

/** One order for each way that an order ends, and one that is still open. */
async function sell(call: Call): Promise<void> {
  const create = async (player_id: string, sku = 'gold_100'): Promise<string> =>
    (
      await call('POST', 'orders', {
        player_id,
        items: [{ sku, name: '100 gold', quantity: 2 }],
        price_decimal: 4.99,
        currency: 'EUR',
      })
    ).order_id;
  const buy = async (player: string): Promise<string> => {
    const id = await create(player);
    await call('POST', `orders/${id}/pay`, { card: 'success' });
    return id;
  };
  for (const player of ['ann', 'bob', 'Zoë 🐉']) await becomes(call, await buy(player), 'paid');
  const refunded = await buy('carol');
  await becomes(call, refunded, 'paid');
  await call('POST', `orders/${refunded}/refund`, { reason: 'Bought by mistake' });
  await becomes(call, refunded, 'refunded');
  await becomes(call, await buy('banned'), 'rejected');
  const canceled = await create('dave');
  await call('POST', `orders/${canceled}/cancel`);
  await create('eve');
}

async function fillFolder(options: FixtureOptions, scratch: string, folder: string): Promise<void> {
  const { root, version, date, mayRollBackTo } = options;
  const program = join(root, 'apps/server/dist/main.js');
  const masterKey = randomBytes(32).toString('base64');
  const dataDir = join(scratch, 'data');
  const running = await startProgram(program, { DATA_DIR: dataDir, MASTER_KEY: masterKey });
  const game = await startGame();
  try {
    const owner = ['--email=owner@studio.example', '--password=orange lamp on the roof', '--company=Northwind Games'];
    const title = ['--game-url=https://apps.apple.com/us/app/castle-quest/id1234567890', '--json'];
    const { stdout } = await exec(process.execPath, [program, 'setup', ...owner, ...title], { env: running.env });
    const s2sKey = (JSON.parse(stdout) as { sandbox: { s2s_key: string } }).sandbox.s2s_key;
    const call = callsOf(running.url, s2sKey);
    await call('POST', 'webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
    await sell(call);
    const url = (await findRunning(dataDir))!;
    const orders = await countOrders(url);
    await exec(process.execPath, [program, 'backup', join(folder, 'shop.backup.gz')], { env: running.env });
    await writeFile(join(folder, 'database.sql.gz'), gzipSync(await dumpDatabase(root, url), { level: 9 }));
    const openapi = await (await fetch(`${running.url}/openapi.json`)).text();
    await writeFile(join(folder, 'openapi.json.gz'), gzipSync(openapi, { level: 9 }));
    const release: Release = {
      version,
      date,
      mayRollBackTo,
      migrations: migrationsIn(root),
      masterKey,
      s2sKey,
      orders,
    };
    await writeFile(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
  } finally {
    game.close();
    await running.stop();
  }
}

/** Writes `releases/VERSION`. The program must be built. */
export async function makeFixtures(options: FixtureOptions): Promise<void> {
  const folder = releaseFolder(options.root, options.version);
  const scratch = await mkdtemp(join(tmpdir(), 'coinslot-fixture-'));
  await mkdir(folder, { recursive: true });
  try {
    await fillFolder(options, scratch, folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
