import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchServer } from '../lab.ts';
import type { Result } from '../result.ts';
import { median, medianRatio } from '../statistics.ts';

const ROUNDS = 7;
const ROUND_MS = 3_000;
const WARM_UP_MS = 4_000;
/** Until the flood has begun. */
const SETTLE_MS = 1_000;
/** Between two purchases, so that the quiet one stays within its own limit. */
const THINK_MS = 50;
const FLOOD_CONNECTIONS = 64;
const MOST_SLOWER = 1.2;

const FORM = new URLSearchParams({
  card_number: '4242 4242 4242 4242',
  card_expiry: '12 / 40',
  card_cvc: '123',
  email: 'player@example.com',
  postal_code: '10115',
});

const post = (url: string, headers: Record<string, string>, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body, redirect: 'manual' });

/** One order of the quiet environment, created and paid; how long the player and the game waited. */
async function buy(port: number, key: string): Promise<number> {
  const startedMs = performance.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const created = await post(
    `http://127.0.0.1:${port}/s2s/v1/orders`,
    headers,
    JSON.stringify({ player_id: 'player-1', items: [{ sku: 'gold' }], price_decimal: 1.99, currency: 'EUR' }),
  );
  if (created.status !== 201) throw new Error(`not created: ${created.status} ${await created.text()}`);
  const { checkout_url } = (await created.json()) as { checkout_url: string };
  const path = new URL(checkout_url).pathname;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const paid = await post(`http://127.0.0.1:${port}${path}/pay`, form, FORM.toString());
  if (paid.status !== 303) throw new Error(`not paid: ${paid.status}`);
  return performance.now() - startedMs;
}

async function buyFor(ms: number, port: number, key: string): Promise<number> {
  const waits: number[] = [];
  const endMs = performance.now() + ms;
  while (performance.now() < endMs) {
    waits.push(await buy(port, key));
    await pause(THINK_MS);
  }
  return median(waits);
}

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');
const FLOOD_BODY = JSON.stringify({ player_id: 'p', items: [{ sku: 'gold' }], price_decimal: 1, currency: 'EUR' });

/** In a process of its own, so that the player's clock does not measure the load's own work. */
function startFlood(port: number, key: string): { stop(): Promise<void> } {
  const headers = ['-H', `authorization=Bearer ${key}`, '-H', 'content-type=application/json'];
  const load = ['-c', String(FLOOD_CONNECTIONS), '-d', '600', '-m', 'POST', '-b', FLOOD_BODY, '--no-progress'];
  const url = `http://127.0.0.1:${port}/s2s/v1/orders`;
  const child = spawn(process.execPath, [AUTOCANNON, ...load, ...headers, url], { stdio: 'ignore' });
  return {
    async stop() {
      const end = once(child, 'exit');
      child.kill('SIGKILL');
      await end;
    },
  };
}

/** A flood of what is not the limit of a key: `beyond` names the budget that ends it. */
export interface Flood {
  beyond: string;
  key: string;
}

/** The sandbox pays while another key floods: they share the program and nothing else. */
export async function measureFlood(
  { port, account }: Pick<BenchServer, 'port' | 'account'>,
  { beyond, key }: Flood = { beyond: "another tenant's flood", key: account.liveKey },
): Promise<Result[]> {
  await buyFor(WARM_UP_MS, port, account.sandboxKey);
  const quiet: number[] = [];
  const flooded: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await buyFor(ROUND_MS, port, account.sandboxKey));
    const flood = startFlood(port, key);
    await pause(SETTLE_MS);
    flooded.push(await buyFor(ROUND_MS, port, account.sandboxKey));
    await flood.stop();
  }
  return [
    {
      what: `a payment beside ${beyond}`,
      measured: `to one without, ${median(flooded).toFixed(1)} to ${median(quiet).toFixed(1)} ms, ${FLOOD_CONNECTIONS} connections flood`,
      value: medianRatio(flooded, quiet),
      unit: '×',
      target: { atMost: MOST_SLOWER },
    },
  ];
}
