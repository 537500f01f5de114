import { type Game, startGame } from '@coinslot/testing/game-receiver';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { freePort } from '../free-port.ts';
import { CARDS, patience } from '../game-studio.ts';
import { inSequence } from '../in-sequence.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { DESK, expectGood } from './look.ts';
import { PASSWORD, signIn } from './places.ts';

/** In the real browser, with its virtual authenticator in place of a fingerprint. Each test goes on from the one before. */

const OWNER = 'owner@studio.example';

let base: string;
let coinslot: Coinslot;
let browser: Browser;
let page: Page;
let game: Game;
let account: Account;

inSequence();

beforeAll(async () => {
  // Browsers give passkeys to names, never to bare addresses.
  const port = await freePort();
  base = `http://localhost:${port}`;
  const env = { PORT: String(port), PUBLIC_URL: base, LIVE_GATEWAY: 'simulator' };
  [coinslot, browser, game] = await Promise.all([startCoinslot(env), launchBrowser(), startGame()]);
  account = await coinslot.setup();
  const context = await browser.newContext({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce' });
  page = await context.newPage();
  const devices = await context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await coinslot?.stop();
  await game?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');

/** As if the password had been given long ago. */
const later = () => coinslot.query("update sessions set confirmed_at = now() - interval '11 minutes'", []);

async function openProfile(): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
}

test('live says on every page that it is only simulated, and the sandbox does not', async () => {
  await signIn(page, base);
  const banner = () => page.getByText('Live runs without a payment provider. No real money moves.');
  const live = page.url().replace(/\/(?:live|sandbox).*/, '/live');
  for (const path of ['', '/transactions', '/settings/company']) {
    await page.goto(`${live}${path}`);
    await banner().first().waitFor();
    expect(await page.getByText('Real payments.').count()).toBe(0);
    await expectGood(page, `simulated${path.replaceAll('/', '-')}`);
  }
  await page.goto(live.replace('/live', '/sandbox'));
  await page.getByText('Test payments in the sandbox.').waitFor();
  expect(await banner().count()).toBe(0);
  await page.context().clearCookies();
});

test('adding a passkey asks for the password again, then goes on, and gives recovery codes', async () => {
  await signIn(page, base);
  await openProfile();
  await later();
  await button('Add a passkey').click();
  await dialog().getByLabel('Name').fill('My laptop');
  await button('Next').click();
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
  await page.getByLabel('Your password').fill('not my password');
  await button('Next').last().click();
  await page.getByText('Wrong password.').waitFor();
  await expectGood(page, 'ask-again');
  await page.getByLabel('Your password').fill(PASSWORD);
  await button('Next').last().click();
  await page.getByText('The passkey was added.').waitFor();
  expect((await dialog().locator('pre').innerText()).trim().split('\n')).toHaveLength(10);
  await button('I saved them').click();
  await page.getByText('My laptop').waitFor();
  await expectGood(page, 'profile-passkeys');
});

test('it signs in without a password, and the password alone no longer does', async () => {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectGood(page, 'sign-in-passkey');
  await page.getByLabel('E-mail').fill(OWNER);
  await page.getByLabel('Password').fill(PASSWORD);
  await button('Sign in').click();
  await page.getByRole('heading', { name: 'Use your passkey' }).waitFor();
  await expectGood(page, 'sign-in-second-factor');
  await button('Use a passkey').click();
  await page.waitForURL(/\/dashboard\/g\//);
});

test('it answers when a key is created long after sign-in', async () => {
  await later();
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await button('Create key').click();
  await dialog().getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
  await button('Use a passkey').click();
  const made = async () =>
    (await coinslot.query<{ count: number }>('select count(1)::int as count from s2s_keys', []))[0]?.count;
  await expect.poll(made, patience).toBe(3);
  await page.keyboard.press('Escape');
});

test('it shows a key, with no password typed', async () => {
  await page.reload();
  await later();
  await button('Reveal').first().click();
  await page.getByRole('heading', { name: 'Reveal key' }).waitFor();
  await expectGood(page, 'reveal-by-passkey');
  await dialog().getByRole('button', { name: 'Use a passkey' }).click();
  await dialog().getByText(/^sk_/).first().waitFor();
  await button('Done').click();
});

/** A live payment, by the form that a player fills in. */
async function payInLive(): Promise<string> {
  const headers = { authorization: `Bearer ${account.live.s2s_key}`, 'content-type': 'application/json' };
  const s2s = async (path: string, body?: object) => {
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    return (await fetch(`${base}/s2s/v1${path}`, init)).json();
  };
  await s2s('/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  const price = { price_decimal: 4.99, currency: 'USD' };
  const made = await s2s('/orders', { player_id: 'mika', items: [{ sku: 'gems' }], ...price });
  const card = { card_number: CARDS.good, card_expiry: '12 / 40', card_cvc: '123', postal_code: '10115' };
  const body = new URLSearchParams({ email: 'mika@example.com', method: 'card', ...card });
  await fetch(`${made.checkout_url}/pay`, { method: 'POST', body, redirect: 'manual' });
  await expect.poll(async () => (await s2s(`/orders/${made.order_id}`)).status, patience).toBe('paid');
  return (await s2s(`/payments?order_id=${made.order_id}`)).data[0].payment_id;
}

test('it refunds real money, and what it signed for one refund does for no other (row 70)', async () => {
  const payment = await payInLive();
  await page.goto(`${base}/dashboard/g/${account.game_id}/live/transactions/${payment}`);
  await button('Refund').click();
  await dialog().getByLabel('Reason').fill('Bought twice');
  await button('Continue').click();
  const sent = page.waitForRequest(request => request.url().endsWith('/refund') && request.method() === 'POST');
  await dialog().getByRole('button', { name: 'Use a passkey' }).click();
  const request = await sent;
  await page.getByText('The money was refunded').waitFor();
  const again = await page.request.post(request.url(), {
    headers: { 'x-csrf-token': request.headers()['x-csrf-token'] ?? '', origin: base },
    data: request.postDataJSON(),
  });
  expect(await again.json()).toMatchObject({ code: 'passkey_invalid' });
});

test('a company that asks for a second factor shows members without one only how to add it', async () => {
  await page.goto(page.url().replace(/\/dashboard\/g\/([^/]+)\/(\w+).*/, '/dashboard/g/$1/$2/settings/company'));
  await page.getByLabel('Require a second factor').click();
  await page.getByText('Saved').first().waitFor();
  await expectGood(page, 'company-second-factor');
  await page.goto(page.url().replace('settings/company', 'settings/profile'));
  await button('Remove').click();
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
  await expectGood(page, 'second-factor-missing');
  await button('Add a passkey').click();
  await button('Next').click();
  await button('I saved them').click();
  await expectGood(page, 'second-factor-added');
  await button('Continue').click();
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
});
