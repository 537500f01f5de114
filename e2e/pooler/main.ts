/** `npm run lab -- pooler`: whole orders through a real pgbouncer, in session mode and in transaction mode. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startGame } from '@coinslot/testing/game-receiver';
import { type PoolMode, poolerHere, startPooler } from '@coinslot/testing/pooler';
import pg from 'pg';
import { startEmbedded } from '../../apps/server/src/db/embedded/start-embedded.ts';
import { freePort } from '../free-port.ts';
import { payForm } from '../nothing-is-lost/pay-form.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));
const CARD = '4242 4242 4242 4242';
const PLAYERS = 12;
const ORDERS_OF_EACH = 10;
const WAIT_MS = 120_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await pause(200);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function buy(url: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ player_id: 'player', items: [{ sku: 'sword' }] });
  const created = await fetch(`${url}/s2s/v1/orders`, { method: 'POST', headers, body });
  if (created.status !== 201) throw new Error(`not created: ${created.status} ${await created.text()}`);
  const { order_id, checkout_url } = (await created.json()) as { order_id: string; checkout_url: string };
  const paid = await fetch(`${checkout_url}/pay`, { method: 'POST', body: payForm(CARD), redirect: 'manual' });
  if (paid.status !== 303) throw new Error(`not paid: ${paid.status}`);
  await until(`${order_id} is paid`, async () => {
    const answer = await fetch(`${url}/s2s/v1/orders/${order_id}?wait=5`, { headers });
    return ((await answer.json()) as { status: string }).status === 'paid';
  });
  return order_id;
}

async function captures(databaseUrl: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    `select count(*) filter (where e.kind = 'captured')::int as n from payments p
     join simulator.entries e on e.environment_id = p.environment_id and e.payment_id = p.id group by p.order_id`,
  );
  await client.end();
  return rows.map(({ n }) => n);
}

async function tryMode(mode: PoolMode, folder: string): Promise<void> {
  const dataDir = join(folder, mode);
  const own = await startEmbedded({ dataDir, log: () => {} });
  const pooler = await startPooler(mode, own.url);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: pooler.url,
    ...(mode === 'transaction' && { DATABASE_SESSION_URL: own.url }),
    // No more than the pooler has by default; in session mode each of ours holds one of its own.
    DATABASE_CONNECTIONS: '18',
    DATA_DIR: dataDir,
    MASTER_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'error',
  };
  const program = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const game = await startGame();
  try {
    await until('the program is ready', async () => (await fetch(`${url}/readyz`)).ok);
    const args = ['--email=a@b.example', '--password=orange lamp on the roof', '--company=Studio', '--json'];
    const store = '--game-url=https://apps.apple.com/us/app/castle-quest/id1234567890';
    const made = await promisify(execFile)(process.execPath, [PROGRAM, 'setup', ...args, store], { env });
    const key = (JSON.parse(made.stdout) as { sandbox: { s2s_key: string } }).sandbox.s2s_key;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const hook = JSON.stringify({ url: game.url, events: ['item.add', 'item.remove'], secret: 'a secret of its own' });
    await fetch(`${url}/s2s/v1/webhooks`, { method: 'POST', headers, body: hook });
    const startedMs = performance.now();
    await Promise.all(
      Array.from({ length: PLAYERS }, async () => {
        for (let n = 0; n < ORDERS_OF_EACH; n++) await buy(url, key);
      }),
    );
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const counts = await captures(own.url);
    if (counts.length !== PLAYERS * ORDERS_OF_EACH || counts.some(n => n !== 1))
      throw new Error(`captures for each order: ${counts.join(' ')}`);
    say(`${mode} mode: ${counts.length} orders paid, each captured once, in ${seconds} s`);
  } finally {
    await stop(program);
    await pooler.stop();
    await game.close();
    await own.stop();
  }
}

const found = poolerHere();
if (found === null) {
  say('There is no pgbouncer on this machine. Install the package pgbouncer and run this again.');
  process.exitCode = 1;
} else {
  say(found);
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-pooler-'));
  await chmod(folder, 0o755);
  try {
    await tryMode('session', folder);
    await tryMode('transaction', folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
