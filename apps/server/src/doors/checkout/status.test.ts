import type { AddressInfo } from 'node:net';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { type Gate, gate } from '@coinslot/testing/gate';
import { CARDS, MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { type UnreliableGateway, unreliableGateway } from '@coinslot/testing/unreliable-gateway';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Program, wire } from '../../program/wire.ts';
import { loadConfig } from '../../settings/config.ts';

let shop: TestProgram;
let game: Game;
let provider: UnreliableGateway;
let other: Program;
let otherUrl: string;
/** Opens when a request waits at the other process. */
let isWaiting: Gate = gate();

/** A second process on the same database that never looks again by itself: only a signal ends a wait there. */
async function startOther(): Promise<void> {
  other = wire({
    config: loadConfig({ NODE_ENV: 'test', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' }),
    databaseUrl: shop.database.url,
    masterKey: MASTER_KEY,
    version: '0.0.0-test',
    replace: parts => ({
      ...parts,
      signals: {
        ...parts.signals,
        wait(key) {
          isWaiting.open();
          return parts.signals.wait(key, 600_000);
        },
      },
    }),
  });
  await other.start();
  await other.app.listen({ port: 0, host: '127.0.0.1' });
  otherUrl = `http://127.0.0.1:${(other.app.server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  shop = await startProgram({
    replace: parts => {
      provider = unreliableGateway(parts.simulator);
      return { ...parts, simulator: { ...parts.simulator, ...provider } };
    },
  });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  await startOther();
});

afterEach(() => {
  game.answerAlways(null);
  provider.behave();
  isWaiting = gate();
});

afterAll(async () => {
  await other?.stop();
  await game?.close();
  await shop?.close();
});

interface Status {
  version: number;
  state: string;
}

const elsewhere = (checkoutUrl: string): string => otherUrl + new URL(checkoutUrl).pathname;

const askStatus = async (checkoutUrl: string, version: number): Promise<Status> =>
  (await fetch(`${checkoutUrl}/status?version=${version}`)).json() as Promise<Status>;

/** What the page says when it is opened now, at either process. */
async function shown(checkoutUrl: string): Promise<string> {
  const pages = await Promise.all([checkoutUrl, elsewhere(checkoutUrl)].map(async url => (await fetch(url)).text()));
  const states = pages.map(html => / data-state="(\w+)"/.exec(html)?.[1] ?? 'none');
  expect(states[1]).toBe(states[0]);
  return states[0]!;
}

describe('a page that waits at one process', () => {
  it('hears at once what another process did', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    const waiting = askStatus(elsewhere(checkout_url), 1);
    await isWaiting.opened;
    await shop.call('POST', `/s2s/v1/orders/${order_id}/cancel`);
    expect(await waiting).toEqual({ version: 2, state: 'canceled' });
  });

  it('is led through a payment that another process makes', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    let last: Status = { version: 1, state: 'ready' };
    const seen: string[] = [];
    const first = askStatus(elsewhere(checkout_url), last.version);
    await isWaiting.opened;
    await shop.pay(checkout_url);
    last = await first;
    for (;;) {
      seen.push(last.state);
      if (last.state === 'done') break;
      last = await askStatus(elsewhere(checkout_url), last.version);
    }
    expect(seen.at(-1)).toBe('done');
    expect(await shop.readOrder(order_id)).toMatchObject({ status: 'paid' });
  });

  it('hears of a refund, also long after the purchase', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    await shop.pay(checkout_url);
    await shop.until(order_id, 'paid');
    const { version, state } = await askStatus(checkout_url, -1);
    expect(state).toBe('done');
    const waiting = askStatus(elsewhere(checkout_url), version);
    await isWaiting.opened;
    await shop.call('POST', `/s2s/v1/orders/${order_id}/refund`, {});
    expect((await waiting).state).toMatch(/^refund/);
  });

  it('is answered when its process goes down, so that the player asks another', async () => {
    const { checkout_url } = await shop.createOrder();
    const waiting = askStatus(elsewhere(checkout_url), 1);
    await isWaiting.opened;
    await other.stop();
    expect(await waiting).toEqual({ version: 1, state: 'ready' });
    await startOther();
  });
});

describe('a reload tells the truth', () => {
  it('at every moment of a payment', async () => {
    const [provided, granted] = [gate(), gate()];
    const { order_id, checkout_url } = await shop.createOrder();
    expect(await shown(checkout_url)).toBe('ready');
    await shop.pay(checkout_url, CARDS.decline);
    expect(await shown(checkout_url)).toBe('ready');

    provider.misbehave('authorize', { kind: 'slow_before', until: provided.opened });
    const paying = shop.pay(checkout_url);
    await shop.until(order_id, 'pending');
    expect(await shown(checkout_url)).toBe('paying');
    await shop.database.advance(20);
    expect(await shown(checkout_url)).toBe('checking');

    game.answer((_request, response) => void granted.opened.then(() => response.writeHead(200).end()));
    provided.open();
    await shop.until(order_id, 'authorized');
    expect(await shown(checkout_url)).toBe('asking');

    granted.open();
    await shop.until(order_id, 'paid');
    expect(await shown(checkout_url)).toBe('done');
    await paying;
    expect(await (await fetch(checkout_url)).text()).not.toContain('<form method="post"');

    await shop.call('POST', `/s2s/v1/orders/${order_id}/refund`, {});
    expect(['refund_requested', 'refunded']).toContain(await shown(checkout_url));
    await shop.until(order_id, 'refunded');
    expect(await shown(checkout_url)).toBe('refunded');
  });

  it('about a challenge, a refusal and the end of the time', async () => {
    const challenged = await shop.createOrder();
    await shop.pay(challenged.checkout_url, CARDS.challenge);
    expect(await shown(challenged.checkout_url)).toBe('challenge');
    game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    const answer = new URLSearchParams({ result: 'complete' });
    await fetch(`${challenged.checkout_url}/challenge`, { method: 'POST', body: answer });
    await shop.until(challenged.order_id, 'rejected');
    expect(await shown(challenged.checkout_url)).toBe('rejected');

    const lapsing = await shop.createOrder();
    await shop.database.advance(24 * 3600 + 1);
    expect(await shown(lapsing.checkout_url)).toBe('expired');
  });
});

it.each(['pay', 'claim', 'challenge', 'give-up', 'forget'])(
  'the address of the form %s leads to the page when it is opened like one',
  async part => {
    const { checkout_url: url } = await shop.createOrder();
    const answer = await fetch(`${shop.url}${new URL(url).pathname}/${part}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(url).pathname]);
  },
);
