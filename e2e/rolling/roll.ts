import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGame } from '@coinslot/testing/game-receiver';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { type Fleet, hasAddress, type Replaceable, startFleet } from './fleet.ts';
import { type Load, startLoad } from './load.ts';
import { startNameServer } from './name-server.ts';
import { type RunningProxy, type ShippedProxy, startProxy } from './shipped-proxies.ts';

const ADDRESSES = ['127.0.0.1', '127.0.0.2'];

export interface Rolled {
  proxy: string;
  answers: number;
  failures: readonly string[];
  paid: number;
}

export interface RollOptions {
  proxies: readonly ShippedProxy[];
  players: number;
  workers: number;
  /** Replaces processes while players buy. */
  roll(processes: readonly Replaceable[]): Promise<void>;
}

/** Each order that was acknowledged as paid was captured once, and no other was captured twice. */
async function wrongCaptures(databaseUrl: string, loads: readonly Load[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ order_id: string; n: number }>(
    `select p.order_id, count(*) filter (where e.kind = 'captured')::int as n from payments p
     join simulator.entries e on e.environment_id = p.environment_id and e.payment_id = p.id group by p.order_id`,
  );
  await client.end();
  const counts = new Map(rows.map(({ order_id, n }) => [order_id, n]));
  const lost = loads.flatMap(({ paid }) => paid.filter(id => counts.get(id) !== 1));
  const doubled = rows.filter(({ n }) => n > 1).map(({ order_id }) => order_id);
  return [...lost.map(id => `${id} was not captured once`), ...doubled.map(id => `${id} was captured twice`)];
}

async function subscribe({ account, port }: Fleet, gameUrl: string): Promise<void> {
  const headers = { authorization: `Bearer ${account.sandbox.s2s_key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: gameUrl, events: ['item.add', 'item.remove'] });
  const answer = await fetch(`http://${ADDRESSES[0]}:${port}/s2s/v1/webhooks`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`no endpoint: ${answer.status} ${await answer.text()}`);
}

/** Two serving processes and some working ones behind each proxy at once, replaced while players buy through it. */
export async function rollUnderLoad({ proxies, players, workers, roll }: RollOptions): Promise<Rolled[]> {
  for (const address of ADDRESSES)
    if (!(await hasAddress(address))) throw new Error(`this machine has no address ${address}`);
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-rolling-'));
  const names = await startNameServer(ADDRESSES);
  const running: RunningProxy[] = [];
  let fleet: Fleet | undefined;
  const loads: Load[] = [];
  const game = await startGame();
  try {
    const url = 'https://localhost';
    const settings = { PUBLIC_URL: url, TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' };
    fleet = await startFleet(join(folder, 'data'), ADDRESSES, workers, settings);
    game.useSecret(fleet.account.sandbox.s2s_key);
    await subscribe(fleet, game.url);
    for (const proxy of proxies) {
      const [http, https] = [await freePort(), await freePort()];
      const upstreams = { http, https, addresses: ADDRESSES, port: fleet.port, resolver: names.address };
      const one = await startProxy(proxy, join(folder, proxy.name), upstreams);
      running.push(one);
      loads.push(startLoad(proxy.name, `${url}:${https}`, one.ca, fleet.account.sandbox.s2s_key, players));
    }
    await roll(fleet.processes);
    await Promise.all(loads.map(load => load.end()));
    const wrong = await wrongCaptures(fleet.databaseUrl, loads);
    return proxies.map(({ name }, i) => {
      const { answers, failures, paid } = loads[i]!;
      return { proxy: name, answers, failures: [...failures, ...wrong], paid: paid.length };
    });
  } finally {
    await Promise.all(loads.map(load => load.end()));
    for (const one of running) await one.stop();
    await fleet?.stop();
    await game.close();
    names.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
