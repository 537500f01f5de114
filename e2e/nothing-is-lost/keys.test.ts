import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeal } from '../../apps/server/src/kit/seal.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));
const OLD = randomBytes(32);
const NEW = randomBytes(32);
const SECRETS = 600;

let coinslot: Coinslot;
let account: Account;
let game: Game;

beforeAll(async () => {
  game = await startGame();
  coinslot = await startCoinslot({ MASTER_KEY: OLD.toString('base64') });
  account = await coinslot.setup();
});

afterAll(async () => {
  await coinslot.stop();
  await game.close();
});

const call = async (url: string, method: string, path: string, body?: object): Promise<Record<string, string>> => {
  const headers = { authorization: `Bearer ${account.sandbox.s2s_key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json() as Promise<Record<string, string>>;
};

/** Runs `keys rotate` and kills it as soon as it says this; null lets it end. Answers with all that it said. */
async function rotate(killAt: RegExp | null): Promise<{ said: string; code: number | null }> {
  const env = { ...coinslot.env, PATH: process.env.PATH, NEW_MASTER_KEY: NEW.toString('base64') };
  const child = spawn(process.execPath, [PROGRAM, 'keys', 'rotate'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = once(child, 'exit');
  let said = '';
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
    if (killAt?.test(said)) child.kill('SIGKILL');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  await end;
  return { said, code: child.exitCode };
}

/** Secrets of one more environment's keys, as the program itself seals them. */
async function insertSecrets(): Promise<void> {
  const seal = createSeal(OLD);
  const ids = Array.from({ length: SECRETS }, (_, n) => `key_test${n}`);
  await coinslot.query(
    `insert into s2s_keys (environment_id, id, label, key_hash, key_sealed, created_at)
     select (select environment_id from s2s_keys limit 1), g.id, 'test', sha256(g.id::bytea), g.sealed, now()
     from unnest($1::text[], $2::bytea[]) as g (id, sealed)`,
    [ids, ids.map(id => seal.seal(`secret of ${id}`, id))],
  );
}

async function payOne(): Promise<void> {
  const order = await call(coinslot.url, 'POST', '/s2s/v1/orders', { player_id: 'p', items: [{ sku: 'gold' }] });
  await call(coinslot.url, 'POST', `/s2s/v1/orders/${order.order_id}/pay`, { card: 'success' });
  await expect
    .poll(() => call(coinslot.url, 'GET', `/s2s/v1/orders/${order.order_id}`).then(({ status }) => status))
    .toBe('paid');
}

test('a change of the master key survives kills at every stage, while orders are paid (row 89)', async () => {
  await insertSecrets();
  const hook = { events: ['item.add', 'item.remove'], url: game.url, secret: 'a secret of its own' };
  await call(coinslot.url, 'POST', '/s2s/v1/webhooks', hook);
  for (const stage of [/Both keys are known/, /The new key is in use/, /200 secrets are sealed/]) {
    expect(await rotate(stage)).toMatchObject({ code: null });
    await payOne();
  }
  expect(await rotate(null)).toMatchObject({ code: 0, said: expect.stringContaining('Every secret is sealed') });
  await payOne();

  const sealed = await coinslot.query<{ id: string; sealed: Buffer }>(
    `select id, key_sealed as sealed from s2s_keys where id like 'key_test%'`,
  );
  const opened = sealed.map(({ id, sealed: bytes }) => createSeal(NEW).open(bytes, id) === `secret of ${id}`);
  expect([opened.length, opened.every(Boolean)]).toEqual([SECRETS, true]);

  const next = await coinslot.startAnother({ MASTER_KEY: NEW.toString('base64') });
  const finish = spawn(process.execPath, [PROGRAM, 'keys', 'finish'], {
    env: { ...coinslot.env, PATH: process.env.PATH, MASTER_KEY: NEW.toString('base64') },
    stdio: 'ignore',
  });
  const [code] = await once(finish, 'exit');
  expect(code).toBe(0);
  await call(next.url, 'GET', '/s2s/v1/webhooks');
  await next.stop();
  await expect(coinslot.startAnother({})).rejects.toThrow(/MASTER_KEY is the key \w{8}, which the database/);
}, 400_000);
