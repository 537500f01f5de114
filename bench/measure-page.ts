import { connect } from 'node:net';
import type { BenchServer } from './lab.ts';
import type { Result } from './result.ts';
import { median, medianRatio } from './statistics.ts';

const STATIC_PATH = '/favicon.svg';
const ROUNDS = 15;
const VISITS_IN_ROUND = 40;
const WARM_UP_VISITS = 600;
const ITEMS = ['100 gold', 'A sword that sings', 'Ten bags of seed'].map((name, i) => ({
  sku: `item_${i}`,
  name,
  description: 'Yours to keep.',
  quantity: i + 1,
  price_decimal: 1.99,
  currency: 'EUR',
}));

async function createOrder({ port, account }: BenchServer): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/s2s/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.sandboxKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ player_id: 'player-1', items: ITEMS }),
  });
  const { checkout_url } = (await answer.json()) as { checkout_url: string };
  return new URL(checkout_url).pathname;
}

/** Milliseconds from the call to the first byte of the answer, on a connection of its own as a player's first visit has. */
function visit(port: number, path: string): Promise<number> {
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-language: de\r\naccept-encoding: gzip, br\r\nconnection: close\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let waitedMs = Number.NaN;
    let isGood = false;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
    socket.once('data', (head: Buffer) => {
      waitedMs = performance.now() - startedMs;
      isGood = head.toString('latin1', 0, 12) === 'HTTP/1.1 200';
    });
    socket.on('data', () => {});
    socket.once('error', reject);
    socket.once('close', () => (isGood ? resolve(waitedMs) : reject(new Error(`${path} did not answer 200`))));
  });
}

/** The page, read from the database and rendered for each visit, against a fixed answer of the same server, in turns. */
export async function measurePage(server: BenchServer): Promise<Result[]> {
  const { port } = server;
  const path = await createOrder(server);
  for (let i = 0; i < WARM_UP_VISITS; i++) await visit(port, i % 2 === 0 ? path : STATIC_PATH);
  const pageMs: number[] = [];
  const staticMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const pages: number[] = [];
    const fixed: number[] = [];
    for (let i = 0; i < VISITS_IN_ROUND; i++) {
      fixed.push(await visit(port, STATIC_PATH));
      pages.push(await visit(port, path));
    }
    pageMs.push(median(pages));
    staticMs.push(median(fixed));
  }
  return [
    {
      what: "payment page's first byte against a static file's",
      measured: `${median(pageMs).toFixed(2)} ms against ${median(staticMs).toFixed(2)} ms`,
      value: medianRatio(pageMs, staticMs),
      unit: '×',
      target: { atMost: 2 },
    },
  ];
}
