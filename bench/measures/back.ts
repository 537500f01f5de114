import { setTimeout as pause } from 'node:timers/promises';
import type { BenchProgram, BenchServer, Lab } from '../lab.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import type { Grants } from '../programs/receiver.ts';
import type { Result } from '../result.ts';
import { countPaid, subscribe, withClient } from '../shop.ts';

const TAKES_MS = 5;
const LOOK_MS = 250;
const GIVE_UP_MS = 300_000;
const PLAYERS_AT_ONCE = 32;

/** As after an hour of outage: the next regular attempt is up to an hour away, and the endpoint is tried once a minute. */
const AGE = `
  update deliveries_items set next_attempt_at = now() + random() * interval '1 hour', attempts_made = 9
  where status = 'pending' and claim_id is null`;
const FAILING = `
  update endpoint_health set failing_since = now() - interval '1 hour', next_probe_at = now() + interval '5 seconds'
  where state = 'down' returning endpoint`;

async function payWhileDown(server: BenchServer, players: BenchProgram, orders: number): Promise<string[]> {
  const { port, account } = server;
  const load: PlayerLoad = {
    port,
    key: account.sandboxKey,
    atOnce: PLAYERS_AT_ONCE,
    players: 20_000,
    ms: 900_000,
    orders,
  };
  const { orderIds } = await players.ask<PlayerLoadResult>(load);
  await withClient(server.databaseUrl, async client => {
    await client.query(AGE);
    const { rowCount } = await client.query(FAILING);
    if (rowCount !== 1) throw new Error('the endpoint is not down');
  });
  return orderIds;
}

async function untilGranted(receiver: BenchProgram, count: number): Promise<Grants> {
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    const grants = await receiver.ask<Grants>('grants');
    if (grants.granted >= count) return grants;
    if (performance.now() > deadline) throw new Error(`only ${grants.granted} of ${count} were granted`);
    await pause(LOOK_MS);
  }
}

async function untilPaid(server: BenchServer, orderIds: string[]): Promise<void> {
  for (let looks = 0; looks < 400; looks++) {
    if ((await countPaid(server.databaseUrl, orderIds)) === orderIds.length) return;
    await pause(LOOK_MS);
  }
  throw new Error('granted, but not all paid');
}

/** From the first 2xx of a game that was away to the grant of the last order that waited, and how many it had at once. */
export async function measureBack(lab: Lab, server: BenchServer): Promise<Result[]> {
  const [receiver, players] = await Promise.all([lab.startProgram('receiver'), lab.startProgram('player-load')]);
  await subscribe(server.port, server.account.sandboxKey, ['item.add', 'item.remove'], await receiver.ask('port'));
  const results: Result[] = [];
  for (const [count, atMost] of [
    [84, 15_000],
    [10_000, 60_000],
  ] as const) {
    await receiver.ask({ takesMs: TAKES_MS, status: 503 });
    const orderIds = await payWhileDown(server, players, count);
    await receiver.ask({ takesMs: TAKES_MS });
    const { lastedMs, mostAtOnce } = await untilGranted(receiver, count);
    await untilPaid(server, orderIds);
    const what = `${count.toLocaleString('en')} orders waiting for a game that is back, which takes ${TAKES_MS} ms`;
    const measured = `${Math.round((count / lastedMs) * 1000)}/s`;
    results.push({ what: `${what}: first 2xx to the last`, measured, value: lastedMs, unit: 'ms', target: { atMost } });
    results.push({
      what: `${what}: at once`,
      measured: '',
      value: mostAtOnce,
      unit: '',
      target: { atMost: 64 },
    });
  }
  await Promise.all([receiver.stop(), players.stop()]);
  return results;
}
