import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchAccount, BenchServer } from '../lab.ts';
import type { Result } from '../result.ts';
import { median, medianRatio } from '../statistics.ts';

/** How long is measured: each round with and without the flood. */
export interface FloodRounds {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
}

export const WHOLE_ROUNDS: FloodRounds = { rounds: 5, roundMs: 3_000, warmUpMs: 4_000 };
/** To see that everything runs: its figures say little. */
export const QUICK_ROUNDS: FloodRounds = { rounds: 3, roundMs: 1_500, warmUpMs: 1_500 };
/** Until the flood has begun. */
const SETTLE_MS = 1_000;
/** Between two purchases, so that the quiet one stays within its own limit. */
const THINK_MS = 50;
export const FLOOD_CONNECTIONS = 64;
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

export async function postJson(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await post(url, { ...headers, 'content-type': 'application/json' }, JSON.stringify(body));
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Creates one order of the quiet company and pays it. */
export type Purchase = (port: number, account: BenchAccount) => Promise<void>;

const buyInSandbox: Purchase = async (port, { sandboxKey }) => {
  const headers = { authorization: `Bearer ${sandboxKey}` };
  const order = { player_id: 'player-1', items: [{ sku: 'gold' }], price_decimal: 1.99, currency: 'EUR' };
  const created = await postJson(`http://127.0.0.1:${port}/s2s/v1/orders`, headers, order);
  const path = new URL(created.checkout_url as string).pathname;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const paid = await post(`http://127.0.0.1:${port}${path}/pay`, form, FORM.toString());
  if (paid.status !== 303) throw new Error(`not paid: ${paid.status}`);
};

/** How long the player and the game waited, in the middle. */
async function buyFor(ms: number, purchase: () => Promise<void>, thinkMs: number): Promise<number> {
  const waits: number[] = [];
  const endMs = performance.now() + ms;
  while (performance.now() < endMs) {
    const startedMs = performance.now();
    await purchase();
    waits.push(performance.now() - startedMs);
    await pause(thinkMs);
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
  flood: () => { stop(): Promise<void> } | Promise<{ stop(): Promise<void> }>;
  /** Without it the quiet company sells in sandbox. */
  purchase?: Purchase;
  thinkMs?: number;
}

export const floodOf = (port: number, load: Load) => (): { stop(): Promise<void> } => startFlood(port, load);

/** What one company may keep or do, and what asks for more of it without end. */
export async function loadsOf(port: number, account: BenchAccount): Promise<Record<string, Load>> {
  const { companyId, gameId, sandboxKey } = account;
  const headers = await memberHeaders(port, account);
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

/** What a signed-in member's browser sends. */
export async function memberHeaders(port: number, { email, password }: BenchAccount): Promise<Record<string, string>> {
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

/** The quiet company sells while another floods: they share the program and nothing else. */
export async function measureFlood(
  { port, account }: Pick<BenchServer, 'port' | 'account'>,
  { rounds, roundMs, warmUpMs }: FloodRounds,
  { beyond, flood, purchase = buyInSandbox, thinkMs = THINK_MS }: Flood,
): Promise<Result[]> {
  const buy = (): Promise<void> => purchase(port, account);
  await buyFor(warmUpMs, buy, thinkMs);
  // What is measured lies beyond the budget: the first flood uses it up.
  const first = await flood();
  await pause(warmUpMs);
  await first.stop();
  const quiet: number[] = [];
  const flooded: number[] = [];
  for (let round = 0; round < rounds; round++) {
    quiet.push(await buyFor(roundMs, buy, thinkMs));
    const running = await flood();
    try {
      await pause(SETTLE_MS);
      flooded.push(await buyFor(roundMs, buy, thinkMs));
    } finally {
      await running.stop();
    }
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
