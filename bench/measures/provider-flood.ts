import { setTimeout as pause } from 'node:timers/promises';
import type { BenchAccount, BenchProgram, Lab } from '../lab.ts';
import type { LiveLoad, LiveLoadCounts, LiveLoadQuestion } from '../programs/live-load.ts';
import type { SlowStripeFacts } from '../programs/slow-stripe.ts';
import type { Result } from '../result.ts';
import { FLOOD_CONNECTIONS, type FloodRounds, measureFlood, memberHeaders, type Purchase, postJson } from './flood.ts';

/** So many that the flood has pages to try until the last round. */
const FLOODED_PAGES = 600;
const AT_ONCE = 16;
const MOST_CALLS = 600;
const TOKENS = 2_000;
const DRAIN_MS = 90_000;
const SETTLE_MS = 2_000;

type StartFlood = () => Promise<{ stop(): Promise<void> }>;

const LIVE = { player_id: 'player-1', items: [{ sku: 'gold' }], price_decimal: 1.99, currency: 'EUR' };

const api = (port: number): string => `http://127.0.0.1:${port}`;

async function liveOrder(port: number, key: string, player: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const order = await postJson(`${api(port)}/s2s/v1/orders`, headers, { ...LIVE, player_id: player });
  return new URL(order.checkout_url as string).pathname;
}

const receiveAt = (port: number, key: string, url: string): Promise<unknown> =>
  postJson(
    `${api(port)}/s2s/v1/webhooks`,
    { authorization: `Bearer ${key}` },
    { url, events: ['item.add', 'item.remove'] },
  );

async function pagesOf(port: number, key: string, tokens: string[]): Promise<LiveLoad['pages']> {
  const pages: LiveLoad['pages'] = [];
  while (pages.length < FLOODED_PAGES) {
    const paths = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => liveOrder(port, key, `player-${pages.length + i}`)),
    );
    for (const path of paths) pages.push({ path, token: tokens[pages.length]! });
  }
  return pages;
}

/** A player of the quiet company who pays in live, where the provider takes its time. */
const livePurchase =
  (tokens: string[]): Purchase =>
  async (port, { liveKey }) => {
    const path = await liveOrder(port, liveKey, 'quiet');
    const token = tokens.pop();
    if (!token) throw new Error('no token is left');
    const body = new URLSearchParams({ email: 'quiet@example.com', method: 'card', provider_token: token });
    const paid = await fetch(`${api(port)}${path}/pay`, { method: 'POST', body, redirect: 'manual' });
    if (paid.status !== 303) throw new Error(`not paid: ${paid.status}`);
  };

async function connectStripe(port: number, account: BenchAccount, keys: SlowStripeFacts['keys']): Promise<void> {
  const answer = await fetch(`${api(port)}/dashboard/api/companies/${account.companyId}/providers/stripe`, {
    method: 'PUT',
    headers: { ...(await memberHeaders(port, account)), 'content-type': 'application/json' },
    body: JSON.stringify({ secret_key: keys.secret, publishable_key: keys.publishable }),
  });
  if (!answer.ok) throw new Error(`not connected: ${answer.status} ${await answer.text()}`);
}

/** Lets the flood use its budget up, and the payments that it began come to their end. */
async function drain(stripe: BenchProgram, load: BenchProgram, flood: StartFlood): Promise<void> {
  const deadlineMs = performance.now() + DRAIN_MS;
  const running = await flood();
  let refused = 0;
  while (refused < FLOOD_CONNECTIONS && performance.now() < deadlineMs) {
    await pause(SETTLE_MS);
    refused = (await load.ask<LiveLoadCounts>('counts')).refused;
  }
  await running.stop();
  if (refused < FLOOD_CONNECTIONS) throw new Error('the flood never reached the end of its budget');
  for (let before = -1, calls = 0; before !== calls && performance.now() < deadlineMs; ) {
    before = calls;
    await pause(SETTLE_MS);
    calls = (await stripe.ask<SlowStripeFacts>('facts')).calls;
  }
}

/** One company has a slow provider called as often as it may and beyond, while another's players pay in sandbox and in live. */
export async function measureProviderFlood(lab: Lab, rounds: FloodRounds): Promise<Result[]> {
  const programs = await Promise.all(
    (['slow-stripe', 'live-load', 'receiver'] as const).map(name => lab.startProgram(name)),
  );
  const [stripe, load, receiver] = programs as [BenchProgram, BenchProgram, BenchProgram];
  const { url, keys } = await stripe.ask<SlowStripeFacts>('facts');
  const hooks = `http://127.0.0.1:${await receiver.ask<number>('port')}/hooks`;
  const server = await lab.startServer(await lab.createDatabase('flood_provider'), {
    BUDGET_PROVIDER_CALLS_PER_HOUR: String(MOST_CALLS),
    STRIPE_API_BASE: url,
    ATTEMPTS_PER_ORDER: '1000000',
    ATTEMPTS_PER_PLAYER: '1000000',
    ATTEMPTS_PER_ADDRESS: '1000000',
  });
  try {
    const { port } = server;
    const flooder = await lab.register(server.databaseUrl, 'flooder');
    for (const account of [server.account, flooder]) {
      await connectStripe(port, account, keys);
      await receiveAt(port, account.liveKey, hooks);
    }
    const tokens = await stripe.ask<string[]>({ tokens: TOKENS });
    const pages = await pagesOf(port, flooder.liveKey, tokens.splice(0, FLOODED_PAGES + AT_ONCE));
    const flood: StartFlood = async () => {
      const question: LiveLoadQuestion = { port, pages, connections: FLOOD_CONNECTIONS };
      await load.ask<LiveLoadCounts>(question);
      return { stop: async () => void (await load.ask<LiveLoadCounts>('stop')) };
    };
    await drain(stripe, load, flood);
    const beyond = "a company's flood beyond its calls to providers";
    // Sandbox first: the quiet company's own budget of calls must not end while it is measured.
    const sandbox = await measureFlood(server, rounds, { beyond, flood });
    const live = await measureFlood(server, rounds, {
      beyond: `${beyond}, in live`,
      flood,
      purchase: livePurchase(tokens),
      thinkMs: 300,
    });
    return [...sandbox, ...live];
  } finally {
    await server.stop();
    await Promise.all(programs.map(program => program.stop()));
  }
}
