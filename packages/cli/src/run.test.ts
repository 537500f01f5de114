import { createHmac } from 'node:crypto';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ran, type RunOptions, runCli, startCli } from './testing/run-cli.ts';

let shop: TestProgram;
let game: Game;
let env: Record<string, string>;

beforeAll(async () => {
  shop = await startProgram();
  env = { COINSLOT_KEY: shop.account.sandbox.s2sKey, COINSLOT_URL: shop.url };
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
});
afterAll(async () => {
  await game?.close();
  await shop?.close();
});

/** The machine may be busy with other tests. */
const patience = { timeout: 60_000 };

const cli = (argv: string[], options: RunOptions = {}): Promise<Ran> =>
  runCli(argv, { env, fetch: globalThis.fetch, ...options });

const json = async <T = Record<string, unknown>>(...argv: string[]): Promise<T> => {
  const { out, err } = await cli([...argv, '--json']);
  expect(err).toBe('');
  return JSON.parse(out) as T;
};

const create = async (): Promise<string> =>
  (await json<{ order_id: string }>('orders', 'create', '--player', 'ann', '--sku', 'sword')).order_id;

async function countListeners(): Promise<number> {
  const text = 'select id from webhook_subscriptions where listening_until is not null';
  return (await shop.database.db.query({ name: '', text, values: [] })).length;
}

async function countOpen(): Promise<number> {
  const text = "select id from deliveries where status = 'pending'";
  return (await shop.database.db.query({ name: '', text, values: [] })).length;
}

async function whileListening<T>(argv: string[], work: (out: () => string) => Promise<T>): Promise<[T, Ran]> {
  const stop = new AbortController();
  const running = startCli(['listen', '--forward-to', game.url, ...argv], { env, signal: stop.signal });
  await expect.poll(() => running.err() + running.out(), patience).toMatch(/Ready|"ready"/);
  const result = await work(running.out).finally(() => stop.abort());
  return [result, await running.ended];
}

describe('listen', () => {
  it('grants an order by the response of the local server, and revokes it', async () => {
    const [id, listened] = await whileListening([], async out => {
      const order = await create();
      const paid = await cli(['orders', 'pay', order, '--card', 'success']);
      expect(paid).toMatchObject({ code: 0, err: expect.stringContaining(`coinslot orders refund ${order}`) });
      expect(paid.out).toMatch(/status +paid/);
      expect((await json('orders', 'refund', order)).status).toBe('refunded');
      await expect.poll(out, patience).toContain('item.remove');
      return order;
    });
    expect(listened.code).toBe(0);
    expect(listened.err).toContain('Signed with your S2S key');
    const lines = listened.out.trimEnd().split('\n');
    expect(lines[0]).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}item.add {6}${id} {2}200 in \\d+ ms {2}granted$`));
    expect(lines[1]).toMatch(/item.remove .* removed$/);
    expect(game.requests.every(({ verified }) => verified)).toBe(true);
    expect(game.inventory.get('ann')?.get('sword')).toBe(0);
  });

  it('relays a refusal, an outage and a refused connection', async () => {
    game.answer('decline');
    const [[declined, waiting]] = await whileListening([], async () => {
      const first = await create();
      const refused = await cli(['orders', 'pay', first, '--card', 'success']);
      game.answer({ status: 503 });
      const second = await create();
      const unsure = await cli(['orders', 'pay', second, '--card', 'success']);
      // Otherwise its next attempt would reach the listener of a later test.
      await expect.poll(async () => (await json('orders', 'get', second)).status, patience).toBe('paid');
      return [refused, unsure] as const;
    });
    expect(declined).toMatchObject({ code: 7, out: expect.stringMatching(/status +rejected/) });
    expect(waiting).toMatchObject({ code: 0, out: expect.stringMatching(/status +authorized/) });
    const stop = new AbortController();
    const refused = startCli(['listen', '--forward-to', '1/x', '--count', '1'], { env, signal: stop.signal });
    await expect.poll(refused.err, patience).toContain('Ready');
    await cli(['trigger', 'item.add']);
    expect((await refused.ended).out).toMatch(/local server: connection refused {2}will be sent again/);
    // The delivery was only for this listener. It is canceled when the listener ends, or by the next attempt if the
    // answer came at the same moment.
    await shop.later(90);
    await expect.poll(countOpen, patience).toBe(0);
  });

  it('prints webhooks as lines of JSON, and stops after as many as told', async () => {
    const [sent, listened] = await whileListening(['--print-json', '--count', '1'], () =>
      json<{ outcomes: { status: string }[] }>(
        'trigger',
        'item.add',
        '--player',
        'bob',
        '--sku',
        'shield',
        '--quantity',
        '2',
      ),
    );
    expect(sent.outcomes).toMatchObject([{ status: 'succeeded', test: true }]);
    const [ready, webhook] = listened.out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(ready).toMatchObject({ type: 'ready', takes_items: true });
    expect(webhook).toMatchObject({
      type: 'webhook',
      event: { event_type: 'item.add', event_data: { player_id: 'bob', items: [{ sku: 'shield', quantity: 2 }] } },
      answer: { status: 200 },
    });
  });

  it('ends with 3 when the server is down, and 4 when the key is wrong', async () => {
    const argv = ['listen', '--forward-to', '3000'];
    const nowhere = await cli(argv, { env: { ...env, COINSLOT_URL: 'http://127.0.0.1:1' } });
    expect(nowhere).toMatchObject({ code: 3, err: expect.stringContaining('Is it running?') });
    const unknown = { ...env, COINSLOT_KEY: `sk_sandbox_${'x'.repeat(40)}` };
    expect(await cli(argv, { env: unknown })).toMatchObject({ code: 4, err: expect.stringContaining('unauthorized') });
  });
});

describe('events', () => {
  it('tail shows what happens, as it happens', async () => {
    const stop = new AbortController();
    const tail = startCli(['events', 'tail', '--events', 'payment.*', '--count', '2', '--json'], {
      env,
      signal: stop.signal,
    });
    const people = startCli(['events', 'tail'], { env, signal: stop.signal });
    await expect.poll(people.err, patience).toContain('Watching Castle Quest');
    await expect.poll(countListeners, patience).toBe(2);
    const id = await create();
    expect((await cli(['orders', 'pay', id, '--card', 'decline'])).code).toBe(7);
    const { code, out } = await tail.ended;
    expect([
      code,
      out
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).event_type),
    ]).toEqual([0, ['payment.pending', 'payment.declined']]);
    await expect.poll(people.out, patience).toMatch(/payment.declined .* player ann · 1\.00 USD · Payment declined/);
    stop.abort();
    expect((await people.ended).code).toBe(0);
    const listed = await cli(['events', 'list', '--order', id, '--event', 'payment.declined']);
    expect(listed.out.split('\n')).toHaveLength(3);
  });
});

describe('orders and payments', () => {
  it('create prints the page and the next command; JSON is one document', async () => {
    const made = await cli([
      'orders',
      'create',
      '--player',
      'ann',
      '--sku',
      'sword',
      '--price',
      '4.99',
      '--currency',
      'EUR',
    ]);
    expect(made.out).toMatch(/^order +ord_\w+\nprice +4.99 EUR\npage +http\S+\/c\/\S+\n$/);
    expect(made.err).toMatch(/coinslot orders pay ord_\w+ --card success/);
    const input = JSON.stringify({ player_id: 'eve', items: [{ sku: 'x' }], prise: 1 });
    expect(await cli(['orders', 'create', '--data', '-'], { input })).toMatchObject({
      code: 0,
      err: expect.stringContaining('/prise is not an order field'),
    });
  });

  it('advance makes what is due later happen now', async () => {
    const id = await create();
    expect(await cli(['orders', 'advance', id, '--by', '2h'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/status +created/),
    });
    expect(await cli(['orders', 'advance', id, '--by', 'soon'])).toMatchObject({ code: 2, out: '' });
  });

  it('3ds leads through the challenge', async () => {
    const id = await create();
    const asked = await cli(['orders', 'pay', id, '--card', '3ds']);
    expect(asked).toMatchObject({
      code: 0,
      err: expect.stringContaining(`coinslot orders pay ${id} --challenge complete`),
    });
    const failed = await cli(['orders', 'pay', id, '--challenge', 'fail']);
    expect(failed).toMatchObject({ code: 7, out: expect.stringContaining('2065') });
    const payments = await cli(['payments', 'list', '--order', id]);
    expect(payments.out).toMatch(/declined +1\.00 USD +visa …5813 +2065 3-D Secure/);
  });

  it('list, cancel and get agree; waiting for what cannot come ends with 7', async () => {
    const id = await create();
    expect((await cli(['orders', 'cancel', id])).out).toMatch(/status +canceled/);
    const listed = await cli(['orders', 'list', '--status', 'canceled', '--player', 'ann', '--since', '1h']);
    expect(listed.out).toContain(id);
    expect(await cli(['orders', 'get', id, '--wait-for', 'paid'])).toMatchObject({ code: 7 });
    expect(await cli(['orders', 'cancel', 'ord_00000000000000000000000000'])).toMatchObject({ code: 5 });
    expect(await cli(['orders', 'refund', id])).toMatchObject({ code: 6, err: expect.stringMatching(/request req_/) });
    expect((await cli(['orders', 'list', '--status', 'expired'])).err).toContain('No orders.');
  });
});

describe('webhooks, deliveries and signatures', () => {
  it('add, test, list, retry, remove', async () => {
    const added = await json<{ id: string }>('webhooks', 'add', game.url, '--description', 'my game');
    const tested = await cli(['webhooks', 'test', added.id]);
    expect(tested).toMatchObject({ code: 0, out: expect.stringMatching(/answer +200/) });
    game.answer({ status: 418, body: 'a \u001B[31mteapot' });
    const refused = await cli(['webhooks', 'test', added.id]);
    expect(refused).toMatchObject({ code: 7, out: expect.stringMatching(/answer +418/) });
    const deliveryId = /dlv_\w+/.exec(refused.out)![0];
    expect((await cli(['deliveries', 'get', deliveryId])).out).toContain('a \\u001b[31mteapot');
    expect(await cli(['deliveries', 'retry', deliveryId])).toMatchObject({ code: 0 });
    expect((await cli(['deliveries', 'list', '--webhook', added.id])).out).toMatch(
      /webhook.test \(test\) +succeeded +2 +200/,
    );
    expect((await cli(['webhooks', 'list'])).out).toContain('my game');
    expect((await cli(['webhooks', 'remove', added.id])).code).toBe(0);
    expect(await cli(['webhooks', 'remove', added.id])).toMatchObject({ code: 5 });
  });

  it('a trigger without a receiver says so', async () => {
    const sent = await cli(['trigger', 'order.paid', '--override', 'amuont:=1']);
    expect(sent.err).toContain('order.paid has no field amuont.');
    expect(sent.err).toContain('No webhook or listener receives order.paid');
  });

  it('verify tells a good signature from a bad one, and why', async () => {
    const input = '{"event_type":"item.add","idempotency_key":"k","event_data":{}}';
    const timestamp = String(Math.floor(Date.now() / 1000));
    const sign = (secret: string): string => createHmac('sha256', secret).update(`${timestamp}.${input}`).digest('hex');
    const verify = (signature: string, more: RunOptions = {}, at = timestamp) =>
      cli(['signature', 'verify', '--body', '-', '--timestamp', at, '--signature', signature], { input, ...more });
    expect(await verify(sign(env.COINSLOT_KEY!))).toMatchObject({ code: 0, out: 'valid  item.add k\n' });
    const own = 'a secret of its own';
    expect(await verify(sign(own), { env: { ...env, COINSLOT_SECRET: own } })).toMatchObject({ code: 0 });
    for (const [weak, why] of [
      ['', 'is empty'],
      ['short', 'too short'],
    ] as const) {
      const refused = await verify(sign(weak), { env: { ...env, COINSLOT_SECRET: weak } });
      expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(why) });
    }
    expect(await verify(sign('other'))).toMatchObject({
      code: 7,
      out: expect.stringContaining('the secret or the body is different'),
    });
    expect(await verify(sign(env.COINSLOT_KEY!), { input: `${input}\n` })).toMatchObject({ code: 7 });
  });
});

it('colors are for terminals', async () => {
  const escapeCode = String.fromCodePoint(27);
  expect((await cli(['orders', 'list'])).out).not.toContain(escapeCode);
  expect((await cli(['orders', 'list'], { terminal: true })).out).toContain(escapeCode);
  expect((await cli(['orders', 'list', '--no-color'], { terminal: true })).out).not.toContain(escapeCode);
  expect((await cli(['orders', 'list'], { terminal: true, env: { ...env, NO_COLOR: '1' } })).out).not.toContain(
    escapeCode,
  );
});
