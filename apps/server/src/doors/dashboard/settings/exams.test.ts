/** The exam as a studio member takes it in the dashboard, against receivers that run here. */
import { createHmac } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exam } from '@coinslot/contract';
import { createWebhookHandler, memoryStore, toNodeListener, type WebhookEvent } from '@coinslot/sdk';
import { signedInMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimExams } from '../../../domain/webhook/conformance/exam.sql.ts';

let shop: TestProgram;
let developer: Awaited<ReturnType<typeof signedInMember>>;
const servers: Server[] = [];
const SECRET = 'a secret of this webhook';
/** Nothing listens there. */
let absent: string;

beforeAll(async () => {
  absent = await serve(() => {});
  await new Promise(resolve => servers.pop()!.close(resolve));
  shop = await startProgram({ workers: false });
  developer = await signedInMember(shop, 'developer');
});
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  await shop?.close();
});

const at = (path: string, mode = 'sandbox'): string => `/games/${shop.account.gameId}/${mode}/${path}`;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A game made with the SDK, whose inventory can be read. */
async function serveGame(secret: string): Promise<{ url: string; inventoryUrl: string }> {
  const held = new Map<string, Record<string, number>>();
  const change =
    (sign: 1 | -1) =>
    ({ event_data: { player_id, items } }: WebhookEvent<'item.add' | 'item.remove'>) => {
      const bag = held.get(player_id) ?? {};
      for (const { sku, quantity } of items) bag[sku] = (bag[sku] ?? 0) + sign * quantity;
      held.set(player_id, bag);
    };
  const handle = createWebhookHandler({
    secret,
    store: memoryStore(),
    onItemAdd: change(1),
    onItemRemove: change(-1),
  });
  const listen = toNodeListener(handle);
  const url = await serve((request, response) => {
    if (request.method === 'POST') return void listen(request, response);
    const playerId = decodeURIComponent(request.url!.split('/').at(-1)!);
    response.end(JSON.stringify(held.get(playerId) ?? {}));
  });
  return { url: `${url}/webhook`, inventoryUrl: `${url}/inventory/{player_id}` };
}

const start = (body: object) => developer.browser.call<Exam>('POST', at('exams'), body);

async function take(body: object): Promise<Exam> {
  const started = await start(body);
  expect(started).toMatchObject({ status: 202, body: { status: 'running', results: [] } });
  await shop.program.workers.drain();
  return (await developer.browser.call<Exam>('GET', at(`exams/${started.body.exam_id}`))).body;
}

it('a receiver that does everything passes all that can be tried from afar, and its report can be shared', async () => {
  const game = await serveGame(shop.account.sandbox.s2sKey);
  const exam = await take({ url: game.url, inventory_url: game.inventoryUrl, language: 'python' });
  const others = exam.results.filter(({ outcome }) => outcome !== 'passed');
  expect(others.map(({ name, outcome, problem }) => [name, outcome, problem])).toEqual([
    ['crash', 'skipped', null],
    ['crash_between', 'skipped', null],
  ]);
  expect(exam).toMatchObject({ status: 'finished', problem: null, score: 100, missed: 0, open: 2, losses: [] });
  expect(exam.results).toHaveLength(exam.checks);

  const file = await developer.browser.fetch('GET', at(`exams/${exam.exam_id}/report`));
  const text = await file.text();
  expect(file.headers.get('content-disposition')).toContain(`${exam.exam_id}.md`);
  expect(text).toContain('# Webhook exam: 100 %');
  expect(text).not.toContain(shop.account.sandbox.s2sKey);
  const list = await developer.browser.call<{ data: Exam[] }>('GET', at('exams'));
  expect(list.body.data.map(({ exam_id }) => exam_id)).toContain(exam.exam_id);
}, 60_000);

async function registerWebhook(url: string): Promise<string> {
  const { body } = await shop.call<{ id: string }>('POST', '/s2s/v1/webhooks', {
    url,
    events: ['order.paid'],
    secret: SECRET,
  });
  return body.id;
}

it('a registered webhook is signed with its own secret, and what it misses is explained in its language', async () => {
  let asked = 0;
  // It checks signatures and nothing else, so that old requests grant again.
  const url = await serve((request, response) => {
    asked += 1;
    const signedAt = String(request.headers['x-service-signature-timestamp']);
    const mac = createHmac('sha256', SECRET).update(`${signedAt}.`);
    request.on('data', (part: Buffer) => mac.update(part));
    request.on('end', () => {
      const isRight = request.headers['x-service-signature'] === mac.digest('hex');
      response.writeHead(isRight ? 200 : 403).end('{"status":"ok"}');
    });
  });
  const webhookId = await registerWebhook(url);
  const exam = await take({ webhook_id: webhookId, language: 'go' });
  expect(exam).toMatchObject({
    status: 'finished',
    url,
    webhook_id: webhookId,
    losses: expect.arrayContaining(['stranger_gets']),
  });
  expect(asked).toBeGreaterThan(exam.checks);
  const old = exam.results.find(({ name }) => name === 'old');
  expect(old).toMatchObject({ outcome: 'missed', problem: expect.stringContaining('200') });
  expect(old?.line).toContain('timestamp');
  expect(exam.results.find(({ name }) => name === 'twice')?.outcome).toBe('unseen');
}, 60_000);

describe('an address that does not know the secret gets a handful of requests, and no exam (row 178)', () => {
  it.each([
    [200, 'wrong_signature', 'hmac.Equal'],
    [404, 'right', ''],
    [503, 'right', ''],
  ])('one that answers everything with %i', async (status, missed, line) => {
    let asked = 0;
    const url = await serve((request, response) => {
      asked += 1;
      request.resume().on('end', () => response.writeHead(status).end());
    });
    const exam = await take({ webhook_id: await registerWebhook(url), language: 'go' });
    const result = exam.results.find(({ name }) => name === missed);
    expect(result).toMatchObject({ outcome: 'missed', problem: expect.stringContaining(String(status)) });
    expect(result?.line).toContain(line);
    const rest = exam.results.slice(exam.results.indexOf(result!) + 1);
    expect(new Set(rest.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
    expect(rest[0]?.problem).toBe(`not judged before ${missed} passes`);
    expect(asked).toBeLessThanOrEqual(6);
  });

  it('nor is an inventory asked that is on another host', async () => {
    const game = await serveGame(shop.account.sandbox.s2sKey);
    const inventory_url = 'https://stranger.example.com/{player_id}';
    expect(await start({ url: game.url, inventory_url, language: 'node' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/inventory_url', code: 'url_refused' }] },
    });
  });
});

it('an exam whose worker died is taken again by another; until then the company has no second one', async () => {
  const { body: started } = await start({ url: absent, language: 'node' });
  const [dead] = await claimExams(shop.database.db, 'dead', 1, 60);
  expect(dead?.id).toBe(started.exam_id);
  await shop.program.workers.drain();
  const read = () => developer.browser.call<Exam>('GET', at(`exams/${started.exam_id}`));
  expect((await read()).body.status).toBe('running');

  expect(await start({ url: absent, language: 'node' })).toMatchObject({ status: 409, body: { code: 'exam_running' } });
  await shop.later(61);
  await shop.program.workers.drain();
  expect((await read()).body.status).toBe('failed');
});

it('an address that does not answer ends the exam at once and says so', async () => {
  const exam = await take({ url: absent, language: 'node' });
  expect(exam).toMatchObject({ status: 'failed', problem: expect.stringContaining('refused'), results: [] });
});

it('addresses that webhooks may not have are refused here too, and live and viewers have no exam', async () => {
  const refused = [
    { url: 'http://10.0.0.1/webhook' },
    { url: 'https://169.254.169.254/latest' },
    { url: 'https://game.example.com', inventory_url: 'http://10.0.0.1/{player_id}' },
    { url: 'https://game.example.com', webhook_id: 'whk_x' },
    {},
  ];
  for (const body of refused) {
    const answer = await start({ ...body, language: 'node' });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining('url')]);
  }
  const body = { url: 'https://game.example.com', language: 'node' };
  expect(await developer.browser.call('POST', at('exams', 'live'), body)).toMatchObject({
    status: 403,
    body: { code: 'sandbox_only' },
  });
  const viewer = await signedInMember(shop, 'viewer');
  expect(await viewer.browser.call('POST', at('exams'), body)).toMatchObject({
    status: 403,
    body: { code: 'role_too_low' },
  });
  expect((await viewer.browser.call('GET', at('exams/exm_none'))).status).toBe(404);
});

it('a sandbox takes a bounded number of exams in an hour and keeps the newest', async () => {
  let last = await start({ url: absent, language: 'node' });
  for (let i = 0; i < 20 && last.status === 202; i++) {
    await shop.program.workers.drain();
    last = await start({ url: absent, language: 'node' });
  }
  expect(last).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  const { body } = await developer.browser.call<{ data: Exam[] }>('GET', at('exams'));
  expect(body.data.length).toBeLessThanOrEqual(20);
});
