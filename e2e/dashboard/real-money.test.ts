import { readFileSync } from 'node:fs';
import { PASSWORD, signedInMember } from '@coinslot/testing/dashboard';
import { OTHER_KEY, REVOKED_KEY, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileCommand } from '../../apps/server/src/commands/reconcile.ts';
import { sql } from '../../apps/server/src/db/sql.ts';
import { launchBrowser } from '../browser.ts';
import { patience } from '../game-studio.ts';
import { inSequence } from '../in-sequence.ts';
import { DESK, expectGood } from './look.ts';

/** An owner connects Stripe's double and looks after the money, each test going on from the one before. */

const NO_SETTINGS = { STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' };

let shop: StripeShop;
let browser: Browser;
let page: Page;
let place: string;

inSequence();

beforeAll(async () => {
  [shop, browser] = await Promise.all([startStripeShop({ workers: true, env: NO_SETTINGS }), launchBrowser()]);
  const owner = await signedInMember(shop, 'owner');
  const context = await browser.newContext({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce' });
  await context.addCookies([{ name: 'coinslot', value: owner.browser.cookie!, url: shop.url }]);
  page = await context.newPage();
  place = `${shop.url}/dashboard/g/${shop.account.gameId}/live`;
});

afterAll(async () => {
  await browser?.close();
  await shop?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');

test('Stripe is connected with keys that are tried first', async () => {
  await page.goto(`${place}/settings/provider`);
  await page.getByText('Stripe is not connected').waitFor();
  await button('Connect Stripe').click();
  await page.getByLabel('Publishable key').fill(TEST_KEYS.publishable);
  await page.getByLabel('Secret key', { exact: true }).fill(REVOKED_KEY);
  await button('Test and save').click();
  await page
    .getByText(/revoked|expired/i)
    .first()
    .waitFor();
  await expectGood(page, 'provider-refused');
  await page.getByLabel('Secret key', { exact: true }).fill(TEST_KEYS.secret);
  await page.getByLabel('Callback signing secret').fill(TEST_KEYS.callback);
  await button('Test and save').click();
  await page.getByText('Stripe connected.').waitFor();
  await page.getByText('acct_Double0001', { exact: true }).waitFor();
});

test('a routing rule is added after a look at what a player would see', async () => {
  await page.goto(`${place}/settings/methods`);
  await page.getByText('No rules yet.').waitFor();
  await page.getByText('Not available for your Stripe account').first().waitFor();
  await button('Add rule').click();
  await dialog().getByLabel('Countries').fill('pl');
  await dialog().getByLabel('Currencies').fill('pln');
  await dialog().getByLabel('Method').selectOption({ label: 'Przelewy24' });
  await dialog().getByRole('button', { name: 'Preview' }).click();
  await dialog().getByText('Poland: a player who pays').waitFor();
  await dialog().getByText('Przelewy24 · Stripe').waitFor();
  await dialog().getByLabel('Processed by').selectOption({ label: 'Not offered' });
  await dialog().getByRole('button', { name: 'Preview' }).click();
  await dialog().getByText('Przelewy24 · Stripe').waitFor({ state: 'detached' });
  await expectGood(page, 'routing-rule');
  await dialog().getByRole('button', { name: 'Add rule' }).click();
  await page.getByText('Przelewy24 · Poland · PLN').waitFor();
  await expectGood(page, 'routing-rules');
  await button('Delete rule 1').click();
  await page.getByText('No rules yet.').waitFor();
  await page.goto(`${place}/settings/provider`);
});

test('the connection is tested, and what is wrong with it is said', async () => {
  await button('Test connection').click();
  await page
    .getByRole('status')
    .getByText(/^Payments work, but \d checks? failed\./)
    .first()
    .waitFor();
  await expectGood(page, 'provider-works');
  shop.stripe.faults.plan(/account$/, { kind: 'answer', status: 500 });
  await button('Test connection').click();
  await page.getByText('The payment provider did not answer.', { exact: false }).waitFor();
  await expectGood(page, 'provider-away');
});

test('a second account is added with a name and a scope, named by a rule, and disconnected alone', async () => {
  await button('Add account').click();
  await dialog().getByLabel('Publishable key').fill(TEST_KEYS.publishable);
  await dialog().getByLabel('Secret key', { exact: true }).fill(OTHER_KEY);
  await button('Test and save').click();
  await page.getByText('acct_Double0002', { exact: true }).waitFor();
  await button('Name and scope').nth(1).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Northwind Europe GmbH');
  await dialog().getByLabel('Only these currencies').fill('eur, pln');
  await expectGood(page, 'account-scope');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Northwind Europe GmbH' }).waitFor();
  await page.getByText('EUR, PLN', { exact: true }).waitFor();
  await expectGood(page, 'two-accounts');
  await page.goto(`${place}/settings/methods`);
  await button('Add rule').click();
  await dialog().getByLabel('Currencies').fill('eur');
  await dialog().getByLabel('Processed by').selectOption({ label: 'Stripe · Northwind Europe GmbH' });
  await dialog().getByRole('button', { name: 'Preview' }).click();
  await dialog().getByText('Card · Stripe · Northwind Europe GmbH').waitFor();
  await expectGood(page, 'rule-for-account');
  await dialog().getByRole('button', { name: 'Add rule' }).click();
  await page.getByText('Processed by Stripe · Northwind Europe GmbH').waitFor();
  await expectGood(page, 'rules-for-accounts');
  await button('Delete rule 1').click();
  await page.goto(`${place}/settings/provider`);
  // Whose scope is narrower stands first.
  await button('Disconnect').first().click();
  await dialog().getByText('Disconnect Northwind Europe GmbH?').waitFor();
  await dialog().getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('Northwind Europe GmbH disconnected.').waitFor();
  await page.getByText('acct_Double0001', { exact: true }).waitFor();
  await page.getByText('acct_Double0002', { exact: true }).waitFor({ state: 'detached' });
});

async function inReview(): Promise<string> {
  const order = await shop.order();
  await shop.payBy(order, 'pm_card_threeDSecure2Required');
  const intent = shop.stripe.intentOf(await shop.lastPayment(order));
  intent.amount = 100;
  shop.stripe.authenticate(intent, true);
  await shop.hear(order);
  return order;
}

test('a payment whose amount differs needs attention until a member accepts it', async () => {
  const order = await inReview();
  await page.goto(place);
  // The connection, of which a check failed, is in the same list and the same count.
  await page.getByText('2 things need attention.').waitFor();
  await expectGood(page, 'home-attention');
  await page.getByRole('link', { name: 'See what to do' }).click();
  await page.getByText('The amount differs from the order').waitFor();
  await expectGood(page, 'attention-amount');
  await page.getByRole('main').getByRole('link', { name: '$4.99' }).click();
  await page.waitForURL(`**/transactions/${await shop.lastPayment(order)}`);
  await page
    .getByText('The provider reports 1.00 USD, the order is 4.99 USD. Held for review.', { exact: true })
    .first()
    .waitFor();
  await page.getByText('Nothing happens until a team member acts.', { exact: false }).waitFor();
  await button('Accept amount').click();
  await expectGood(page, 'attention-accept');
  await dialog().getByRole('button', { name: 'Accept amount' }).click();
  await page.getByText('Payment accepted.').waitFor();
  await page.getByText('The money was captured').waitFor();
  await expect.poll(() => button('Accept amount').count()).toBe(0);
  expect(await shop.read(order)).toMatchObject({ status: 'paid' });
});

test('or refunds it, with the password, because the money is real', async () => {
  const order = await inReview();
  await page.goto(`${place}/transactions/${await shop.lastPayment(order)}`);
  await button('Refund').click();
  await dialog().getByLabel('Your password').fill('not the password');
  await dialog().getByRole('button', { name: 'Refund' }).click();
  await dialog().getByText('Wrong password.').waitFor();
  await expectGood(page, 'attention-refund-live');
  await dialog().getByLabel('Your password').fill(PASSWORD);
  await dialog().getByRole('button', { name: 'Refund' }).click();
  await page.getByText('The money is being returned.').waitFor();
  await expect.poll(() => shop.money(order), patience).toEqual(['authorized', 'canceled']);
  await expect.poll(() => page.getByRole('button', { name: 'Accept amount' }).count(), patience).toBe(0);
  await expectGood(page, 'attention-refunded');
});

test('a day is compared with the provider, and a difference is resolved', async () => {
  const order = await shop.order();
  await shop.payBy(order);
  await expect.poll(async () => (await shop.read(order)).status, patience).toBe('paid');
  shop.stripe.refundThere(shop.stripe.intentOf(await shop.lastPayment(order)), 100);
  await page.getByRole('link', { name: 'Company settings' }).click();
  await page.getByRole('link', { name: 'Reconciliation' }).click();
  await page.getByText('No days compared yet').first().waitFor();
  await button('Compare a day').click();
  await dialog()
    .getByLabel('Day')
    .fill(new Date(shop.stripe.store.nowSeconds() * 1_000).toISOString().slice(0, 10));
  await button('Compare').click();
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Reconciliation' }).waitFor();
      return page.getByText('Part of the money was refunded').count();
    }, patience)
    .toBe(1);
  await expectGood(page, 'reconciliation');
  await button('Settled elsewhere').click();
  await expectGood(page, 'reconciliation-resolve');
  await page.keyboard.press('Escape');
  // The one list has its payment, and the difference itself once that is decided.
  await page.goto(`${place}/attention`);
  await page.getByText('The amount differs from the order').waitFor();
  expect(await page.getByRole('heading', { name: 'Explain the difference 1' }).count()).toBe(0);
  await button('Accept amount').click();
  await dialog().getByRole('button', { name: 'Accept amount' }).click();
  await page.getByText('Payment accepted.').waitFor();
  await page.getByRole('heading', { name: 'Explain the difference 1' }).waitFor();
  await expectGood(page, 'attention-difference');
  await page
    .getByRole('list', { name: 'Explain the difference 1' })
    .getByRole('button', { name: 'Settled elsewhere' })
    .click();
  await dialog().getByLabel('How was it settled?').fill('Agreed with the player.');
  await dialog().getByRole('button', { name: 'Settled elsewhere' }).click();
  await page.getByText('Marked as settled elsewhere.').waitFor();
  await page.getByRole('heading', { name: 'Explain the difference 1' }).waitFor({ state: 'detached' });
  await page.goto(`${place}/settings/reconciliation`);
  await page.getByText('Agreed with the player.').waitFor();
});

/** What stands beside each name on the page, in cents. */
async function sumsOnPage(): Promise<Map<string, number>> {
  const names = await page.locator('dl dt').allTextContents();
  const amounts = await page.locator('dl dd').allTextContents();
  const cents = (text = ''): number => Math.round(Number(text.replace('−', '-').replace(/[^\d.-]/g, '')) * 100);
  return new Map(names.map((name, at) => [name.replace(/ \(\d+\)$/, ''), cents(amounts[at])]));
}

test('the day’s page adds up from the orders to the payout to the cent, names a difference, and is a file', async () => {
  const day = new Date(shop.stripe.store.nowSeconds() * 1_000).toISOString().slice(0, 10);
  const quiet = (): void => {};
  const compared = { ...shop.program.purchasing, write: quiet, writeError: quiet };
  shop.stripe.payOut();
  expect(await reconcileCommand.run(['--day', day], compared)).toBe(0);
  await page.goto(`${place}/settings/reconciliation/${day}`);
  await page.getByText('Adds up to the cent').waitFor();
  const { Net: net, 'Paid out to the bank': bank, ...lines } = Object.fromEntries(await sumsOnPage());
  expect(lines.Orders).toBeGreaterThan(0);
  expect(Object.values(lines).reduce((sum, amount) => sum + amount, 0)).toBe(net);
  expect(bank).toBe(net);
  await expectGood(page, 'payouts');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const [head = '', ...rows] = readFileSync(await file.path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  const at = head.replace('\uFEFF', '').split(',').indexOf('net');
  const kind = head.replace('\uFEFF', '').split(',').indexOf('kind');
  const booked = rows.map(row => row.split(',')).filter(cells => cells[kind] !== 'payout');
  expect(booked.reduce((sum, cells) => sum + Math.round(Number(cells[at]) * 100), 0)).toBe(net);
  // A movement that Stripe no longer lists: what is missing is named.
  const [lost] = [...shop.stripe.store.booked.values()].filter(({ type }) => type === 'charge');
  shop.stripe.store.booked.delete(lost!.id);
  await shop.database.db.query(
    sql('test_payouts_anew')`delete from balance_entries where entry_id = ${lost!.id} returning entry_id`,
  );
  expect(await reconcileCommand.run(['--day', day], compared)).toBe(0);
  await page.reload();
  await page.getByText(/^.*Difference: /).waitFor();
  await expect.poll(() => page.getByText('Adds up to the cent').count()).toBe(0);
});
