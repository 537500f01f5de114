import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { launchBrowser } from '../browser.ts';
import { createStudio } from '../game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { PAGES, type Place, signIn } from './places.ts';
import { type SampleGame, seedLittle, seedStuck, startSampleGame } from './seed-shop.ts';

const DIST = fileURLToPath(new URL('../../apps/dashboard/dist/', import.meta.url));
const FIRST_LOAD_BYTES = 200 * 1024;

let coinslot: Coinslot;
let browser: Browser;
let game: SampleGame;
let account: Account;
let place: Place;

beforeAll(async () => {
  [coinslot, browser, game] = await Promise.all([startCoinslot(), launchBrowser(), startSampleGame()]);
  account = await coinslot.setup();
  place = { base: coinslot.url, gameId: account.game_id, mode: 'sandbox' };
  const studio = createStudio(coinslot, account);
  await studio.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove', 'order.*'] });
  await seedLittle(coinslot, account);
  await seedStuck(coinslot, account);
});

afterAll(async () => {
  game?.close();
  await browser?.close();
  await coinslot?.stop();
});

interface Look {
  name: string;
  width: number;
  colorScheme: 'light' | 'dark';
  what: 'all' | 'colours';
}

const LOOKS: readonly Look[] = [
  { name: 'at a desk, in light', width: 1280, colorScheme: 'light', what: 'all' },
  { name: 'on a phone, in dark', width: 390, colorScheme: 'dark', what: 'all' },
];

async function settled(page: Page): Promise<void> {
  await page.waitForSelector('h1');
  await page.waitForSelector('.breathe', { state: 'detached' });
}

describe.each(LOOKS)('every page $name', ({ width, colorScheme, what }) => {
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const options = {
      viewport: { width, height: 900 },
      colorScheme,
      locale: 'en-US',
      reducedMotion: 'reduce',
    } as const;
    context = await browser.newContext(options);
    page = await context.newPage();
    page.on('pageerror', error => problems.push(error.message));
    page.on('console', message => {
      if (/Content Security Policy|violates/.test(message.text())) problems.push(message.text());
    });
  });

  afterAll(() => context?.close());

  test.each(PAGES.filter(one => one.isPublic))('$name can be used by everybody', async ({ path }) => {
    await page.goto((await path(place, page))!);
    await settled(page);
    expect(await violations(page, what)).toEqual([]);
  });

  test('one signs in', () => signIn(page, coinslot.url));

  test.each(PAGES.filter(one => !one.isPublic))('$name can be used by everybody', async ({ path }) => {
    const address = await path(place, page);
    expect(address).not.toBeNull();
    await page.goto(address!);
    await settled(page);
    expect(await violations(page, what)).toEqual([]);
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest).toBeLessThanOrEqual(width);
  });

  test('nothing broke and the policy forbade nothing', () => {
    expect(problems).toEqual([]);
  });
});

describe('the app', () => {
  test('asks for at most 200 KB before the first page stands, packed by gzip', async () => {
    const page = await browser.newPage();
    await signIn(page, coinslot.url);
    const asked = new Set<string>();
    page.on('request', request => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/dashboard/') && !pathname.startsWith('/dashboard/api/')) asked.add(pathname);
    });
    const home = `/dashboard/g/${place.gameId}/sandbox`;
    await page.goto(coinslot.url + home);
    await settled(page);
    await page.waitForSelector('.chart canvas');
    const files = [...asked].map(path => (path === home ? 'index.html' : path.replace('/dashboard/', '')));
    const sizes = files.map(file => statSync(`${DIST}${file}.gz`, { throwIfNoEntry: false })?.size ?? 0);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeGreaterThan(4);
    expect(total).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
    await page.close();
  });

  test('speaks German to who wants it', async () => {
    const page = await browser.newPage({ locale: 'de-DE' });
    await page.goto(`${coinslot.url}/dashboard/sign-in`);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    await page.close();
  });
});
