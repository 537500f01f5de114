import { connect } from 'node:net';
import type { BenchServer, Lab } from '../lab.ts';
import type { Result } from '../result.ts';
import { median, medianRatio } from '../statistics.ts';

const FILE_PATH = '/static/page.html';
const FIXED_PATH = '/favicon.svg';
const ROUNDS = 15;
const VISITS_IN_ROUND = 40;
/** A server that has been up for a minute, not one that has just compiled its first page. */
const WARM_UP_VISITS = 3_000;
const ITEMS = ['100 gold', 'A sword that sings', 'Ten bags of seed'].map((name, i) => ({
  sku: `item_${i}`,
  name,
  description: 'Yours to keep.',
  quantity: i + 1,
  price_decimal: 1.99,
  currency: 'EUR',
}));

async function createOrder(port: number, key: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/s2s/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
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

/**
 * The page, read from the database and rendered for each visit, against a file of its size that the same program sends from
 * the disk, in turns. The favicon, which lies in memory, is measured beside them to show what a visit costs at the least.
 */
export async function measurePage(lab: Lab, server: BenchServer): Promise<Result[]> {
  const program = await lab.startProgram('page-server');
  const port = await program.ask<number>({ start: { databaseUrl: server.databaseUrl, masterKey: lab.masterKey } });
  const paths = [await createOrder(port, server.account.sandboxKey), FILE_PATH, FIXED_PATH];
  for (let i = 0; i < WARM_UP_VISITS; i++) for (const path of paths) await visit(port, path);
  const medians: number[][] = paths.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    const waits: number[][] = paths.map(() => []);
    for (let i = 0; i < VISITS_IN_ROUND; i++) {
      for (const [at, path] of paths.entries()) waits[at]!.push(await visit(port, path));
    }
    for (const [at, values] of waits.entries()) medians[at]!.push(median(values));
  }
  await program.stop();
  const [pageMs, fileMs, fixedMs] = medians as [number[], number[], number[]];
  const text = (values: number[]): string => `${median(values).toFixed(2)} ms`;
  return [
    {
      what: "payment page's first byte against a static file's",
      measured: `${text(pageMs)} against ${text(fileMs)}; from memory ${text(fixedMs)}`,
      value: medianRatio(pageMs, fileMs),
      unit: '×',
      target: { atMost: 2 },
    },
  ];
}
