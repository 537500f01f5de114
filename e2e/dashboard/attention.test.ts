import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signedInMember } from '../../apps/server/src/testing/dashboard.ts';
import { type Game, startGame } from '../../apps/server/src/testing/game-receiver.ts';
import { badLine } from '../../apps/server/src/testing/order-rows.ts';
import { startProgram, type TestProgram } from '../../apps/server/src/testing/program.ts';
import { refusal } from '../../apps/server/src/testing/unreliable-gateway.ts';
import { launchBrowser } from '../browser.ts';
import { patience } from '../game-studio.ts';
import { DESK, expectGood, NARROW } from './look.ts';

/** A support member goes through what needs attention, each test going on from the one before. */

const FINAL = { kind: 'refuse', refusal: refusal({ isFinal: true, reason: 'The reservation is gone.' }) } as const;
const PASSING = { kind: 'refuse', refusal: refusal({ reason: 'The balance is too low.' }) } as const;

const line = badLine();
let shop: TestProgram;
let game: Game;
let browser: Browser;
let page: Page;
let place: string;

async function pageOf(role: 'support' | 'viewer', options: { locale?: string } = {}): Promise<Page> {
  const member = await signedInMember(shop, role);
  const context = await browser.newContext({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce', ...options });
  await context.addCookies([{ name: 'coinslot', value: member.browser.cookie!, url: shop.url }]);
  const opened = await context.newPage();
  return opened;
}

beforeAll(async () => {
  [shop, browser] = await Promise.all([startProgram({ workers: false, replace: line.replace }), launchBrowser()]);
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  place = `${shop.url}/dashboard/g/${shop.account.gameId}/sandbox`;
  page = await pageOf('support');
});

afterEach(() => {
  game.answerAlways(null);
  line.gateway().behave();
});

afterAll(async () => {
  await browser?.close();
  await game?.close();
  await shop?.close();
});

const inMain = () => page.getByRole('main');
const button = (name: string) => inMain().getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

async function payAnOrder(): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  return order.order_id;
}

async function refusedRefund(): Promise<string> {
  const orderId = await payAnOrder();
  line.gateway().misbehave('refund', FINAL);
  await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
  await shop.program.parts.background.settle();
  await shop.later(1);
  return orderId;
}

test('nothing needs attention, and the list says so', async () => {
  await page.goto(`${place}/attention`);
  await page.getByRole('heading', { name: 'Nothing needs attention' }).waitFor();
  await expectGood(page, 'attention-empty');
});

test('a refused capture is counted, listed with what happens next, and asked again', async () => {
  line.gateway().misbehave('capture', PASSING);
  const orderId = await payAnOrder();
  await page.goto(place);
  await page.getByText('1 payment needs attention.').waitFor();
  const entry = page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: /^Needs attention/ });
  expect(await entry.textContent()).toContain('1');
  await entry.click();
  await page.getByText('The provider refused the capture', { exact: true }).waitFor();
  await inMain().getByText('The balance is too low.', { exact: false }).waitFor();
  await inMain()
    .getByText(/Coinslot asks the provider again in (?:59 min|60 min|1 hr)/)
    .waitFor();
  await expectGood(page, 'attention-capture');
  await button('Ask again now').click();
  await page.getByText('Settled. The payment no longer needs attention.').waitFor();
  await page.getByRole('heading', { name: 'Nothing needs attention' }).waitFor();
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
});

test('asked again and refused again, it says so and stays', async () => {
  line.gateway().misbehave('capture', FINAL, 2);
  await payAnOrder();
  await button('Ask again now').click();
  await page.getByText('The payment still needs attention.', { exact: false }).waitFor();
  await page.getByText('Nothing more happens until a member acts.', { exact: false }).waitFor();
});

test('it is voided from the page of the order, and the focus returns when the dialog is closed', async () => {
  const orders = await shop.call<{ data: { order_id: string }[] }>('GET', '/s2s/v1/orders?attention=true');
  const orderId = orders.body.data[0]!.order_id;
  await page.goto(`${place}/orders?attention=true`);
  await page.getByRole('button', { name: 'Clear Needs attention' }).waitFor();
  await expect.poll(() => page.locator('tbody tr').count(), patience).toBe(1);
  await page.goto(`${place}/orders/${orderId}`);
  await button('Void').click();
  await expectGood(page, 'attention-void');
  await page.keyboard.press('Escape');
  expect(await focused()).toBe('Void');
  await button('Void').click();
  await dialog().getByRole('button', { name: 'Void' }).click();
  await page.getByText('Authorization voided.').waitFor();
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected', attention: null });
  await expect.poll(focused, patience).toMatch(/\d\.\d\d/);
});

test('a refused refund is filtered, asks for a reason to be closed by hand, and goes through when asked again', async () => {
  const orderId = await refusedRefund();
  await page.goto(`${place}/transactions?attention=true`);
  await expect.poll(() => page.locator('tbody tr').count(), patience).toBe(1);
  await page.goto(`${place}/attention`);
  await page.getByText('The provider refused the refund', { exact: true }).waitFor();
  await button('Settled elsewhere').click();
  await dialog().getByRole('button', { name: 'Settled elsewhere' }).click();
  await dialog().getByText('Please enter a reason.').waitFor();
  await expectGood(page, 'attention-settle');
  await page.keyboard.press('Escape');
  await button('Refund').click();
  await dialog().getByLabel('Reason (optional)').fill('The player asked twice.');
  await expectGood(page, 'attention-refund');
  await dialog().getByRole('button', { name: 'Refund' }).click();
  await page.getByRole('heading', { name: 'Nothing needs attention' }).waitFor();
  await shop.program.parts.background.settle();
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
});

test('what was settled elsewhere keeps its reason', async () => {
  const orderId = await refusedRefund();
  await page.goto(`${place}/attention`);
  await button('Settled elsewhere').click();
  await dialog().getByLabel('How was it settled?').fill('Paid back by bank transfer.');
  await dialog().getByRole('button', { name: 'Settled elsewhere' }).click();
  await page.getByText('Marked as settled elsewhere.').waitFor();
  await page.goto(`${place}/orders/${orderId}`);
  await inMain().getByText('Settled elsewhere: Paid back by bank transfer.').first().waitFor();
  expect(await button('Settled elsewhere').count()).toBe(0);
});

test('a game that does not answer is asked again', async () => {
  game.answerAlways({ status: 500 });
  const orderId = await payAnOrder();
  for (const step of [2, 5, 10, 27]) await shop.later(step + 3);
  await page.goto(`${place}/attention`);
  await page.getByText('Your game has not granted the items').waitFor();
  await expectGood(page, 'attention-grant');
  game.answerAlways(null);
  await button('Ask again now').click();
  await page.getByText('Asking your game again.').waitFor();
  await shop.later(1);
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
});

test('a viewer reads the list and is offered nothing; an action that came too late fails in its dialog', async () => {
  const orderId = await refusedRefund();
  const viewer = await pageOf('viewer');
  await viewer.goto(`${place}/attention`);
  await viewer.getByText('The provider refused the refund', { exact: true }).waitFor();
  await viewer.getByText('Your role may look.', { exact: false }).waitFor();
  expect(await viewer.getByRole('main').getByRole('button').count()).toBe(0);
  await page.goto(`${place}/orders/${orderId}`);
  await button('Settled elsewhere').click();
  await dialog().getByLabel('How was it settled?').fill('Twice.');
  await page.route('**/attention/*', route =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"code":"payment_not_in_review"}' }),
  );
  await dialog().getByRole('button', { name: 'Settled elsewhere' }).click();
  await dialog().getByText('This was settled in the meantime.', { exact: false }).waitFor();
  await page.unroute('**/attention/*');
  await page.keyboard.press('Escape');
});

test('it speaks German', async () => {
  const german = await pageOf('support', { locale: 'de-DE' });
  await german.goto(`${place}/attention`);
  await german.getByRole('heading', { name: 'Handlungsbedarf' }).waitFor();
  await german.getByText('Der Anbieter hat die Erstattung abgelehnt').waitFor();
  await expectGood(german, 'attention-german');
  await german.setViewportSize(NARROW);
  const cut = await german
    .getByRole('navigation', { name: 'Schnellnavigation' })
    .locator('span')
    .evaluateAll(labels => labels.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent));
  expect(cut).toEqual([]);
  await german.emulateMedia({ colorScheme: 'dark' });
  await expectGood(german, 'attention-german-dark');
});
