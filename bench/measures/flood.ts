import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchAccount, BenchServer } from '../lab.ts';
import type { Result } from '../result.ts';
import { median, medianRatio } from '../statistics.ts';

const ROUNDS = 5;
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
/** What each of the connections sends, again and again. */
export interface Load {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ORDER = { player_id: 'p', items: [{ sku: 'gold' }], price_decimal: 1, currency: 'EUR' };

export const ordersBy = (key: string): Load => ({
  method: 'POST',
  path: '/s2s/v1/orders',
  headers: { ...JSON_TYPE, authorization: `Bearer ${key}` },
  body: JSON.stringify(ORDER),
});

/** In a process of its own, so that the player's clock does not measure the load's own work. */
function startFlood(port: number, { method, path, headers, body }: Load): { stop(): Promise<void> } {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const load = [
    '-c',
    String(FLOOD_CONNECTIONS),
    '-d',
    '600',
    '-m',
    method,
    ...(body ? ['-b', body] : []),
    '--no-progress',
  ];
  const child = spawn(process.execPath, [AUTOCANNON, ...load, ...given, `http://127.0.0.1:${port}${path}`], {
    stdio: 'ignore',
  });
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
  load: Load;
}

/** What one company may keep or do, and what asks for more of it without end. */
export async function loadsOf(port: number, account: BenchAccount): Promise<Record<string, Load>> {
  const { companyId, gameId, sandboxKey } = account;
  const headers = await signIn(port, account);
  const member = (method: string, path: string, body?: object): Load => ({
    method,
    path: `/dashboard/api${path}`,
    headers: { ...headers, ...(body && JSON_TYPE) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const environment = `/games/${gameId}/sandbox`;
  const name = 'A sword. '.repeat(20);
  return {
    games: member('POST', `/companies/${companyId}/games`, {
      game_url: 'https://play.google.com/store/apps/details?id=com.example.more',
      game_name: 'More',
    }),
    keys: member('POST', `${environment}/keys`, {}),
    mails: member('POST', `/companies/${companyId}/invitations`, { email: 'friend@example.com', role: 'viewer' }),
    exams: member('POST', `${environment}/exams`, { language: 'node', url: `http://127.0.0.1:${port}/nothing` }),
    streams: member('GET', `${environment}/changes`),
    storage: {
      method: 'PUT',
      path: '/s2s/v1/items/sword',
      headers: { ...JSON_TYPE, authorization: `Bearer ${sandboxKey}` },
      body: JSON.stringify({ name, description: name, undeclared: 'x'.repeat(100_000) }),
    },
  };
}

async function signIn(port: number, { email, password }: BenchAccount): Promise<Record<string, string>> {
  const api = `http://127.0.0.1:${port}/dashboard/api`;
  const own = async (response: Response): Promise<Record<string, string>> => {
    const { csrf_token: token } = (await response.json()) as { csrf_token: string };
    const cookie = response.headers.getSetCookie().map(line => line.split(';')[0]!);
    return { cookie: cookie.join('; '), 'x-csrf-token': token, 'sec-fetch-site': 'same-origin' };
  };
  const visitor = await own(await fetch(`${api}/session`));
  const form = JSON.stringify({ email, password });
  return own(await post(`${api}/sign_in`, { ...visitor, ...JSON_TYPE }, form));
}

/** The sandbox pays while another key floods: they share the program and nothing else. */
export async function measureFlood(
  { port, account }: Pick<BenchServer, 'port' | 'account'>,
  { beyond, load }: Flood = { beyond: "another tenant's flood", load: ordersBy(account.liveKey) },
): Promise<Result[]> {
  await buyFor(WARM_UP_MS, port, account.sandboxKey);
  const quiet: number[] = [];
  const flooded: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await buyFor(ROUND_MS, port, account.sandboxKey));
    const flood = startFlood(port, load);
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
