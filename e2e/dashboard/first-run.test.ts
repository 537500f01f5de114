import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { launchBrowser } from '../browser.ts';
import { CARDS } from '../game-studio.ts';
import { inSequence } from '../in-sequence.ts';
import { type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { expectGood } from './look.ts';
import { type SampleGame, startSampleGame } from './seed-shop.ts';

/** One studio from registration to a refund, by hand in a browser; each test continues the one before. */

let coinslot: Coinslot;
let browser: Browser;
let page: Page;
let game: SampleGame;
const problems: string[] = [];

inSequence();

beforeAll(async () => {
  [coinslot, browser, game] = await Promise.all([startCoinslot({}, 'embedded'), launchBrowser(), startSampleGame()]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  page.on('pageerror', error => problems.push(error.message));
  page.on('console', message => {
    if (/Content Security Policy|violates/.test(message.text())) problems.push(message.text());
  });
});

afterAll(async () => {
  game?.close();
  await browser?.close();
  await coinslot?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const ticks = () => page.getByText(/^Done /).count();

test('a studio registers in three steps, and errors help (row 285)', async () => {
  await page.goto(`${coinslot.url}/dashboard/`);
  // There is no company here yet, so a visitor begins by registering, and learns what this is.
  await page.getByText('Coinslot is a checkout for in-game items that you host yourself').waitFor();
  await button('Continue').click();
  await expect.poll(() => page.getByText('Enter your e-mail address.').isVisible()).toBe(true);
  await page.getByLabel('Work e-mail').fill('mira@lantern.example');
  await page.getByLabel('Password').fill('password123');
  await button('Continue').click();
  await page.getByLabel('Company name').fill('Lantern Games');
  await button('Continue').click();
  await page.getByLabel('Store link').fill('https://example.com/my-game');
  await button('Create account').click();
  // The weak password leads back to its step, and the link says what it should be.
  await page.getByText('Create your account').waitFor();
  await page.getByText('This is a common password or close to one.').waitFor();
  await page.getByLabel('Password').fill('orange lamp on the roof');
  await button('Continue').click();
  await button('Continue').click();
  // The form learns nothing of the link at first, as from a server that has too much to do.
  const busy = page.waitForResponse(answer => answer.url().endsWith('/store_link') && answer.status() === 503);
  await page.route('**/store_link', route => route.fulfill({ status: 503, json: { code: 'unavailable' } }), {
    times: 1,
  });
  await page.getByLabel('Store link').fill('https://play.google.com/store/apps/details?id=com.lantern.quest');
  await busy;
  await button('Create account').click();
  // The link has no name, and the game is not called like the company.
  await page.getByText('Enter the name of the game.').waitFor();
  await page.getByText(/ on Google Play/).waitFor();
  await page.getByLabel('Game name').fill('Lantern Quest');
  await button('Create account').click();
  await page.waitForURL(/\/sandbox$/);
  await page.getByRole('heading', { name: 'Lantern Quest' }).waitFor();
  await expect.poll(() => page.getByRole('switch', { name: 'Sandbox' }).getAttribute('aria-checked')).toBe('true');
});

test('the first steps begin with a test order, and paying it ticks two', async () => {
  expect(await ticks()).toBe(0);
  await button('Create test order').click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open checkout page' }).click();
  const checkout = await opened;
  const fill = (what: string, text: string) => checkout.locator(`[autocomplete="${what}"]`).fill(text);
  await fill('email', 'player@example.com');
  await fill('cc-number', CARDS.good);
  await fill('cc-exp', '12 / 40');
  await fill('cc-csc', '123');
  await fill('postal-code', '10115');
  await checkout.getByRole('button', { name: /^Pay/ }).click();
  // The page updates itself, without a reload.
  await page.getByText('Waiting for game').first().waitFor();
  await checkout.close();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect.poll(ticks).toBe(2);
  await expect.poll(() => page.getByText('1 thing needs attention.').isVisible()).toBe(true);
});

test('a webhook is added with the words of the guide, and the grant follows', async () => {
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await button('Add webhook').click();
  await page.getByLabel('Endpoint URL').fill(game.url);
  await button('Select events').click();
  const main = page.getByRole('group', { name: 'Main' });
  await main.getByLabel('Item add').check();
  await main.getByLabel('Item remove').check();
  await button('Apply').click();
  await button('Add').click();
  await page.getByText('Webhook added.').waitFor();
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect.poll(ticks, { timeout: 60_000 }).toBe(4);
});

test('the seller is the last step, and live begins with nothing', async () => {
  await page.getByRole('link', { name: 'Add seller details' }).click();
  await page.getByLabel('Legal name').fill('Lantern Games GmbH');
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await page.getByLabel('Support').fill('help@lantern.example');
  await page.getByLabel('Terms').fill('https://lantern.example/terms');
  await page.getByLabel('Privacy').fill('https://lantern.example/privacy');
  await page.getByLabel('Privacy').press('Enter');
  await page.getByText('Seller saved.').waitFor();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await page.getByText('Paid orders').first().waitFor();
  await expect.poll(() => page.getByText('Get started').count(), { timeout: 60_000 }).toBe(0);
  const sandbox = page.url();
  await page.goto(sandbox.replace('/sandbox', '/live'));
  await page.getByText('No live payments yet').waitFor();
  await expect.poll(() => page.getByText('Get started').count()).toBe(0);
  await page.goto(sandbox);
});

test('the payment page shows the whole purchase in its order', async () => {
  await page.getByRole('link', { name: 'Transactions' }).click();
  const row = page.getByRole('row', { name: /Succeeded/ }).first();
  await row.waitFor();
  await page.getByRole('heading', { name: 'Transactions' }).focus();
  await row.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByText('The money was captured').waitFor();
  const steps = await page
    .getByRole('listitem')
    .filter({ hasText: /^(?:The|Your) / })
    .allInnerTexts();
  const order = ['opened the checkout page', 'started to pay', 'was authorized', 'granted the items', 'was captured'];
  const places = order.map(part => steps.findIndex(line => line.includes(part)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test('a refund says what it will do, asks again, and is done', async () => {
  await button('Refund').click();
  await page.getByText(/goes back to the player’s original payment method/).waitFor();
  await button('Continue').click();
  await expect.poll(() => page.getByText('Please enter a reason.').isVisible()).toBe(true);
  await page.getByLabel('Reason').fill('Bought by mistake');
  await button('Continue').click();
  await page.getByText('This cannot be undone.').waitFor();
  await page.getByRole('button', { name: /^Refund \$/ }).click();
  await page.getByText(/^Refunding \$/).waitFor();
  await page.getByText('The money was refunded').waitFor();
  await page.getByText('Your game revoked the items', { exact: false }).first().waitFor();
});

test('the slash opens the search, and it finds the payment by its last four digits and the player', async () => {
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('4242');
  await page
    .getByRole('option', { name: /player@example\.com/ })
    .first()
    .waitFor();
  await page.getByRole('combobox').fill('test-pl');
  await page.getByRole('option', { name: /^test-player/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/players\/test-player$/);
});

test('players are sorted by what they bought', async () => {
  const player = page.url();
  await page.getByRole('link', { name: 'Players' }).first().click();
  await page.getByRole('button', { name: 'Last purchase', exact: true }).click();
  await page.waitForURL(/sort=last_purchase/);
  await page.getByRole('main').getByText('test-player').first().waitFor();
  await expectGood(page, 'players');
  await page.goto(player);
});

test('a player is erased after a question', async () => {
  await button('Erase player').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This cannot be undone.').waitFor();
  await dialog.getByRole('button', { name: 'Erase player' }).click();
  await page.waitForURL(/\/players$/);
  await page.getByText('No players yet').waitFor();
});

test('live shows nothing of the sandbox', async () => {
  await page.getByRole('switch', { name: 'Sandbox' }).click();
  await page.waitForURL(/\/live\/players$/);
  await page.getByText('No players yet').waitFor();
});

/** The sandbox's home in another browser of the same member, where something is odd from the start. */
async function openHome(oddity: string): Promise<Page> {
  const context = await browser.newContext({ storageState: await page.context().storageState(), locale: 'en-US' });
  await context.addInitScript(oddity);
  const other = await context.newPage();
  await other.goto(page.url().replace(/\/(?:live|sandbox).*/, '/sandbox'));
  return other;
}

test('charts are drawn for a browser whose language is none', async () => {
  const home = await openHome("Object.defineProperty(navigator, 'language', { value: 'C', configurable: true })");
  await home.waitForSelector('.chart canvas');
  await home.context().close();
});

test('a chart that fails leaves the page as it is, and can be tried again', async () => {
  const home = await openHome(`
    window.draw = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = () => { throw new Error('no canvas'); };`);
  await home.getByText('This part could not be shown.', { exact: false }).first().waitFor();
  await home.getByRole('heading', { name: 'Declines by reason' }).waitFor();
  expect(await violations(home)).toEqual([]);
  await home.evaluate('HTMLCanvasElement.prototype.getContext = window.draw');
  await home.getByRole('button', { name: 'Try again' }).first().click();
  await home.waitForSelector('.chart canvas');
  await home.context().close();
});

test('no script failed and the policy blocked nothing', () => {
  expect(problems).toEqual([]);
});
