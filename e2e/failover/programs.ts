import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import type { Account } from '../start-coinslot.ts';
import { type Daemon, startDaemon } from './machine.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));
const START_MS = 60_000;
const REQUEST_MS = 12_000;

export interface Program {
  url: string;
  daemon: Daemon;
}

export interface Programs {
  /** Those that answer requests. */
  serving: readonly Program[];
  /** These and those that work. */
  all: readonly Program[];
  key: string;
  /** Each in turn, as a proxy before them would do. */
  next(): Promise<string>;
  close(): Promise<void>;
}

export async function untilReady({ url, daemon }: Program): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const isReady = await fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    );
    if (isReady) return;
    await pause(100);
  }
  throw new Error(`a program did not start:\n${daemon.log()}`);
}

/** The built program, several times on one database: some processes serve, as many work. */
export async function startPrograms(ofEach: number, databaseUrl: string): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-failover-programs-'));
  const settings = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'error',
  };
  const all: Program[] = [];
  for (const command of Array.from({ length: ofEach }, () => ['serve', 'work']).flat()) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const where = command === 'serve' ? { PORT: String(port), PUBLIC_URL: url } : { OPS_PORT: String(port) };
    const program = { url, daemon: startDaemon(process.execPath, [PROGRAM, command], { ...settings, ...where }) };
    all.push(program);
  }
  async function close(): Promise<void> {
    for (const { daemon } of all) {
      if (daemon.child.exitCode !== null || daemon.child.signalCode !== null) continue;
      daemon.child.kill('SIGKILL');
      await once(daemon.child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }

  try {
    // None that serves is ready before one works.
    await Promise.all(all.map(untilReady));
    const serving = all.filter((_, i) => i % 2 === 0);
    const account = ['--email=owner@studio.example', '--password=orange lamp on the roof', '--company=Northwind Games'];
    const game = ['--game-url=https://apps.apple.com/us/app/castle-quest/id1234567890', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'setup', ...account, ...game], {
      env: settings,
    });
    const { s2s_key: key } = (JSON.parse(stdout) as Account).sandbox;
    let turn = 0;
    return { serving, all, key, next: async () => serving[turn++ % serving.length]!.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates an order at one program again and again, and remembers when that last worked. */
export class Probe {
  /** The orders that were acknowledged, and when. */
  readonly orders = new Map<string, number>();
  readonly #url: string;
  readonly #key: string;
  #isOver = false;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
    void this.#run();
  }

  async #run(): Promise<void> {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ player_id: 'probe', items: [{ sku: 'probe' }] }),
    };
    while (!this.#isOver) {
      const signal = AbortSignal.timeout(REQUEST_MS);
      const answer = await fetch(`${this.#url}/s2s/v1/orders`, { ...init, signal }).catch(() => null);
      const body = await answer?.json().catch(() => null);
      if (answer?.status === 201 && body) this.orders.set((body as { order_id: string }).order_id, Date.now());
      await pause(100);
    }
  }

  /** When it first answered after `from`. */
  async firstAfter(from: number, forMs: number): Promise<number> {
    const deadline = Date.now() + forMs;
    for (;;) {
      const first = [...this.orders.values()].find(at => at > from);
      if (first !== undefined) return first;
      if (Date.now() > deadline) return Number.POSITIVE_INFINITY;
      await pause(20);
    }
  }

  stop(): void {
    this.#isOver = true;
  }
}
