/** `npm run demo`, from the first click to the removal, in a real browser on a phone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { launchBrowser } from '../browser.ts';
import { CARDS } from '../game-studio.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-US' } as const;

let demo: ChildProcess;
let printed = '';
let gameUrl: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  // What `npm run demo` runs. A database of the caller's must be left alone, so one that cannot be reached is set.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: 'postgresql://none@127.0.0.1:1/none' };
  demo = spawn('node_modules/.bin/tsx', ['tools/demo.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise<void>((ready, failed) => {
    const hear = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (printed.includes('Ctrl-C')) ready();
    };
    demo.stdout?.on('data', hear);
    demo.stderr?.on('data', hear);
    demo.once('exit', code => failed(new Error(`the demo ended with ${code}:\n${printed}`)));
  });
  gameUrl = /open at\s+(\S+)/.exec(printed)?.[1] ?? '';
  browser = await launchBrowser();
  context = await browser.newContext(PHONE);
  page = await context.newPage();
  await page.goto(gameUrl);
});

afterAll(async () => {
  await browser?.close();
  demo.kill('SIGTERM');
  if (demo.exitCode === null && demo.signalCode === null) await once(demo, 'exit');
});

const field = (on: Page, autocomplete: string) => on.locator(`[autocomplete=${autocomplete}]`);

async function pay(on: Page, card: string): Promise<void> {
  await field(on, 'email').fill('mika@example.com');
  await field(on, 'cc-number').fill(card);
  await field(on, 'cc-exp').fill('12 / 40');
  await field(on, 'cc-csc').fill('123');
  await field(on, 'postal-code').fill('10115');
  await on.locator('#submit').click({ noWaitAfter: true });
}

/** Presses the button of one of the things to try. */
const tryOut = (title: string, on = page) =>
  on.getByRole('listitem').filter({ hasText: title }).getByRole('button').first().click();
const arrives = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
const crystals = (count: string) =>
  page
    .locator('#purse')
    .filter({ hasText: new RegExp(`^${count} `) })
    .waitFor();
const newest = () => page.locator('#purchases li').first();

test('one address and a way into the dashboard are printed', () => {
  expect(gameUrl).toMatch(/^http:\/\/localhost:\d+$/);
  expect(printed).toMatch(/Dashboard\s+http:\/\/localhost:\d+\/dashboard\n\s+sign in as\s+\S+@\S+\n\s+password\s+\S+/);
});

test('the page is in order on a phone, in light and in dark, and nothing sticks out', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.getByRole('button', { name: 'Buy 100 crystals for $0.99' }).waitFor();
    expect(await violations(page)).toEqual([]);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test('crystals are bought, paid, and lie in the backpack after the way back', async () => {
  await tryOut('Buy crystals');
  await pay(page, CARDS.good);
  await page.waitForURL(url => url.origin === gameUrl);
  await crystals('100');
  await newest().filter({ hasText: 'Delivered' }).waitFor();
  await expect.poll(() => page.locator('#pack').textContent()).toBe('Crystals100');
  await expect.poll(() => page.locator('#received').textContent()).toContain('granted');
});

test('a declined card takes nothing, and the order waits to be continued or canceled', async () => {
  await tryOut('Have a card declined');
  await pay(page, CARDS.decline);
  await page.getByRole('alert').waitFor();
  await page.goto(gameUrl);
  await newest().filter({ hasText: 'Not paid yet' }).waitFor();
  await expect
    .poll(() => newest().getByRole('link', { name: 'Continue paying 100 crystals' }).getAttribute('href'))
    .toMatch(/^http/);
  await newest().getByRole('button', { name: 'Cancel 100 crystals' }).click();
  await newest().filter({ hasText: 'Canceled' }).waitFor();
  await crystals('100');
});

test('below level 3 the game refuses the egg and nothing is charged; above it grants it', async () => {
  await tryOut('Have the game decline');
  await pay(page, CARDS.good);
  await page.getByRole('heading', { name: 'Your items couldn’t be added' }).waitFor();
  await page.goto(gameUrl);
  await newest()
    .filter({ hasText: 'Declined by the game, not charged' })
    .filter({ hasText: /Level too low/i })
    .waitFor();
  await expect.poll(() => page.locator('#pack').textContent()).not.toContain('egg');

  for (let i = 0; i < 10; i += 1) await page.getByRole('button', { name: 'Dig' }).click();
  await arrives('Level 3!');
  await page.getByRole('button', { name: 'Buy Dragon egg for $9.99' }).click();
  await pay(page, CARDS.good);
  await page.waitForURL(url => url.origin === gameUrl);
  await page.locator('#pack').filter({ hasText: 'Dragon egg' }).waitFor();
});

test('a player who closes the tab while paying gets the crystals all the same', async () => {
  const tab = await context.newPage();
  await tab.goto(gameUrl);
  await tryOut('Close the tab while paying', tab);
  await field(tab, 'email').waitFor();
  const sent = tab.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/pay'));
  await pay(tab, CARDS.good);
  await sent;
  await tab.close();
  await arrives('1,200 crystals arrived.');
  await crystals('1,300');
});

test('a refund by the studio takes the crystals back', async () => {
  await newest().filter({ hasText: 'Delivered' }).waitFor();
  await expect
    .poll(() => newest().getByRole('link', { name: '1,200 crystals in the dashboard' }).getAttribute('href'))
    .toMatch(/\/dashboard\/g\/game_\w+\/sandbox\/orders\/ord_\w+$/);
  await newest().getByRole('button', { name: 'Refund 1,200 crystals' }).click();
  await arrives('1,200 crystals were removed.');
  await crystals('100');
  await newest().filter({ hasText: 'Refunded' }).waitFor();
  expect(await violations(page)).toEqual([]);
});

test('a refund in the dashboard removes the rest', async () => {
  const read = (pattern: RegExp): string => pattern.exec(printed)?.[1] ?? '';
  const studio = await context.newPage();
  await studio.goto(`${read(/Dashboard\s+(\S+)/)}/sign-in`);
  await studio.getByLabel('E-mail').fill(read(/sign in as\s+(\S+)/));
  await studio.getByLabel('Password').fill(read(/password\s+(.+)/));
  await studio.getByRole('button', { name: 'Sign in' }).click();
  await studio.waitForURL(/\/dashboard\/g\//);
  const order = await page
    .getByRole('link', { name: '100 crystals in the dashboard', exact: true })
    .getAttribute('href');
  await studio.goto(order ?? '');
  await studio.getByRole('button', { name: 'Refund' }).click();
  await studio.getByLabel('Reason').fill('Bought by a curious goat');
  await studio.getByRole('button', { name: 'Continue' }).click();
  await studio.getByRole('button', { name: 'Refund $0.99' }).click();
  await arrives('100 crystals were removed.');
  await crystals('0');
  await page.locator('#received').filter({ hasText: 'revoked: refund' }).waitFor();
});
