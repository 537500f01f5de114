import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { launchBrowser } from '../browser.ts';
import { createStudio } from '../game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { expectStill, requestsOf, watchShifts } from './first-load.ts';
import { keysShown } from './keys-shown.ts';
import { DESK, expectGood } from './look.ts';
import { PAGES, PASSWORD, type Place, signIn } from './places.ts';
import { type SampleGame, seedLittle, seedStuck, startSampleGame } from './seed-shop.ts';

const FIRST_LOAD_BYTES = 170 * 1024;
const FIRST_LOAD_REQUESTS = 12;

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

const PHONE = { width: 390, height: 844 } as const;

async function settled(page: Page): Promise<void> {
  await page.waitForSelector('h1');
  await page.waitForSelector('.breathe', { state: 'detached' });
  await page.waitForSelector('[aria-busy=true]', { state: 'detached' });
}

/** On a desktop in light with every rule, then on a phone in dark: contrast, and that nothing is wider than the screen. */
async function expectAccessible(page: Page, address: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(DESK);
  await page.goto(address);
  await settled(page);
  expect(await keysShown(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.setViewportSize(PHONE);
  await settled(page);
  expect(await violations(page, 'colors')).toEqual([]);
  const widest = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(widest).toBeLessThanOrEqual(PHONE.width);
}

describe('every page', () => {
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    page = await browser.newPage({ locale: 'en-US' });
    page.on('pageerror', error => problems.push(error.message));
    page.on('console', message => {
      if (/Content Security Policy|violates/.test(message.text())) problems.push(message.text());
    });
  });

  afterAll(() => page?.close());

  test.each(PAGES.filter(one => one.isPublic))('$name is accessible', async ({ path }) => {
    await expectAccessible(page, (await path(place, page))!);
  });

  test('the owner signs in', () => signIn(page, coinslot.url));

  test.each(PAGES.filter(one => !one.isPublic))('$name is accessible', async ({ path }) => {
    await expectAccessible(page, (await path(place, page))!);
  });

  test('the drawer of a phone and the search are accessible', async () => {
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'More' }).click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('combobox').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('a filter stands in the address, by mouse or by keyboard', async () => {
    await page.setViewportSize(DESK);
    await page.goto(`${coinslot.url}/dashboard/g/${place.gameId}/sandbox/transactions`);
    await settled(page);
    await page.getByRole('button', { name: 'Status', exact: true }).press('Enter');
    await page.getByRole('checkbox', { name: 'Declined', exact: true }).check();
    await page.waitForURL(/status=declined/);
    // Until the answer arrives, the list from before is shown pale.
    await settled(page);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear Status' }).click();
    await page.waitForURL(/transactions$/);
  });

  test('amounts are filtered in their currency, brands by their name', async () => {
    await page.getByRole('button', { name: 'Amount', exact: true }).click();
    await page.getByLabel('At least').fill('5');
    await page.getByRole('combobox', { name: 'Currency', exact: true }).selectOption('USD');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/amount=5\.\.&currency=USD/);
    // Until the answer arrives, the list from before the filter is shown.
    const isShown = async (amount: RegExp): Promise<boolean> =>
      (await page.getByRole('row', { name: amount }).count()) > 0;
    await expect
      .poll(async () => [await isShown(/\$24\.99/), await isShown(/\$4\.99/)], { timeout: 60_000 })
      .toEqual([true, false]);
    await page.getByRole('button', { name: 'Card brand', exact: true }).click();
    await page.getByRole('radio', { name: 'Visa' }).check();
    await page.waitForURL(/brand=visa/);
    await expectGood(page, 'transactions-filters');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.waitForURL(/transactions$/);
  });

  test('the theme of the menu holds, whatever the system wants', async () => {
    await page.getByRole('button', { name: /^Account of/ }).press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await violations(page, 'colors')).toEqual([]);
    await page.reload();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  });

  test('no script failed and the policy blocked nothing', () => {
    expect(problems).toEqual([]);
  });
});

describe('every dialog', () => {
  const OPENERS: readonly (readonly [page: string, openers: readonly (string | RegExp)[]])[] = [
    ['home', [/^Search/, 'Add up currencies']],
    ['transaction', ['Refund']],
    ['dispute', ['Send to the bank']],
    ['orders', ['Bulk action']],
    ['order', ['Advance time']],
    ['attention', ['Refund']],
    ['grants', ['Refund']],
    ['player', ['Erase player']],
    ['items', ['Add item']],
    ['item', ['Edit item', 'Delete']],
    ['keys', ['Create key', 'Reveal', 'Revoke']],
    ['webhooks', ['Add webhook']],
    ['company', ['Change link', 'Add game']],
    ['provider', ['Connect Stripe', 'Connect PayPal']],
    ['reconciliation', ['Compare a day']],
    ['team', ['Invite member']],
    ['audit', [/^Signed in/]],
    ['profile', ['Turn on', 'Add a passkey']],
  ];
  let page: Page;

  beforeAll(async () => {
    page = await browser.newPage({ locale: 'en-US', viewport: DESK, reducedMotion: 'reduce' });
    await signIn(page, coinslot.url);
  });

  afterAll(() => page?.close());

  const SHOWN = 'dialog[open]';
  /** After the last stop of a dialog comes the browser itself, which is nowhere in the page. */
  const focus = () =>
    page.evaluate(shown => {
      const at = document.activeElement;
      if (at === null || at === document.body) return 'nowhere';
      if (at.closest(shown)) return 'inside';
      return at.hasAttribute('data-opener') ? 'opener' : `behind: ${at.textContent}`;
    }, SHOWN);

  /** With `item`, the button opens a menu, and the item of that name the dialog. */
  async function sweep(opener: string | RegExp, item?: string): Promise<void> {
    const button = page.getByRole('button', { name: opener, exact: typeof opener === 'string' }).first();
    await button.evaluate(one => one.setAttribute('data-opener', ''));
    await button.press('Enter');
    if (item) {
      await page.getByRole('menu').waitFor();
      const chosen = () => page.evaluate(() => document.activeElement?.textContent ?? '');
      for (let step = 0; step < 10 && (await chosen()) !== item; step++) await page.keyboard.press('ArrowDown');
      expect(await chosen()).toBe(item);
      await page.keyboard.press('Enter');
    }
    await page.locator(SHOWN).waitFor();
    await expect.poll(focus).toBe('inside');
    expect(await keysShown(page)).toEqual([]);
    const stops = await page.locator(SHOWN).locator('a[href], button, input, select, textarea, summary').count();
    await page.evaluate(shown => {
      document.body.dataset.strayed = '';
      document.addEventListener('focusin', ({ target }) => {
        const at = target as HTMLElement;
        if (document.querySelector(shown) && !at.closest(shown)) document.body.dataset.strayed += `${at.outerHTML} `;
      });
    }, SHOWN);
    for (let stop = 0; stop <= stops; stop++) await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.body.dataset.strayed)).toBe('');
    await page.keyboard.press('Escape');
    await page.locator(SHOWN).waitFor({ state: 'hidden' });
    await expect.poll(focus).toBe('opener');
    await button.evaluate(one => one.removeAttribute('data-opener'));
  }

  test.each(OPENERS)('of %s takes the focus in, keeps it, and gives it back at Escape', async (name, openers) => {
    const { path } = PAGES.find(one => one.name === name)!;
    await page.goto((await path(place, page))!);
    await settled(page);
    for (const opener of openers) await sweep(opener);
  });

  test('of a webhook’s menu does so too, by keyboard alone', async () => {
    const { path } = PAGES.find(one => one.name === 'webhook')!;
    await page.goto((await path(place, page))!);
    await settled(page);
    for (const item of ['Edit webhook', 'Reveal secret', 'Rotate secret', 'Replay events', 'Delete'])
      await sweep('More actions', item);
  });

  test('of the keys opens at a question mark, and gives the focus back to where it was', async () => {
    const { path } = PAGES.find(one => one.name === 'profile')!;
    await page.goto((await path(place, page))!);
    await settled(page);
    await page.getByRole('button', { name: 'Turn on', exact: true }).focus();
    await page.keyboard.press('?');
    await expect.poll(focus).toBe('inside');
    await page.keyboard.press('Escape');
    await page.locator(SHOWN).waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Turn on');
  });
});

describe('the app', () => {
  let session: Awaited<ReturnType<BrowserContext['storageState']>>;

  beforeAll(async () => {
    const context = await browser.newContext();
    await signIn(await context.newPage(), coinslot.url);
    session = await context.storageState();
    await context.close();
  });

  /** Another browser with the same session, so that nothing is in its cache. */
  const freshBrowser = (): Promise<BrowserContext> => browser.newContext({ storageState: session });

  test.each([
    '',
    '/transactions',
    '/orders',
    '/attention',
    '/players',
    '/items',
    '/integration/keys',
    '/integration/sandbox',
    '/integration/webhooks',
    '/settings/appearance',
    '/settings/company',
    '/settings/grant-rules',
    '/settings/methods',
    '/settings/provider',
    '/settings/receipts',
    '/settings/team',
  ])(
    'asks for at most 170 KB in 12 requests, answers of the server included, before %s stands with its charts, and nothing moves',
    async path => {
      const fresh = await freshBrowser();
      const page = await fresh.newPage();
      await watchShifts(page);
      const asked = requestsOf(page);
      // Says nothing: an order that changes meanwhile is read again, and is no part of the page either.
      await page.route('**/changes', () => undefined);
      await page.goto(`${coinslot.url}/dashboard/g/${place.gameId}/sandbox${path}`);
      await settled(page);
      if (path === '') await page.waitForSelector('.chart canvas');
      const addresses = asked.map(request => request.url());
      expect(addresses.slice(FIRST_LOAD_REQUESTS)).toEqual([]);
      // What the first script asked for is what the app then reads: nothing is asked for twice.
      expect(addresses).toEqual([...new Set(addresses)]);
      const sizes = await Promise.all(asked.map(request => request.sizes()));
      const total = sizes.reduce((sum, size) => sum + size.responseHeadersSize + size.responseBodySize, 0);
      expect(total).toBeGreaterThan(FIRST_LOAD_BYTES / 2);
      expect(total).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
      await expectStill(page);
      await page.setViewportSize(PHONE);
      await page.reload();
      await settled(page);
      if (path === '') await page.waitForSelector('.chart canvas');
      await expectStill(page);
      await fresh.close();
    },
  );

  test.each([
    ['home', '', ['checklist', 'en', 'home', 'session']],
    ['a list', '/transactions', ['en', 'en', 'session', 'transactions', 'transactions-page']],
    ['a list with a filter', '/orders?status=paid', ['en', 'en', 'orders-page', 'session']],
    [
      'a page of settings',
      '/settings/methods',
      ['en', 'en', 'methods', 'methods-page', 'providers', 'rule-text', 'session'],
    ],
    [
      'a page of the set-up',
      '/integration/webhooks',
      ['en', 'en', 'event-text', 'session', 'webhook-dialog', 'webhooks', 'webhooks-page'],
    ],
  ])('asks for what %s needs before any of its code has run', async (_, path, wanted) => {
    const context = await freshBrowser();
    const page = await context.newPage();
    const asked = requestsOf(page);
    await page.route('**/assets/app-*.js', route => route.abort());
    await page.goto(`${coinslot.url}/dashboard/g/${place.gameId}/sandbox${path}`, { waitUntil: 'commit' });
    const names = (): string[] =>
      asked
        .slice(1)
        .map(request =>
          new URL(request.url()).pathname
            .split('/')
            .at(-1)!
            .replace(/-[\w-]{8}\.js$/, ''),
        )
        .filter(name => name !== 'app' && name !== 'rolldown-runtime')
        .toSorted();
    await expect.poll(names).toEqual(wanted);
    await context.close();
  });

  test('shows its outline with the first answer, before any of its code has come', async () => {
    const page = await browser.newPage();
    await page.route('**/assets/*.js', route => route.abort());
    await page.goto(`${coinslot.url}/dashboard/g/${place.gameId}/sandbox`);
    await page.locator('.outline-shell').waitFor({ state: 'visible' });
    await page.goto(`${coinslot.url}/dashboard/sign-in`);
    await page.locator('.outline-shell').waitFor({ state: 'hidden' });
    await page.close();
  });

  test('draws one page of a list of 10,000 orders at a time, however far the reader goes', async () => {
    await coinslot.query(
      `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at, expires_at, updated_at)
       select e.id, 'ord_01' || lpad((10001 - n)::text, 24, '0'), 'many-' || n % 500, 'canceled', 499, 'USD',
         '[{"sku":"potion","name":"Potion of haste","quantity":1,"priceMinor":499,"currency":"USD"}]', '{}',
         app_now() - n * interval '1 minute', app_now() - n * interval '1 minute', app_now()
       from environments e, generate_series(1, 10000) n where e.game_id = $1 and e.mode = 'sandbox'`,
      [place.gameId],
    );
    const page = await browser.newPage({ viewport: DESK });
    await signIn(page, coinslot.url);
    await page.goto(`${coinslot.url}/dashboard/g/${place.gameId}/sandbox/orders?status=canceled`);
    await settled(page);
    for (const first of ['many-1', 'many-51']) {
      await page.getByRole('cell', { name: first, exact: true }).waitFor();
      const { rows, elements } = await page.evaluate(() => ({
        rows: document.querySelectorAll('tbody tr').length,
        elements: document.querySelectorAll('*').length,
      }));
      expect(rows).toBe(50);
      expect(elements).toBeLessThan(3_000);
      await page.mouse.wheel(0, 20_000);
      await page.getByRole('button', { name: 'Next' }).click();
    }
    await page.getByRole('cell', { name: 'many-101', exact: true }).waitFor();
    await page.close();
  });

  test('leads a visitor with a deep link to the sign-in, and from there to the page', async () => {
    const page = await browser.newPage();
    const wanted = `${coinslot.url}/dashboard/g/${place.gameId}/sandbox/orders?status=paid`;
    await page.goto(wanted);
    await page.getByLabel('E-mail').fill('owner@studio.example');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(wanted);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await page.close();
  });

  test('speaks German to a German browser', async () => {
    const page = await browser.newPage({ locale: 'de-DE' });
    await page.goto(`${coinslot.url}/dashboard/sign-in`);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
    await page.close();
  });
});
