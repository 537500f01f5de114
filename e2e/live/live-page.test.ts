/** A player in a real browser in live, with doubles of both sides of Stripe. */
import { renderCheckout } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { upsertMethodSwitch } from '../../apps/server/src/domain/payment/merchant-accounts/company-choices.sql.ts';
import { violations } from '../axe.ts';
import { launchBrowser } from '../browser.ts';
import { type StripeJsDouble, startStripeJsDouble } from './stripe-js-double.ts';

const CARD = '4242 4242 4242 4242';
const patience = { timeout: 60_000, interval: 50 };

let js: StripeJsDouble;
let shop: StripeShop;
let browser: Browser;
/** Everything that browsers sent to the shop itself. */
const sentToShop: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  js = await startStripeJsDouble();
  shop = await startStripeShop({ workers: true, env: { STRIPE_JS_URL: js.scriptUrl } });
  js.attach(shop.stripe);
  shop.stripe.callBack({ url: `${shop.url}/gateways/stripe`, secret: 'whsec_Double0001' }, { auto: true });
  await shop.database.db.transaction(async tx => upsertMethodSwitch(tx, shop.account.companyId, 'oxxo', true));
  browser = await launchBrowser();
});

afterEach(async () => {
  shop.game.answerAlways({ status: 200 });
  await Promise.all(browser.contexts().map(context => context.close()));
});

afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await js?.close();
});

interface Opened {
  page: Page;
  order: string;
}

/** What the browser knows and does not tell: whether the code that runs now was called by the player's own click or key. */
function watchUserEvents(): void {
  const scope = globalThis as unknown as { inUserEvent: boolean };
  scope.inUserEvent = false;
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (listener === null) return;
    add.call(
      this,
      type,
      event => {
        scope.inUserEvent = event.isTrusted && ['click', 'submit', 'keydown'].includes(event.type);
        try {
          if (typeof listener === 'function') listener.call(event.currentTarget!, event);
          else listener.handleEvent(event);
        } finally {
          scope.inUserEvent = false;
        }
      },
      options,
    );
  };
}

async function visit(url: string, options: BrowserContextOptions = {}, from = browser): Promise<Page> {
  const context = await from.newContext({ locale: 'en-GB', ...options });
  await context.addInitScript(watchUserEvents);
  const page = await context.newPage();
  page.on('request', request => {
    if (request.url().startsWith(shop.url)) sentToShop.push(`${request.url()} ${request.postData() ?? ''}`);
  });
  page.on('console', message => {
    if (message.type() === 'error' && /Content Security Policy|IntegrationError/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(url);
  return page;
}

async function urlOf(order: string): Promise<string> {
  const { checkout_url } = await shop.read(order);
  return shop.url + new URL(checkout_url).pathname;
}

async function open(
  body: Record<string, unknown> = {},
  options: BrowserContextOptions = {},
  from = browser,
): Promise<Opened> {
  const order = await shop.order(body);
  return { order, page: await visit(await urlOf(order), options, from) };
}

async function frameAt(page: Page, path: string): Promise<Frame> {
  const find = () => page.frames().find(frame => frame.url().includes(path));
  await expect.poll(() => find() !== undefined, patience).toBe(true);
  return find()!;
}

/** Looked up at every step: the page draws the form again after an answer, and the frame of before is gone then. */
const frameOf = (page: Page, path: string) => page.locator(`iframe[src*="${path}"]`).last().contentFrame();

const heading = (page: Page, words: string) => expect.poll(() => page.textContent('h1'), patience).toBe(words);

async function fill(page: Page, card = CARD): Promise<void> {
  await page.fill('#email', 'mika@example.com');
  const fields = frameOf(page, '/v3/fields');
  await fields.locator('[value=card]').check();
  await fields.locator('#number').fill(card);
}

async function pay(page: Page, card = CARD): Promise<void> {
  await fill(page, card);
  await page.click('#submit');
}

async function answerBank(page: Page, button: '#right' | '#wrong'): Promise<void> {
  await frameOf(page, '/v3/challenge').locator(button).click();
}

describe('by card', () => {
  test('the provider’s form pays, and the card never comes to us (row 69)', async () => {
    const { page, order } = await open();
    await expect.poll(() => page.textContent('#submit')).toBe('Pay US$4.99');
    await pay(page);
    await heading(page, 'Purchase complete');
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    expect(sentToShop.join('\n')).toContain('provider_token=ctoken');
    expect(sentToShop.join('\n')).not.toMatch(/4242(?:\+|%20| )?4242/);
    expect(complaints).toEqual([]);
  });

  test('3-D Secure is asked in the page; after a failure the player is told and can try again', async () => {
    const { page, order } = await open();
    await pay(page, '4000 0027 6000 3184');
    await answerBank(page, '#wrong');
    await expect.poll(() => page.textContent('main'), patience).toContain('couldn’t confirm your identity');
    expect(await shop.money(order)).not.toContain('captured');
    await pay(page, '4000 0027 6000 3184');
    await answerBank(page, '#right');
    await heading(page, 'Purchase complete');
    expect((await shop.money(order)).filter(kind => kind === 'captured')).toHaveLength(1);
  });

  test('who left in the middle of it goes on where it was, or pays another way', async () => {
    const { page, order } = await open();
    await pay(page, '4000 0027 6000 3184');
    await frameAt(page, '/v3/challenge');
    const later = await visit(await urlOf(order));
    await heading(later, 'Confirm it’s you');
    expect(await violations(later)).toEqual([]);
    await later.click('#continue');
    await frameAt(later, '/v3/challenge');
    const third = await visit(await urlOf(order));
    await third.click('text=Pay another way');
    await expect.poll(() => third.textContent('main'), patience).toContain('wasn’t completed');
    await pay(third);
    await heading(third, 'Purchase complete');
    expect(await shop.money(order)).toEqual(expect.arrayContaining(['captured']));
  });

  test('a decline is told in words, and another card pays', async () => {
    const { page, order } = await open();
    await pay(page, '4000 0000 0000 9995');
    await expect.poll(() => page.textContent('.problem'), patience).toContain('insufficient funds');
    await pay(page);
    await heading(page, 'Purchase complete');
    expect((await shop.paymentsOf(order)).map(({ status }) => status)).toEqual(['declined', 'succeeded']);
  });

  test('what the provider’s form finds wrong is told beside it, and nothing is sent', async () => {
    const { page, order } = await open();
    await pay(page, '4242');
    await expect.poll(() => page.textContent('#provider_error'), patience).toBe('Your card number is incomplete.');
    expect(await violations(page)).toEqual([]);
    await page.fill('#email', '');
    await page.click('#submit');
    await expect.poll(() => page.textContent('#email_error')).toBe('Enter your email address.');
    expect(await shop.paymentsOf(order)).toEqual([]);
  });

  test('after the game’s no the player is not charged', async () => {
    shop.game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    const { page, order } = await open();
    await pay(page);
    await heading(page, 'Your items couldn’t be added');
    await expect.poll(() => shop.money(order), patience).toEqual(['authorized', 'canceled']);
  });
});

describe('by other ways', () => {
  test('a wallet’s sheet is asked for in the very task of the click (row 115)', async () => {
    const { page } = await open();
    await fill(page);
    const called = page.evaluate(() => {
      const scope = globalThis as unknown as {
        Stripe: (key: string) => { elements(given: object): { submit(): Promise<unknown> } };
      };
      const given = {
        mode: 'payment',
        amount: 499,
        currency: 'usd',
        locale: 'en',
        allowedPaymentMethodTypes: ['card'],
      };
      return scope.Stripe('pk_test_1').elements(given).submit();
    });
    await expect(called).rejects.toThrow('after something was awaited');
    await page.click('#submit');
    await heading(page, 'Purchase complete');
    expect(complaints).toEqual([]);
  });

  const shownPayments = async (order: string) =>
    (await shop.call('GET', `/s2s/v1/payments?order_id=${order}`, undefined, { key: shop.account.live.s2sKey })).body;

  const tapWallet = async (page: Page) => frameOf(page, '/v3/wallets').locator('#apple_pay').click();

  test('a wallet stands first, pays with one tap, and the receipt goes to the address that it tells', async () => {
    const { page, order } = await open();
    await frameAt(page, '/v3/wallets');
    await page.locator('#express[data-found]').waitFor();
    expect(await violations(page)).toEqual([]);
    const places = ['#express', '#email', '#provider'].map(selector => page.locator(selector).boundingBox());
    const tops = (await Promise.all(places)).map(box => box?.y ?? 0);
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(await (await frameAt(page, '/v3/fields')).locator('[value=apple_pay]').count()).toBe(0);
    await tapWallet(page);
    await heading(page, 'Purchase complete');
    await expect.poll(() => page.textContent('main')).toContain('wallet@example.com');
    expect((await shownPayments(order)).data).toMatchObject([{ method: 'apple_pay', status: 'succeeded' }]);
    expect(complaints).toEqual([]);
  });

  test('an address that the player typed goes before the wallet’s', async () => {
    const { page } = await open();
    await page.fill('#email', 'mika@example.com');
    await tapWallet(page);
    await heading(page, 'Purchase complete');
    await expect.poll(() => page.textContent('main')).toContain('mika@example.com');
  });

  test('a wallet that tells no address pays nothing before the player typed one (row 256)', async () => {
    js.setWalletEmail(null);
    onTestFinished(() => js.setWalletEmail('wallet@example.com'));
    const { page, order } = await open();
    await tapWallet(page);
    await expect.poll(() => page.textContent('#email_error')).toBe('Enter your email address.');
    await expect
      .poll(() =>
        frameOf(page, '/v3/wallets')
          .locator('html')
          .evaluate(() => document.title),
      )
      .toBe('Payment not completed');
    expect(await shop.paymentsOf(order)).toEqual([]);
    await page.fill('#email', 'mika@example.com');
    await tapWallet(page);
    await heading(page, 'Purchase complete');
  });

  test('a voucher keeps the order pending with its number, and the page learns when it is paid', async () => {
    const { page, order } = await open({ price_decimal: 100, currency: 'MXN', country: 'MX' });
    await page.fill('#email', 'mika@example.com');
    await (await frameAt(page, '/v3/fields')).check('[value=oxxo]');
    await page.click('#submit');
    await heading(page, 'Waiting for your payment');
    await expect.poll(() => page.textContent('.slip')).toMatch(/12345678.*Pay by/s);
    await expect
      .poll(() => page.getAttribute('text=Show payment instructions', 'href'))
      .toBe('https://pay.test/voucher');
    expect(await violations(page)).toEqual([]);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    shop.stripe.arrive(shop.stripe.intentOf(await shop.lastPayment(order)), true);
    await heading(page, 'Purchase complete');
  });

  test.each([true, false])('a bank is gone to and come back from (script: %s)', async javaScriptEnabled => {
    // Without windows, a browser without scripts does not follow the bank's link.
    const from = javaScriptEnabled ? browser : await launchBrowser('whole');
    onTestFinished(() => from.close());
    const { page, order } = await open({ currency: 'EUR', country: 'NL' }, { javaScriptEnabled }, from);
    const back = `${await urlOf(order)}/return?payment_intent_client_secret=secret`;
    await page.context().route('https://bank.test/**', route => {
      shop
        .lastPayment(order)
        .then(id => shop.stripe.authenticate(shop.stripe.intentOf(id), true))
        .catch(() => {});
      return route.fulfill({ contentType: 'text/html', body: `<a id="back" href="${back}">Back to the shop</a>` });
    });
    await page.fill('#email', 'mika@example.com');
    if (javaScriptEnabled) await (await frameAt(page, '/v3/fields')).check('[value=ideal]');
    else await page.check('[value=ideal]');
    await page.click('#submit');
    if (!javaScriptEnabled) await page.click('#continue');
    await page.click('#back');
    await heading(page, 'Purchase complete');
    expect(page.url()).toBe(await urlOf(order));
  });
});

describe('a kept card', () => {
  test('pays with one tap the next time, for the same player only, until it is removed', async () => {
    const player = { player_id: 'keeper' };
    const { page } = await open(player);
    await fill(page);
    await page.check('#save_method');
    await page.click('#submit');
    await heading(page, 'Purchase complete');
    await shop.later(2);

    const stranger = await open({ player_id: 'stranger' });
    await expect.poll(() => stranger.page.locator('.saved').count()).toBe(0);

    const next = await open(player);
    await expect.poll(() => next.page.textContent('.saved .button')).toContain('Pay US$4.99 with Visa ••••\u00a04242');
    expect(await violations(next.page)).toEqual([]);
    await next.page.click('.saved .button');
    await heading(next.page, 'Purchase complete');
    expect(await shop.money(next.order)).toEqual(['authorized', 'captured']);

    const last = await open(player);
    await last.page.locator('.more > summary').click();
    await last.page.click('.beside .quiet');
    await expect.poll(() => last.page.locator('.saved').count(), patience).toBe(0);
    // A job removes it at the provider, after the page has its answer.
    const attached = () => [...shop.stripe.store.methods.values()].filter(({ customer }) => customer !== null);
    await expect.poll(attached, patience).toEqual([]);
  });
});

describe('what is loaded', () => {
  test('without the provider’s script the page says so and offers what works all the same', async () => {
    const context = await browser.newContext({ locale: 'en-GB' });
    await context.route(`${js.scriptUrl}**`, route => route.abort());
    const page = await context.newPage();
    await page.goto(await urlOf(await shop.order({ currency: 'EUR', country: 'NL' })));
    await expect.poll(() => page.textContent('#provider_error'), patience).toContain('couldn’t be loaded');
    await expect.poll(() => page.isVisible('text=iDEAL')).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  test('a page that came while the shop could not tell gets the provider’s form when it can (row 113)', async () => {
    const url = await urlOf(await shop.order());
    const base = new URL(url).pathname;
    const context = await browser.newContext({ locale: 'en-GB' });
    const { html: body, headers } = renderCheckout({ ...GALLERY.unavailable, base });
    await context.route(url, route => route.fulfill({ status: 503, headers, body }), { times: 1 });
    const page = await context.newPage();
    await page.goto(url);
    await expect.poll(() => page.textContent('#submit').catch(() => null), patience).toBe('Pay US$4.99');
    await pay(page);
    await heading(page, 'Purchase complete');
  });

  test('sandbox asks the provider for nothing', async () => {
    const before = js.asked.length;
    const order = await shop.createOrder();
    const page = await visit(order.checkout_url);
    await expect.poll(() => page.locator('[data-use] button').count(), patience).toBeGreaterThan(0);
    await page.fill('#card_number', CARD);
    expect(js.asked.slice(before)).toEqual([]);
    expect(await page.content()).not.toMatch(/stripe|pk_test/i);
  });
});
