/** What an operator lives through: a full disk, a lost machine and its backup, processes that come and go. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { A_PURCHASE, CARDS, createStudio, patience, type Studio } from './game-studio.ts';
import { payForm } from './nothing-is-lost/pay-form.ts';
import { type Account, type Coinslot, startCoinslot } from './start-coinslot.ts';

const DISK_MIB = 450;

let folder: string;
let disk: string;
let isSmall: boolean;
let coinslot: Coinslot;
let account: Account;
let studio: Studio;
let game: Game;
let restored: Coinslot | undefined;

/** A file system of its own, small and real. Where this user may mount none, the folder is an ordinary one. */
function mountSmall(place: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'coinslot', place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-operations-'));
  await chmod(folder, 0o755);
  disk = join(folder, 'disk');
  await mkdir(disk);
  isSmall = mountSmall(disk);
  coinslot = await startCoinslot({ DATA_DIR: join(disk, 'data') }, 'embedded');
  account = await coinslot.setup();
  studio = createStudio(coinslot, account);
  game = await startGame({ secret: account.sandbox.s2s_key });
  await studio.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterAll(async () => {
  await restored?.stop();
  await coinslot?.stop();
  await game?.close();
  if (isSmall) execFileSync('umount', ['-l', disk]);
  await rm(folder, { recursive: true, force: true });
});

/** Takes every byte that is left; answers with what frees them. */
async function fillUp(): Promise<() => Promise<void>> {
  const file = join(disk, 'filler');
  const handle = await open(file, 'w');
  for (const size of [1 << 20, 4096]) {
    const block = Buffer.alloc(size, 1);
    for (;;) if (!(await handle.write(block).catch(() => null))) break;
  }
  await handle.close();
  return () => rm(file);
}

const pay = (checkoutUrl: string): Promise<Response> =>
  fetch(`${checkoutUrl}/pay`, { method: 'POST', body: payForm(CARDS.good), redirect: 'manual' });

const ready = async (): Promise<number> => (await fetch(`${coinslot.url}/readyz`)).status;

/** Pages that are there already take some more orders. */
async function createUntilRefused(): Promise<[number, string | null]> {
  for (let tries = 1; ; tries++) {
    const { status, headers } = await studio.call('POST', '/s2s/v1/orders', A_PURCHASE);
    if (status !== 201 || tries === 500) return [status, headers.get('retry-after')];
  }
}

interface Money {
  id: string;
  status: string;
  captures: number;
  attempts: number;
}

const moneyOf = (one: Pick<Coinslot, 'query'>): Promise<Money[]> =>
  one.query<Money>(`select o.id, o.status, count(*) filter (where e.kind = 'captured')::int as captures,
      count(distinct p.id)::int as attempts
    from orders o left join payments p on p.environment_id = o.environment_id and p.order_id = o.id
    left join simulator.entries e on e.environment_id = p.environment_id and e.payment_id = p.id
    group by o.id, o.status`);

test('on a full disk players read that they were not charged, and all is well again once there is room (row 88)', async context => {
  if (!isSmall) context.skip('this user may not mount a file system, so no disk can be filled');
  const orders = await Promise.all(Array.from({ length: 40 }, () => studio.createOrder()));
  const freeDisk = await fillUp();
  const refused: string[] = [];
  for (const { order_id, checkout_url } of orders) {
    const answer = await pay(checkout_url);
    if (answer.status === 303) continue;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await answer.text()).toContain('You were not charged.');
    refused.push(order_id);
    if (refused.length >= 5) break;
  }
  expect(refused.length).toBeGreaterThan(0);
  expect(await ready()).toBe(503);
  expect((await fetch(`${coinslot.url}/healthz`)).status).toBe(200);
  expect(await createUntilRefused()).toEqual([503, expect.stringMatching(/^\d+$/)]);

  await freeDisk();
  const freedMs = performance.now();
  await expect.poll(ready, { interval: 100 }).toBe(200);
  await expect.poll(async () => (await pay(orders[0]!.checkout_url)).status, { interval: 100 }).toBe(303);
  expect(performance.now() - freedMs).toBeLessThan(15_000);

  for (const { checkout_url } of orders) expect((await pay(checkout_url)).status).toBe(303);
  for (const { order_id } of orders) await studio.becomes(order_id, 'paid');
  for (const { id, status, captures } of await moneyOf(coinslot))
    expect([id, captures]).toEqual([id, status === 'paid' ? 1 : 0]);
  const metrics = await (await fetch(`${coinslot.url}/metrics`)).text();
  expect(metrics).toMatch(/coinslot_http_request_duration_seconds_count\{[^}]*pay[^}]*status="5xx"\} [1-9]/);
});

describe('a backup that was made while orders were paid', () => {
  test('brings back every order of before, once the machine is lost, and takes the half-done ones to their end', async () => {
    const before = await Promise.all(Array.from({ length: 5 }, () => studio.buy()));
    const enough = new AbortController();
    const load = Promise.all(
      [1, 2, 3].map(async () => {
        while (!enough.signal.aborted) await pay((await studio.createOrder()).checkout_url);
      }),
    );
    expect(await coinslot.run('help')).toMatch(/\n {2}backup +Copies the whole database/);
    const file = join(folder, 'copy.backup.gz');
    const said = await coinslot.run('backup', file);
    enough.abort();
    await load;
    expect(said).toContain('of them orders');
    expect(await coinslot.run('backup', '--check', file)).toContain('The backup is whole');

    await coinslot.kill();
    await killServerOf(join(disk, 'data'));
    const newHome = { DATA_DIR: join(folder, 'restored') };
    const other = { MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
    await expect(coinslot.run('restore', file, { ...newHome, ...other })).rejects.toThrow(/needs the master key/);
    expect(await coinslot.run('restore', file, newHome)).toContain('The ledger sums to zero and the master key fits');

    const settings = { ...coinslot.env, ...newHome, PROCESSES: '2', STOP_DELAY_SECONDS: '1' };
    restored = await startCoinslot(settings, 'embedded');
    const again = createStudio(restored, account);
    for (const id of before) expect((await again.readOrder(id)).status).toBe('paid');
    // Leases of the dead program end with time.
    await restored.setClockAhead(120);
    const { query } = restored;
    await expect
      .poll(() => query(`select id from orders where status not in ('created', 'paid')`), patience)
      .toEqual([]);
    for (const { id, status, captures } of await moneyOf(restored))
      expect([id, captures]).toEqual([id, status === 'paid' ? 1 : 0]);
    await again.buy();
  });

  test('goes on in several processes: all are replaced under load without a failed request, and a dead one at once', async () => {
    const program = restored!;
    const headers = { authorization: `Bearer ${account.sandbox.s2s_key}`, connection: 'close' };
    const enough = new AbortController();
    const statuses: number[] = [];
    const load = Promise.all(
      [1, 2, 3].map(async () => {
        while (!enough.signal.aborted) {
          const body = JSON.stringify(A_PURCHASE);
          const init = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } };
          statuses.push(
            await fetch(`${program.url}/s2s/v1/orders`, init)
              .then(({ status }) => status)
              .catch(() => 0),
          );
        }
      }),
    );
    process.kill(program.pid, 'SIGHUP');
    await expect.poll(() => program.log().includes('All processes were replaced.'), { timeout: 150_000 }).toBe(true);
    enough.abort();
    await load;
    expect(new Set(statuses)).toEqual(new Set([201]));

    const [member] = await childrenOf(program.pid);
    process.kill(member!, 'SIGKILL');
    await expect.poll(() => program.log().includes('another one is started'), patience).toBe(true);
    await expect.poll(async () => (await childrenOf(program.pid)).length, patience).toBe(2);
    await createStudio(program, account).buy();
    // The one that is asked adds up what both counted, of which the one that was killed knows nothing any more.
    const metrics = async (): Promise<string> => (await fetch(`${program.url}/metrics`)).text();
    await expect
      .poll(metrics, { timeout: 60_000, interval: 200 })
      .toMatch(/coinslot_http_request_duration_seconds_count\{[^}]*status="2xx"\} [1-9]/);
  });
});

/** Those that serve, without the database. */
async function childrenOf(pid: number): Promise<number[]> {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter(line => line.includes('dist/main.js'))
    .map(line => Number.parseInt(line, 10));
}

/** The server of a machine that is no more. */
async function killServerOf(dataDir: string): Promise<void> {
  const [pid] = (await readFile(join(dataDir, 'postgres-18/cluster/postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}
