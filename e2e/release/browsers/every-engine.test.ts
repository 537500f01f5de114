/** A player and a studio member in Firefox and WebKit: what `npm test` does in Chromium, as far as an engine can differ. */

import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../dashboard/places.ts';
import { CARDS, createStudio, patience, type Studio } from '../../game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from '../../start-coinslot.ts';
import { type Engine, press, sees, type, until } from './engine.ts';
import { ENGINES } from './engines.ts';

const OTHERS = ENGINES.filter(({ name }) => name !== 'Chromium');

let coinslot: Coinslot;
let account: Account;
let studio: Studio;
let game: Game;
let scriptless: { origin: string; server: Server };

/** The same program behind a proxy that forbids every script, which every engine obeys. */
async function startScriptless(target: string): Promise<typeof scriptless> {
  const server = createServer((message, response) => {
    const headers: IncomingHttpHeaders = { ...message.headers, host: new URL(target).host };
    // The program takes a form from its own address only, which here is the proxy's.
    if (headers.origin !== undefined) headers.origin = target;
    const forward = request(new URL(message.url ?? '/', target), { method: message.method, headers }, answer => {
      const location = answer.headers.location?.replace(target, '');
      const policies = [answer.headers['content-security-policy'] ?? [], "script-src 'none'"].flat();
      response.writeHead(answer.statusCode ?? 502, {
        ...answer.headers,
        ...(location !== undefined && { location }),
        'content-security-policy': policies.join(', '),
      });
      answer.pipe(response);
    });
    message.pipe(forward);
  });
  await new Promise<void>(ready => {
    server.listen(0, '127.0.0.1', ready);
  });
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  coinslot = await startCoinslot();
  account = await coinslot.setup();
  studio = createStudio(coinslot, account);
  game = await startGame({ secret: account.sandbox.s2s_key });
  const webhook = { url: game.url, events: ['item.add', 'item.remove'] };
  expect((await studio.call('POST', '/s2s/v1/webhooks', webhook)).status).toBe(201);
  scriptless = await startScriptless(coinslot.url);
});

afterAll(async () => {
  scriptless?.server.closeAllConnections();
  scriptless?.server.close();
  await game?.close();
  await coinslot?.stop();
});

async function fillCard(engine: Engine, card: string): Promise<void> {
  await type(engine, '[autocomplete=email]', 'mika@example.com');
  await type(engine, '[autocomplete=cc-number]', card);
  await type(engine, '[autocomplete=cc-exp]', '12 / 40');
  await type(engine, '[autocomplete=cc-csc]', '039');
  await type(engine, '[autocomplete=postal-code]', '10115');
}

/** What is wider than the screen, with its width; nothing while the page itself is not. */
const WIDER = `document.documentElement.scrollWidth <= innerWidth ? [] : [innerWidth, document.documentElement.scrollWidth,
  ...[...document.querySelectorAll('body *')].filter(element => element.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 5).map(element => element.outerHTML.slice(0, 150))]`;

const submit = (engine: Engine): Promise<unknown> =>
  engine.evaluate(`void setTimeout(() => document.querySelector('#submit').click())`);

/** The main button of the dialog that is open. */
async function confirm(engine: Engine): Promise<void> {
  const found = `document.querySelector('dialog[open] button[type=submit]:not(:disabled)')`;
  await until(engine, found);
  await engine.evaluate(`void setTimeout(() => ${found}.click())`);
}

const statusOf = async (id: string): Promise<string> => (await studio.readOrder(id)).status;

describe.each(OTHERS)('$name', ({ start, lacks }) => {
  const run = lacks === null ? test : test.skip;
  const why = lacks === null ? '' : ` (left out: ${lacks})`;
  let engine: Engine;
  let paid: string;

  beforeAll(async () => {
    if (lacks === null) engine = await start();
  });

  afterAll(() => engine?.close());

  run(`a player pays, and the page is whole${why}`, async () => {
    const order = await studio.createOrder();
    paid = order.order_id;
    await engine.open(order.checkout_url);
    await fillCard(engine, CARDS.good);
    expect(await engine.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await submit(engine);
    await sees(engine, 'Purchase complete');
    expect(await statusOf(paid)).toBe('paid');
  });

  run(`a declined card says so, keeps what is not secret, and another one pays${why}`, async () => {
    const order = await studio.createOrder();
    await engine.open(order.checkout_url);
    await fillCard(engine, CARDS.decline);
    await submit(engine);
    await until(engine, `document.querySelector('[role=alert]')?.innerText.trim()`);
    expect(await engine.evaluate(`document.querySelector('[autocomplete=cc-csc]').value`)).toBe('');
    expect(await engine.evaluate(`document.querySelector('[autocomplete=email]').value`)).toBe('mika@example.com');
    await fillCard(engine, CARDS.good);
    await submit(engine);
    await sees(engine, 'Purchase complete');
    expect(await statusOf(order.order_id)).toBe('paid');
  });

  run(`3-D Secure is completed${why}`, async () => {
    const order = await studio.createOrder();
    await engine.open(order.checkout_url);
    await fillCard(engine, CARDS.challenge);
    await submit(engine);
    await press(engine, 'Complete');
    await sees(engine, 'Purchase complete');
    expect(await statusOf(order.order_id)).toBe('paid');
  });

  run(`a player without script pays${why}`, async () => {
    const order = await studio.createOrder();
    await engine.open(order.checkout_url.replace(coinslot.url, scriptless.origin));
    await fillCard(engine, CARDS.good);
    await submit(engine);
    await expect.poll(() => statusOf(order.order_id), patience).toBe('paid');
    await sees(engine, 'Purchase complete');
  });

  run(`a member signs in and sees the shop, no wider than the screen (row 189)${why}`, async () => {
    await engine.open(`${coinslot.url}/dashboard/sign-in`);
    await type(engine, 'input[type=email]', 'owner@studio.example');
    await type(engine, 'input[type=password]', PASSWORD);
    await press(engine, 'Sign in');
    await until(engine, `location.pathname.includes('/dashboard/g/') && document.querySelector('h1')`);
    await engine.open(`${coinslot.url}/dashboard/g/${account.game_id}/sandbox`);
    await sees(engine, 'All figures');
    await until(engine, `document.querySelectorAll('canvas').length > 0`);
    expect(await engine.evaluate(WIDER)).toEqual([]);
  });

  run(`a member refunds a payment${why}`, async () => {
    const [payment] = await studio.transactionsOf(paid);
    await engine.open(`${coinslot.url}/dashboard/g/${account.game_id}/sandbox/transactions/${payment!.payment_id}`);
    await press(engine, 'Refund');
    await type(engine, 'dialog[open] input', 'The player asked.');
    await confirm(engine);
    await until(engine, `!document.querySelector('dialog[open] input')`);
    await confirm(engine);
    await expect.poll(() => statusOf(paid), patience).toBe('refunded');
  });

  run(`a member answers a dispute${why}`, async () => {
    const order = await studio.createOrder();
    await studio.pay(order.checkout_url, CARDS.disputeOpen);
    await expect.poll(() => statusOf(order.order_id), patience).toBe('disputed');
    const [payment] = await studio.transactionsOf(order.order_id);
    const page = `transactions/${payment!.payment_id}/dispute`;
    await engine.open(`${coinslot.url}/dashboard/g/${account.game_id}/sandbox/${page}`);
    await sees(engine, 'What the bank says');
    await type(engine, 'textarea', 'The player used the items.');
    await press(engine, 'Send to the bank');
    await confirm(engine);
    await sees(engine, 'The bank has your evidence');
  });
});
