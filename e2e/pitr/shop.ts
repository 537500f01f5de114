import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Daemon, startDaemon } from '../failover/machine.ts';
import { untilReady } from '../failover/programs.ts';
import { freePort } from '../free-port.ts';
import type { Account } from '../start-coinslot.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));
const PAID_MS = 120_000;
const FORM = new URLSearchParams({
  card_number: '4242 4242 4242 4242',
  card_expiry: '12 / 40',
  card_cvc: '123',
  email: 'player@example.com',
  postal_code: '10115',
});

/** The built program on a database that is taken away from it and given back. */
export class LabShop {
  readonly env: NodeJS.ProcessEnv;
  #daemon: Daemon | undefined;
  key = '';

  constructor(databaseUrl: string, port: number) {
    this.env = {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: tmpdir(),
      DATABASE_URL: databaseUrl,
      MASTER_KEY: randomBytes(32).toString('base64'),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
    };
  }

  static async open(databaseUrl: string): Promise<LabShop> {
    const shop = new LabShop(databaseUrl, await freePort());
    await shop.start();
    const account = ['--email=owner@studio.example', '--password=orange lamp on the roof', '--company=Northwind Games'];
    const game = ['--game-url=https://apps.apple.com/us/app/castle-quest/id1234567890', '--json'];
    shop.key = (JSON.parse(await shop.run('setup', ...account, ...game)) as Account).sandbox.s2s_key;
    return shop;
  }

  async start(): Promise<void> {
    this.#daemon = startDaemon(process.execPath, [PROGRAM, 'start'], this.env);
    await untilReady({ url: this.env.PUBLIC_URL!, daemon: this.#daemon });
  }

  async stop(): Promise<void> {
    const child = this.#daemon?.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  /** What a command printed, whatever its exit code: doctor's is 1 when anything at all is wrong. */
  async run(...args: string[]): Promise<string> {
    const done = promisify(execFile)(process.execPath, [PROGRAM, ...args], { env: this.env });
    return (await done.catch((error: { stdout: string }) => error)).stdout;
  }

  async call(method: string, path: string, body?: object): Promise<Record<string, string>> {
    const headers = {
      authorization: `Bearer ${this.key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const ask = () =>
      fetch(this.env.PUBLIC_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    // On a busy machine a database that has just been started may answer later than a call waits.
    const deadline = Date.now() + PAID_MS;
    let response = await ask();
    while (response.status === 503 && Date.now() < deadline) {
      await pause(1_000);
      response = await ask();
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  }

  /** Ends once the order is paid, which it is when the game has granted its items. */
  async buy(player: string): Promise<string> {
    const items = [{ sku: 'gems', name: 'Gems', quantity: 1, price: { amount: 499, currency: 'EUR' } }];
    const order = await this.call('POST', '/s2s/v1/orders', { player_id: player, items });
    const paid = await fetch(`${order.checkout_url}/pay`, { method: 'POST', body: FORM, redirect: 'manual' });
    if (paid.status !== 303) throw new Error(`not paid: ${paid.status}`);
    const deadline = Date.now() + PAID_MS;
    for (;;) {
      const { status } = await this.call('GET', `/s2s/v1/orders/${order.order_id}`);
      if (status === 'paid') return order.order_id!;
      if (Date.now() > deadline) throw new Error(`${order.order_id} is still ${status}`);
      await pause(100);
    }
  }

  async buyMany(count: number, name: string): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await this.buy(`${name}_${i}`));
    return ids;
  }
}
