/** A player in a real browser, against the running program, with and without script. */

import { type Game, startGame } from '@coinslot/testing/game-receiver';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { CARDS, createStudio, patience, type Studio } from './game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from './start-coinslot.ts';

/** Unlike the digits of any id, price or time, so that finding them anywhere is a leak. */
/** No number is written like this, such as how long a call took. */
const CANARY_CVV = '039';
const CANARY_CARD = '5490 5290 6876 6884';

let coinslot: Coinslot;
let account: Account;
let studio: Studio;
let game: Game;
let browser: Browser;
/** Every address the browser asked for. */
const asked: string[] = [];

beforeAll(async () => {
  coinslot = await startCoinslot();
  account = await coinslot.setup();
  studio = createStudio(coinslot, account);
  game = await startGame({ secret: account.sandbox.s2s_key });
  browser = await launchBrowser();
  await subscribe();
});

afterEach(async () => {
  game.answerAlways(null);
  await Promise.all(browser.contexts().map(context => context.close()));
});

afterAll(async () => {
  await browser?.close();
  await game?.close();
  await coinslot?.stop();
});

async function subscribe(): Promise<void> {
  const webhook = { url: game.url, events: ['item.add', 'item.remove'] };
  expect((await studio.call('POST', '/s2s/v1/webhooks', webhook)).status).toBe(201);
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  page.on('request', request => asked.push(request.url()));
  await page.goto(url);
  return page;
}

const field = (page: Page, autocomplete: string) => page.locator(`[autocomplete=${autocomplete}]`);

async function fill(page: Page, card: string = CARDS.good, cvv = CANARY_CVV): Promise<void> {
  await field(page, 'email').fill('mika@example.com');
  await fillCard(page, card, cvv);
}

async function fillCard(page: Page, card: string = CARDS.good, cvv = CANARY_CVV): Promise<void> {
  await field(page, 'cc-number').fill(card);
  await field(page, 'cc-exp').fill('12 / 40');
  await field(page, 'cc-csc').fill(cvv);
  await field(page, 'postal-code').fill('10115');
}

const submit = (page: Page) => page.locator('#submit').click();

/** As a finger does it: at a place, whatever the page has made of the button when the second click comes. */
async function doubleClickOnSubmit(page: Page): Promise<void> {
  await page.locator('#submit').scrollIntoViewIfNeeded();
  const box = await page.locator('#submit').boundingBox();
  if (box === null) throw new Error('The page shows no button to pay with.');
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const statusesOf = async (id: string) => (await studio.transactionsOf(id)).map(({ status }) => status);

/** The deep link leads to a page of the test's own, so that arriving there can be seen. */
const backToGame = () => `${game.url.replace('/hooks', '/back')}?order={order_id}`;

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  const options = { javaScriptEnabled };

  test('a player pays, the game grants, and the deep link opens with the order in it', async () => {
    const order = await studio.createOrder({ back_to_game_url: backToGame(), price_decimal: 4.99, currency: 'GBP' });
    const page = await open(order.checkout_url, options);
    await fill(page, CANARY_CARD);
    const arrived = page.waitForRequest(backToGame().replace('{order_id}', order.order_id));
    await page.getByRole('button', { name: 'Pay £4.99' }).click();
    await arrived;
    expect(await studio.readOrder(order.order_id)).toMatchObject({ status: 'paid', email: 'mika@example.com' });
    expect(await studio.transactionsOf(order.order_id)).toMatchObject([{ brand: 'mastercard', last4: '6884' }]);
  });

  test('3-D Secure, completed', async () => {
    const order = await studio.createOrder();
    const page = await open(order.checkout_url, options);
    await fill(page, CARDS.challenge);
    await submit(page);
    await page.getByRole('button', { name: 'Complete' }).click();
    await heading(page, 'Purchase complete');
    expect(await statusesOf(order.order_id)).toEqual(['succeeded']);
  });

  test('3-D Secure, failed: the order can be tried again with the e-mail kept', async () => {
    const order = await studio.createOrder();
    const page = await open(order.checkout_url, options);
    await fill(page, CARDS.challenge);
    await submit(page);
    await page.getByRole('button', { name: 'Fail' }).click();
    await page.getByRole('alert').waitFor();
    expect(await statusesOf(order.order_id)).toEqual(['declined']);
    await expect.poll(() => field(page, 'email').inputValue()).toBe('mika@example.com');
    await fillCard(page);
    await submit(page);
    await heading(page, 'Purchase complete');
    expect(await statusesOf(order.order_id)).toEqual(['succeeded', 'declined']);
  });

  test('a decline says so and keeps all but the security code; then another card pays', async () => {
    const order = await studio.createOrder();
    const page = await open(order.checkout_url, options);
    await fill(page, CARDS.decline);
    await submit(page);
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/declined.*16 Payment declined/s);
    await expect.poll(() => field(page, 'email').inputValue()).toBe('mika@example.com');
    // With script the number never leaves its field. Without it only the server could fill it in again, and it does not.
    await expect.poll(() => field(page, 'cc-number').inputValue()).toBe(javaScriptEnabled ? CARDS.decline : '');
    await expect.poll(() => field(page, 'cc-csc').inputValue()).toBe('');
    await expect.poll(() => field(page, 'cc-exp').inputValue()).toBe('12 / 40');
    await expect.poll(() => field(page, 'postal-code').inputValue()).toBe('10115');
    if (javaScriptEnabled) await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('card_cvc');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Visa •••• 9015');
    await fillCard(page);
    await submit(page);
    await heading(page, 'Purchase complete');
    expect(await statusesOf(order.order_id)).toEqual(['succeeded', 'declined']);
  });

  test('a free order is claimed without a card', async () => {
    const order = await studio.createOrder({ price_decimal: 0, currency: 'USD' });
    const page = await open(order.checkout_url, options);
    await expect.poll(() => field(page, 'cc-number').count()).toBe(0);
    await page.getByRole('button', { name: 'Claim for free' }).click();
    await heading(page, 'Purchase complete');
    expect(await studio.readOrder(order.order_id)).toMatchObject({ status: 'paid', amount: 0 });
  });

  test('the deep link is neither opened nor offered before the game has said yes', async () => {
    game.answerAlways({ status: 503 });
    const order = await studio.createOrder({ back_to_game_url: backToGame() });
    const page = await open(order.checkout_url, options);
    await fill(page);
    await submit(page);
    await heading(page, 'Adding your items');
    expect(await page.content()).not.toContain('/back');
    const arrived = page.waitForRequest(backToGame().replace('{order_id}', order.order_id));
    game.answerAlways(null);
    await arrived;
    expect(await studio.readOrder(order.order_id)).toMatchObject({ status: 'paid' });
  });

  test('without a webhook the page waits, says why, and learns by itself when one is registered', async () => {
    await studio.unsubscribeAll();
    const order = await studio.createOrder();
    const page = await open(order.checkout_url, options);
    await fill(page);
    await submit(page);
    await heading(page, 'Waiting for the game');
    await expect.poll(() => page.textContent('main')).toContain('POST /s2s/v1/webhooks');
    expect(await studio.readOrder(order.order_id)).toMatchObject({ status: 'authorized' });
    await subscribe();
    await heading(page, 'Purchase complete');
    expect(await statusesOf(order.order_id)).toEqual(['succeeded']);
  });

  test('an order that was canceled or has lapsed shows so and takes no card', async () => {
    const canceled = await studio.createOrder();
    await studio.call('POST', `/s2s/v1/orders/${canceled.order_id}/cancel`);
    const lapsed = await studio.createOrder();
    await coinslot.query(
      "update orders set expires_at = app_now() - interval '1 second', version = version + 1 where id = $1",
      [lapsed.order_id],
    );
    for (const [order, title] of [
      [canceled, 'This order was canceled'],
      [lapsed, 'This order has expired'],
    ] as const) {
      const page = await open(order.checkout_url, options);
      await heading(page, title);
      await expect.poll(() => page.locator('form[method=post]').count()).toBe(0);
    }
  });
});

test('an open page notices a refund within two seconds', async () => {
  const order = await studio.createOrder();
  const page = await open(order.checkout_url);
  await fill(page);
  await page.click('#submit');
  await page.getByRole('heading', { name: 'Purchase complete' }).waitFor();
  const refund = await studio.call('POST', `/s2s/v1/orders/${order.order_id}/refund`, { reason: 'asked' });
  expect(refund.status).toBeLessThan(300);
  await studio.becomes(order.order_id, 'refunded');
  await page.getByRole('heading', { name: 'Refunded' }).waitFor({ timeout: 2_000 });
});

test('an open form gives way when the game cancels the order', async () => {
  const order = await studio.createOrder();
  const page = await open(order.checkout_url);
  await studio.call('POST', `/s2s/v1/orders/${order.order_id}/cancel`);
  await heading(page, 'This order was canceled');
});

test('a double click, two tabs and a form sent twice pay once', async () => {
  const order = await studio.createOrder();
  const tabs = await Promise.all([open(order.checkout_url), open(order.checkout_url, { javaScriptEnabled: false })]);
  for (const page of tabs) await fill(page);
  await Promise.all(tabs.map(doubleClickOnSubmit));
  for (const page of tabs) await heading(page, 'Purchase complete');
  expect(await statusesOf(order.order_id)).toEqual(['succeeded']);
  const captures = await coinslot.query(
    "select e.payment_id from simulator.entries e join payments p on p.id = e.payment_id where p.order_id = $1 and e.kind = 'captured'",
    [order.order_id],
  );
  expect(captures).toHaveLength(1);
});

test('a page that is opened again after the tab was closed shows the end', async () => {
  game.answer({ status: 503 });
  const order = await studio.createOrder();
  const page = await open(order.checkout_url);
  await fill(page);
  await submit(page);
  await page.close();
  await studio.becomes(order.order_id, 'paid');
  await heading(await open(order.checkout_url), 'Purchase complete');
});

test('pages that wait for a game that is down go on by themselves when it is back (row 171)', async () => {
  game.answerAlways({ status: 503 });
  const orders = await Promise.all(Array.from({ length: 12 }, () => studio.createOrder()));
  const [first, second, third, ...others] = orders.map(order => order.checkout_url);
  const pages = [
    await open(first!),
    await open(second!, { javaScriptEnabled: false }),
    await open(third!, { viewport: { width: 390, height: 844 } }),
  ];
  for (const page of pages) {
    await fill(page);
    await submit(page);
    await heading(page, 'Adding your items');
  }
  for (const url of others) await studio.pay(url);
  const states = () => coinslot.query('select state from endpoint_health');
  await expect.poll(states, patience).toEqual([{ state: 'down' }]);
  game.answerAlways(null);
  for (const page of pages) await heading(page, 'Purchase complete');
  for (const order of orders) await studio.becomes(order.order_id, 'paid');
  expect((await Promise.all(orders.map(order => statusesOf(order.order_id)))).flat()).toEqual(
    orders.map(() => 'succeeded'),
  );
});

test('the inputs carry the names that browsers fill in, and ask for the right keyboard', async () => {
  const page = await open((await studio.createOrder()).checkout_url);
  const names = ['email', 'cc-number', 'cc-exp', 'cc-csc', 'postal-code'];
  for (const name of names) expect([name, await field(page, name).count()]).toEqual([name, 1]);
  await expect.poll(() => field(page, 'email').getAttribute('type')).toBe('email');
  for (const name of names.slice(1, 4))
    await expect.poll(() => field(page, name).getAttribute('inputmode')).toBe('numeric');
});

describe('the card number and CVV', () => {
  const digits = CANARY_CARD.replaceAll(' ', '');
  const canaries = [digits, CANARY_CARD, digits.slice(0, 15), digits.slice(-12)];

  test('are nowhere in the database', async () => {
    const columns = await coinslot.query<{ place: string; dump: string }>(`
      select table_schema || '.' || table_name || '.' || column_name as place,
             format('select coalesce(string_agg(%I::text, chr(10)), '''') as text from %I.%I', column_name, table_schema, table_name) as dump
      from information_schema.columns where table_schema in ('public', 'simulator')`);
    expect(columns.length).toBeGreaterThan(100);
    let read = 0;
    for (const { place, dump } of columns) {
      const [row] = await coinslot.query<{ text: string }>(dump);
      const text = row?.text ?? '';
      read += text.length;
      for (const canary of canaries) expect([place, text.includes(canary)]).toEqual([place, false]);
      if (/cvc|cvv|security_code/i.test(place)) expect.fail(`${place} should not exist`);
      // Three digits alone occur in ids and times; as a whole value or a JSON value they do not.
      expect([place, new RegExp(`(^|[":\\s])${CANARY_CVV}($|[",}\\s])`, 'm').test(text)]).toEqual([place, false]);
    }
    expect(read).toBeGreaterThan(10_000);
  });

  test('are nowhere in the log, in webhooks, in mails or in an address', async () => {
    await expect.poll(() => coinslot.run('mails', '--json'), patience).toContain('mika@example.com');
    const webhooks = game.requests.map(({ rawBody, headers }) => rawBody + JSON.stringify(headers)).join('\n');
    const places = {
      log: coinslot.log(),
      webhooks,
      mails: await coinslot.run('mails', '--json'),
      addresses: asked.join('\n'),
    };
    for (const [place, text] of Object.entries(places)) {
      expect(text).not.toBe('');
      for (const canary of canaries) expect([place, text.includes(canary)]).toEqual([place, false]);
      expect([place, new RegExp(`(?:cvc|cvv|csc)\\W+${CANARY_CVV}`, 'i').test(text)]).toEqual([place, false]);
    }
    expect(coinslot.log()).not.toMatch(/request failed|work failed|checkout page failed/);
  });
});
