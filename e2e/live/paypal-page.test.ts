/** A player in a real browser who pays on PayPal's own pages, which the double shows. */

import { type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { type PaypalDouble, startPaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { launchBrowser } from '../browser.ts';
import { freePort } from '../free-port.ts';

const patience = { timeout: 60_000, interval: 50 };

let paypal: PaypalDouble;
let shop: LiveShop;
let browser: Browser;
const complaints: string[] = [];

beforeAll(async () => {
  paypal = await startPaypalDouble();
  // PayPal sends the browser back to where the program says that it is, so it must be there.
  const port = await freePort();
  shop = await startLiveShop({
    port,
    env: {
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      PAYPAL_API_BASE: paypal.url,
      PAYPAL_MODE: 'sandbox',
      PAYPAL_CLIENT_ID: paypal.keys.clientId,
      PAYPAL_CLIENT_SECRET: paypal.keys.secret,
      PAYPAL_WEBHOOK_ID: 'WEBHOOK1',
    },
  });
  browser = await launchBrowser();
});

afterEach(() => Promise.all(browser.contexts().map(context => context.close())));

afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await paypal?.close();
});

async function open(order: LiveOrder, javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', javaScriptEnabled });
  const page = await context.newPage();
  page.on('console', message => {
    if (message.type() === 'error' && /Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(order.checkout_url);
  return page;
}

/** From our page to PayPal's, by whatever the page offers for it. */
async function leave(page: Page): Promise<void> {
  const choice = page.locator('[name=method][value=paypal]');
  if ((await choice.getAttribute('type')) === 'radio') await choice.check();
  await page.fill('#email', 'mika@example.com');
  await page.click('#submit');
  const offer = page.locator('#continue');
  await expect
    .poll(async () => {
      // The page may go on by itself between a look at the link and the click on it.
      if (await offer.isVisible()) await offer.click({ timeout: 1_000 }).catch(() => {});
      return page.url();
    }, patience)
    .toMatch(/\/checkoutnow\?token=/);
  await page.waitForLoadState();
}

const heading = (page: Page, words: string) => expect.poll(() => page.textContent('h1'), patience).toBe(words);

const movesOf = async (order: LiveOrder): Promise<string[]> =>
  (await shop.paymentsOf(order)).flatMap(({ payment_id: id }) => paypal.movementsOf(String(id)));

test.each([
  ['with script', true],
  ['without script', false],
])('%s, the player says no at PayPal, is declined there, tries again, and has paid once', async (_, script) => {
  const order = await shop.order();
  const page = await open(order, script);
  if (script) expect(await violations(page)).toEqual([]);
  await leave(page);
  await expect.poll(() => page.textContent('h1')).toBe('Pay 4.99 EUR');
  await page.click('#no');
  await page.waitForURL(url => url.href.startsWith(shop.url));
  await shop.until(order, 'created');
  expect(await movesOf(order)).toEqual([]);

  await leave(page);
  await page.click('#declined');
  await shop.until(order, 'created');
  await page.goto(order.checkout_url);
  await expect.poll(() => page.textContent('main')).toMatch(/declined/i);

  await leave(page);
  await page.click('#yes');
  await shop.until(order, 'paid');
  if (!script) await page.goto(order.checkout_url);
  await heading(page, 'Purchase complete');
  expect(await movesOf(order)).toEqual(['authorized', 'captured']);
  expect(complaints).toEqual([]);
});
