import { signedInMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { CARDS, patience } from '../game-studio.ts';
import { inSequence } from '../in-sequence.ts';
import { DESK, expectGood, NARROW } from './look.ts';

/** Rows that are chosen, views as tabs, columns, and what stands behind a point of a chart. */

let shop: TestProgram;
let game: Game;
let browser: Browser;
let page: Page;
let place: string;

async function contextOf(role: 'support' | 'owner'): Promise<BrowserContext> {
  const member = await signedInMember(shop, role);
  const context = await browser.newContext({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce' });
  await context.addCookies([{ name: 'coinslot', value: member.browser.cookie!, url: shop.url }]);
  return context;
}

inSequence();

beforeAll(async () => {
  [shop, browser] = await Promise.all([startProgram({ workers: false }), launchBrowser()]);
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  place = `${shop.url}/dashboard/g/${shop.account.gameId}/sandbox`;
  for (const player of ['ada', 'ben', 'cai', 'dee']) {
    const order = await shop.createOrder({ player_id: player });
    await shop.pay(order.checkout_url, player === 'dee' ? CARDS.decline : CARDS.good);
  }
  page = await (await contextOf('support')).newPage();
});

afterAll(async () => {
  await browser?.close();
  await game?.close();
  await shop?.close();
});

const inMain = (on = page) => on.getByRole('main');
const button = (name: string, on = page) => inMain(on).getByRole('button', { name, exact: true });
const rows = (on = page) => inMain(on).locator('tbody tr');
const tabs = (on = page) => inMain(on).getByRole('group', { name: 'Saved views' }).getByRole('button');
const heads = () => inMain().locator('thead th').allInnerTexts();
const rowOf = (player: string) => inMain().getByRole('row').filter({ hasText: player });

test('rows are chosen by click, with Shift and by the keyboard, and stay chosen under another filter', async () => {
  await page.goto(`${place}/transactions`);
  await expect.poll(() => rows().count(), patience).toBe(4);
  await rows().nth(1).getByRole('checkbox').click();
  await rows()
    .nth(3)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await expectGood(page, 'list-chosen');
  await rows().nth(0).getByRole('link').focus();
  await page.keyboard.press('x');
  await page.getByText('4 selected').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/transactions$/);
  await page.keyboard.press('x');
  await page.getByText('3 selected').waitFor();
  await inMain().getByRole('searchbox').fill('ada');
  await expect.poll(() => rows().count(), patience).toBe(1);
  await page.getByText('3 selected').waitFor();
  await button('Clear selection').click();
  await expect.poll(() => page.getByText('3 selected').count(), patience).toBe(0);
});

test('a bulk action is offered for what holds money among the chosen payments, and for no other', async () => {
  await page.goto(`${place}/transactions`);
  await expect.poll(() => rows().count(), patience).toBe(4);
  await rowOf('dee').getByRole('checkbox').click();
  await page.getByText('1 selected').waitFor();
  expect(await button('Bulk action').count()).toBe(0);
  await rowOf('ben').getByRole('checkbox').click();
  await button('Bulk action').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Refund', exact: true }).check();
  await dialog.getByText('1 order will be refunded').waitFor();
  await dialog.getByLabel('Reason').fill('Bought twice.');
  await dialog.getByRole('button', { name: 'Refund 1 order' }).click();
  await expect.poll(() => page.getByText('2 selected').count(), patience).toBe(0);
  await shop.program.workers.drain();
  await page.goto(`${place}/transactions?status=refunded`);
  await expect.poll(() => rows().count(), patience).toBe(1);
  await rowOf('ben').waitFor();
});

/** The same member in a browser that knows nothing but the session. */
async function expectOnAnotherMachine(): Promise<void> {
  const context = await browser.newContext({ viewport: DESK, locale: 'en-US' });
  await context.addCookies(await page.context().cookies());
  const away = await context.newPage();
  const seen = () => inMain(away).locator('thead th').allInnerTexts();
  await away.goto(`${place}/transactions`);
  await expect.poll(seen, patience).not.toContain('Country');
  expect(await seen()).toContain('Player');
  await button('Declined cards', away).click();
  await expect.poll(seen, patience).not.toContain('Player');
  await context.close();
}

test('a view keeps filters and columns, stands as a tab, and is shared and pinned by another member', async () => {
  await page.goto(`${place}/transactions?status=declined`);
  await expect.poll(() => rows().count(), patience).toBe(1);
  await button('Columns').click();
  await page.getByRole('menuitemcheckbox', { name: 'Country' }).click();
  await page.keyboard.press('Escape');
  expect(await heads()).not.toContain('Country');
  await button('Saved views').click();
  await page.getByLabel('Name of this view').fill('Declined cards');
  await page.getByLabel('Share with all members').check();
  await expectGood(page, 'views-save');
  await page.getByRole('button', { name: 'Save view' }).click();
  await expect.poll(() => tabs().allInnerTexts(), patience).toEqual(['All', 'Declined cards']);
  await button('Columns').click();
  await page.getByRole('menuitemcheckbox', { name: 'Player' }).click();
  await page.keyboard.press('Escape');
  // The list keeps its own choice of columns, the view keeps another, each over a reload.
  await button('All').click();
  await expect.poll(() => rows().count(), patience).toBe(4);
  await page.reload();
  await expect.poll(heads, patience).toContain('Player');
  await button('Declined cards').click();
  await expect.poll(heads, patience).not.toContain('Player');
  await page.reload();
  await expect.poll(() => rows().count(), patience).toBe(1);
  expect(await heads()).not.toContain('Player');
  await expectOnAnotherMachine();

  const other = await (await contextOf('owner')).newPage();
  await other.goto(`${place}/transactions`);
  await expect.poll(() => rows(other).count(), patience).toBe(4);
  expect(await tabs(other).count()).toBe(0);
  await button('Saved views', other).click();
  await other.getByRole('button', { name: 'Show Declined cards as a tab' }).click();
  await expect.poll(() => tabs(other).allInnerTexts(), patience).toEqual(['All', 'Declined cards']);
  await other.keyboard.press('Escape');
  await button('Declined cards', other).click();
  await expect.poll(() => rows(other).count(), patience).toBe(1);
  expect(await inMain(other).locator('thead th').allInnerTexts()).not.toContain('Country');
  await expectGood(other, 'views-tab');
  await other.setViewportSize(NARROW);
  await expectGood(other, 'views-tab-narrow');
});

/** Nothing of the open tab is cut off: neither the line below it nor, where there are more than a phone is wide, its end. */
const isTabWhole = () =>
  inMain()
    .getByRole('group', { name: 'Saved views' })
    .evaluate(row => {
      const tab = row.querySelector('[aria-pressed=true]')!.getBoundingClientRect();
      const { left, top } = row.getBoundingClientRect();
      const isInside = tab.left >= left && tab.right <= left + row.clientWidth;
      return isInside && tab.bottom <= top + row.clientTop + row.clientHeight;
    });

test('the tab of the open view is seen whole, also of more than a phone is wide', async () => {
  for (const name of ['Paid in the long winter', 'Paid in the short summer', 'Paid in the year between']) {
    await page.goto(`${place}/transactions?status=succeeded`);
    await button('Saved views').click();
    await page.getByLabel('Name of this view').fill(name);
    await page.getByRole('button', { name: 'Save view' }).click();
    await tabs().filter({ hasText: name }).waitFor();
    await expect.poll(isTabWhole, patience).toBe(true);
  }
  await page.setViewportSize(NARROW);
  await page.reload();
  await expect.poll(() => tabs().count(), patience).toBe(5);
  await expect.poll(isTabWhole, patience).toBe(true);
  await page.setViewportSize(DESK);
});

test('the legend of a chart on a phone names every line of it (row 288)', async () => {
  await shop.program.workers.drain();
  await page.setViewportSize(NARROW);
  await page.goto(place);
  const funnel = inMain().locator('section').filter({ hasText: 'Checkout funnel' });
  const name = funnel.getByText('Declined payments', { exact: true }).first();
  await name.waitFor();
  const isNamed = () =>
    name.evaluate(one => one.getBoundingClientRect().bottom <= one.parentElement!.getBoundingClientRect().bottom);
  await expect.poll(isNamed, patience).toBe(true);
  await page.setViewportSize(DESK);
});

test('a point of a chart opens the list behind it, by the mouse and as a row of its table', async () => {
  await shop.program.workers.drain();
  await page.goto(place);
  const chart = inMain().locator('section').filter({ hasText: 'Volume by day' });
  const over = chart.locator('.u-over');
  await over.waitFor();
  const { width, height } = (await over.boundingBox())!;
  await over.click({ position: { x: width - 1, y: height / 2 } });
  await page.waitForURL(/\/transactions\?.*status=succeeded/);
  const range = new URL(page.url()).searchParams.get('range')!;
  expect(range).toMatch(/^(\d{4}-\d\d-\d\d)\.\.\1$/);
  await page.goBack();
  await chart.getByText('Show as a table').click();
  const table = chart.getByRole('table');
  await expectGood(page, 'chart-table');
  await table.getByRole('link').last().click();
  await page.waitForURL(/\/transactions\?.*status=succeeded/);
  expect(new URL(page.url()).searchParams.get('range')).toBe(range);
});
