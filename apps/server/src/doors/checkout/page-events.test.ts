import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeAppearance } from '../../domain/game/change-appearance.ts';
import { deviceOf } from './page-events.ts';

let shop: TestProgram;
let game: Game;

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add'] });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

type Counts = Record<string, number>;

async function readCounts(): Promise<Counts> {
  await shop.program.parts.background.settle();
  const metric = await shop.program.parts.metrics.registry.getSingleMetric('coinslot_checkout_events_total')?.get();
  const ofSandbox = metric?.values.filter(({ labels }) => labels.mode === 'sandbox') ?? [];
  return Object.fromEntries(ofSandbox.map(({ labels, value }) => [labels.event, value]));
}

let before: Counts = {};
beforeEach(async () => {
  before = await readCounts();
});

/** What came since the test began. */
async function counted(): Promise<Counts> {
  const now = await readCounts();
  const grown = Object.entries(now).map(([event, count]) => [event, count - (before[event] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, count]) => count > 0));
}

const beacon = (checkoutUrl: string, body: string, type = 'text/plain;charset=UTF-8') =>
  fetch(`${checkoutUrl}/events`, { method: 'POST', body, headers: { 'content-type': type } });

describe('the metrics count', () => {
  it('an order that was opened, once, however often it is reloaded', async () => {
    const { checkout_url } = await shop.createOrder();
    for (let i = 0; i < 3; i++) await (await fetch(checkout_url)).text();
    expect(await counted()).toEqual({ opened: 1 });
  });

  it('every form that was sent, and no form that was refused or came late', async () => {
    const { checkout_url } = await shop.createOrder();
    await shop.pay(checkout_url, CARDS.decline);
    await shop.pay(checkout_url, CARDS.success, { email: 'ada' });
    await shop.pay(checkout_url);
    await shop.pay(checkout_url);
    const free = await shop.createOrder({ price_decimal: 0, currency: 'USD' });
    await fetch(`${free.checkout_url}/claim`, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' });
    expect(await counted()).toEqual({ submitted: 3 });
  });

  it('a challenge, once, however often it is shown', async () => {
    const { checkout_url, order_id } = await shop.createOrder();
    await shop.pay(checkout_url, CARDS.challenge);
    for (let i = 0; i < 2; i++) expect(await (await fetch(checkout_url)).text()).toContain('data-state="challenge"');
    await fetch(`${checkout_url}/challenge`, { method: 'POST', body: new URLSearchParams({ result: 'complete' }) });
    await shop.until(order_id, 'paid');
    expect(await counted()).toEqual({ submitted: 1, challenge_shown: 1 });
  });

  it('what only the browser sees, by a beacon', async () => {
    const { checkout_url } = await shop.createOrder();
    for (const event of ['method_chosen', 'left', 'left']) {
      const answer = await beacon(checkout_url, event);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    }
    expect(await counted()).toEqual({ method_chosen: 1, left: 2 });
  });

  it('by mode, as they are scraped', async () => {
    const { checkout_url } = await shop.createOrder();
    const read = async () => {
      const text = await (await fetch(`${shop.url}/metrics`)).text();
      return Number(/coinslot_checkout_events_total\{event="left",mode="sandbox"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const earlier = await read();
    await beacon(checkout_url, 'left');
    // The metrics are made once a second.
    await expect.poll(read).toBe(earlier + 1);
  });
});

describe('a beacon', () => {
  it('cannot count what the server counts itself, nor anything unknown', async () => {
    const { checkout_url } = await shop.createOrder();
    for (const word of ['opened', 'submitted', 'challenge_shown', '', 'Left', '__proto__']) {
      expect((await beacon(checkout_url, word)).status).toBe(400);
    }
    expect((await beacon(checkout_url, 'l'.repeat(65))).status).toBe(413);
    expect((await beacon(checkout_url, '{"event":"left"}', 'application/json')).status).toBeGreaterThanOrEqual(400);
    expect(await counted()).toEqual({});
  });

  it('of one page counts only so often', async () => {
    const { checkout_url } = await shop.createOrder();
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await beacon(checkout_url, 'left')).status);
    expect(statuses).toEqual([...Array(30).fill(204), 429]);
    expect(await counted()).toEqual({ left: 30 });
  });

  it('with a made-up token is not found', async () => {
    expect((await beacon(`${shop.url}/c/${'A'.repeat(64)}`, 'left')).status).toBe(404);
  });

  it('is the only thing here that is read as plain text', async () => {
    const { checkout_url } = await shop.createOrder();
    const answer = await fetch(`${checkout_url}/pay`, { method: 'POST', body: 'email=a@b.example' });
    expect(answer.status).toBe(415);
  });
});

describe('a page', () => {
  it("wears the game's icon, logo and color from the next look on", async () => {
    const { checkout_url } = await shop.createOrder();
    const pictures = { icon: 'https://cdn.example/icon.png', logo: 'https://cdn.example/logo.svg' };
    expect(await (await fetch(checkout_url)).text()).not.toContain('cdn.example');
    await changeAppearance({ db: shop.database.db }, null, shop.account.gameId, {
      ...pictures,
      name: 'Tiny <Harvest>',
      accent: '#7a1fa2',
    });
    const html = await (await fetch(checkout_url)).text();
    for (const url of Object.values(pictures)) expect(html).toContain(url);
    expect(html).toContain('Tiny &lt;Harvest&gt;');
    expect(html).toContain('7a1fa2');
  });

  it('keeps the language that was picked, through forms and redirects', async () => {
    const { checkout_url } = await shop.createOrder({ locale: 'en' });
    const german = await (await fetch(`${checkout_url}?lang=de`)).text();
    expect(german).toContain('<html lang="de"');
    const action = / action="([^"]+\/pay[^"]*)"/.exec(german)?.[1] ?? '';
    const refused = await fetch(new URL(action, shop.url), { method: 'POST', body: new URLSearchParams() });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('<html lang="de"')]);
    const answer = await fetch(new URL(action, shop.url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        email: 'player@example.com',
        card_number: CARDS.success,
        card_expiry: '12/40',
        card_cvc: '123',
        postal_code: '10115',
      }),
    });
    expect(answer.headers.get('location')).toBe(`${new URL(checkout_url).pathname}?lang=de`);
    const hostile = await fetch(`${checkout_url}?lang=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect([hostile.status, await hostile.text()]).toEqual([200, expect.not.stringContaining('alert(1)')]);
  });
});

it.each([
  [
    'phone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
  ],
  ['phone', 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36'],
  ['tablet', 'Mozilla/5.0 (Linux; Android 16; SM-X910) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36'],
  ['tablet', 'Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'],
  ['desktop', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['desktop', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15'],
  ['other', 'UnityPlayer/6000.1'],
  ['other', undefined],
] as const)('a %s is recognized by what its browser says: %s', (device, userAgent) => {
  expect(deviceOf(userAgent)).toBe(device);
});
