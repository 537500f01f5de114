import { type Game, startGame } from '@coinslot/testing/game-receiver';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { createStudio, patience, type Studio } from '../game-studio.ts';
import { inSequence } from '../in-sequence.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { DESK, expectGood } from './look.ts';
import { PASSWORD, signIn } from './places.ts';

/** What a developer of the game does in the dashboard, each test going on from the one before. */

let coinslot: Coinslot;
let browser: Browser;
let page: Page;
let account: Account;
let studio: Studio;
let game: Game;
let place: string;

inSequence();

beforeAll(async () => {
  [coinslot, browser] = await Promise.all([startCoinslot(), launchBrowser()]);
  account = await coinslot.setup();
  game = await startGame({ secret: account.sandbox.s2s_key });
  studio = createStudio(coinslot, account);
  place = `${coinslot.url}/dashboard/g/${account.game_id}/sandbox`;
  page = await browser.newPage({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce' });
  await signIn(page, coinslot.url);
});

afterAll(async () => {
  await browser?.close();
  await game?.close();
  await coinslot?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');

const statusWith = async (key: string): Promise<number> =>
  (await studio.call('GET', '/s2s/v1/orders', undefined, { authorization: `Bearer ${key}` })).status;

test('a key is revealed only after the password is entered again', async () => {
  await page.goto(`${place}/integration/keys`);
  await button('Reveal').click();
  await dialog().getByLabel('Your password').fill('not my password');
  await dialog().getByRole('button', { name: 'Reveal' }).click();
  await page.getByText('Wrong password.').waitFor();
  await expectGood(page, 'key-reveal');
  await dialog().getByLabel('Your password').fill(PASSWORD);
  await dialog().getByRole('button', { name: 'Reveal' }).click();
  await expect.poll(() => dialog().locator('pre').innerText()).toBe(account.sandbox.s2s_key);
  await expectGood(page, 'key-shown');
  await button('Done').click();
});

test('a second key is created, works, and is revoked', async () => {
  await button('Create key').click();
  await page.getByLabel('Label').fill('Build server');
  await dialog().getByRole('button', { name: 'Create key' }).click();
  await dialog().locator('pre').waitFor();
  const key = await dialog().locator('pre').innerText();
  await button('Done').click();
  expect(await statusWith(key)).toBe(200);
  const line = page.getByRole('listitem').filter({ hasText: 'Build server' });
  await line.getByRole('button', { name: 'Revoke' }).click();
  await expectGood(page, 'key-revoke');
  await dialog()
    .getByRole('button', { name: /Revoke/ })
    .click();
  await line.getByText('Revoked').waitFor();
  await expect.poll(() => statusWith(key), patience).toBe(401);
  expect(await statusWith(account.sandbox.s2s_key)).toBe(200);
});

test('a webhook is added with the words of the guide', async () => {
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await button('Add webhook').click();
  await button('Add').click();
  await page.getByText('Enter the URL of your endpoint.').waitFor();
  await page.getByLabel('Endpoint URL').fill(game.url);
  await expectGood(page, 'webhook-add');
  await button('Select events').click();
  const main = page.getByRole('group', { name: 'Main' });
  await main.getByLabel('Item add').check();
  await main.getByLabel('Item remove').check();
  await expectGood(page, 'webhook-events');
  await button('Apply').click();
  await button('Add').click();
  await page.getByText('Webhook added.').waitFor();
  await page.getByRole('heading', { name: new URL(game.url).host }).waitFor();
});

test('one delivery that failed is sent again by hand', async () => {
  game.answerAlways({ status: 503, body: '{"error":"inventory is being migrated"}' });
  await button('Send test event').click();
  await page.getByText('Test event sent.').waitFor();
  await page.getByRole('link', { name: 'Delivery log' }).first().click();
  const row = page.getByRole('row', { name: /HTTP 503/ });
  await row.waitFor();
  await expectGood(page, 'deliveries');
  await row.getByRole('link').first().click();
  await page.getByText('inventory is being migrated').waitFor();
  await expectGood(page, 'delivery-failed');
  game.answerAlways(null);
  await button('Send again').click();
  await page.getByText('Sending again.').waitFor();
  await page.getByText('Attempt 2').waitFor();
  await page.getByText('Delivered').first().waitFor();
});

test('the events of a time span are replayed, with the keys they had', async () => {
  await studio.buy();
  await studio.buy();
  const before = game.requests.map(({ body }) => body!.idempotency_key);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page
    .getByRole('row', { name: new RegExp(new URL(game.url).host) })
    .getByRole('link')
    .first()
    .click();
  await button('More actions').click();
  await page.getByRole('menuitem', { name: 'Replay events' }).click();
  await dialog().getByLabel('From').fill('2026-01-01T00:00');
  await dialog().getByLabel('Only events that never received a 2xx response').uncheck();
  await expectGood(page, 'replay');
  await button('Replay').click();
  await dialog().getByText('3 of 3 done, 0 failed').waitFor();
  await expectGood(page, 'replay-done');
  const again = game.requests.slice(before.length).map(({ body }) => body!.idempotency_key);
  expect(again.toSorted()).toEqual([...new Set(before)].toSorted());
});

test('a receiver is examined: each check with its outcome, what to change, a score and a report', async () => {
  await page.goto(`${place}/integration/exam`);
  await page.getByLabel('Language of your receiver').selectOption('go');
  await expectGood(page, 'exam');
  await button('Start exam').click();
  await page.getByRole('heading', { name: 'Result' }).waitFor({ timeout: 60_000 });
  await page.getByText(/\d+ passed, \d+ failed, \d+ not judged/).waitFor();
  const failed = page.getByRole('listitem').filter({ hasText: 'Failed' });
  await expect.poll(() => failed.count()).toBeGreaterThan(0);
  await failed
    .first()
    .getByRole('region', { name: /^Line to change/ })
    .waitFor();
  await page.getByText(/^With this receiver a player can .+\.$/).waitFor();
  await expectGood(page, 'exam-result');
  const file = await page.getByRole('link', { name: 'Download report' }).getAttribute('href');
  const report = await page.request.get(new URL(file!, page.url()).href);
  expect(await report.text()).toMatch(/^# Webhook exam: \d+ %/);
});
