import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type CheckoutView, languageOf, renderCheckout } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Visit {
  method: string;
  path: string;
  body: string;
}

let browser: Browser;
let server: Server;
let origin: string;
let shown: CheckoutView = GALLERY.ready;
let visits: Visit[] = [];
/** Long polls that wait for the order to change. */
let waiting: (() => void)[] = [];

const base = '/c/sample';
const patience = { timeout: 20_000 };
const visitsOf = (method: string, path: string) =>
  visits.filter(visit => visit.method === method && visit.path === path);

function show(view: CheckoutView): void {
  shown = { ...view, base };
  for (const wake of waiting.splice(0)) wake();
}

async function answerStatus(request: IncomingMessage): Promise<string> {
  const version = 'version' in shown ? shown.version : 0;
  const known = new URL(request.url ?? '', origin).searchParams.get('version');
  if (known === String(version)) await new Promise<void>(resolve => waiting.push(resolve));
  return JSON.stringify({ version: 'version' in shown ? shown.version : 0, state: shown.state });
}

function sendPage(request: IncomingMessage, response: ServerResponse): void {
  const chosenLanguage = languageOf(new URL(request.url ?? '', origin).searchParams.get('lang') ?? '');
  const { html, headers } = renderCheckout({ ...shown, language: chosenLanguage ?? shown.language, chosenLanguage });
  response.writeHead(200, headers).end(html);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  visits.push({ method: request.method ?? '', path, body: await text(request) });
  if (path === `${base}/status`) response.end(await answerStatus(request));
  else if (path === `${base}/events`) response.writeHead(204).end();
  else if (request.method === 'POST') response.writeHead(303, { location: base }).end();
  else if (path === base) sendPage(request, response);
  else response.end('the game');
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

afterEach(async () => {
  await Promise.all(browser.contexts().map(context => context.close()));
  waiting = [];
  visits = [];
});

async function open(view: CheckoutView, options: BrowserContextOptions = {}): Promise<Page & { troubles: string[] }> {
  show(view);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const page = Object.assign(await context.newPage(), { troubles: [] as string[] });
  page.on('console', message => message.type() === 'error' && page.troubles.push(message.text()));
  page.on('pageerror', error => page.troubles.push(error.message));
  await page.goto(origin + base);
  return page;
}

/** What the script would open by itself is not part of how the page looks. */
const still = (view: CheckoutView): CheckoutView => ('backToGameUrl' in view ? { ...view, backToGameUrl: null } : view);

const AXE_ALL = "{ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }";
const AXE_COLOURS = "{ resultTypes: ['violations'], runOnly: ['color-contrast'] }";

const axe = (page: Page, options: string) =>
  page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(node => node.html).join(' | ')))`);

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
];

test.each(sizes)('every state is accessible, whole and silent at $width pixels, light and dark', async viewport => {
  const page = await open(GALLERY.canceled, { viewport });
  for (const [name, view] of Object.entries(GALLERY)) {
    // Away first: the page before would follow its order to this state by itself.
    await page.goto('about:blank');
    show(still(view));
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(origin + base);
    await page.evaluate(AXE);
    expect([name, await axe(page, AXE_ALL)]).toEqual([name, []]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect([name, await axe(page, AXE_COLOURS)]).toEqual([name, []]);
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, viewport.width]);
    expect([name, page.troubles]).toEqual([name, []]);
  }
});

test('the button is above the fold of a phone for a single item', async () => {
  const page = await open(GALLERY.ready);
  const box = await page.locator('#submit').boundingBox();
  expect(box!.y + box!.height).toBeLessThan(844);
});

test('a visit is one request and small', async () => {
  const page = await open(GALLERY.done);
  await page.waitForLoadState('networkidle');
  expect(visits.map(visit => visit.path)).toEqual([base]);
  for (const view of Object.values(GALLERY)) expect(gzipSync(renderCheckout(view).html).length).toBeLessThan(12_000);
});

async function fillForm(page: Page): Promise<void> {
  await page.locator('[autocomplete=email]').fill('mika@example.com');
  await page.locator('[autocomplete=cc-number]').fill('4242 4242 4242 4242');
  await page.locator('[autocomplete=cc-exp]').fill('12 / 40');
  await page.locator('[autocomplete=cc-csc]').fill('123');
  await page.locator('[autocomplete=postal-code]').fill('10115');
}

const sentForm = {
  email: 'mika@example.com',
  card_number: '4242 4242 4242 4242',
  card_expiry: '12 / 40',
  card_cvc: '123',
  postal_code: '10115',
};

describe('without JavaScript', () => {
  test('the form has everything and posts it', async () => {
    const page = await open(GALLERY.ready, { javaScriptEnabled: false });
    await fillForm(page);
    await page.getByRole('button', { name: 'Pay $4.99' }).click();
    const [sent] = visitsOf('POST', `${base}/pay`);
    expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual(sentForm);
  });

  test('a free order is claimed with one tap', async () => {
    const page = await open(GALLERY.claim, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Claim for free' }).click();
    expect(visitsOf('POST', `${base}/claim`)).toMatchObject([{ body: 'email=' }]);
  });

  test.each(['complete', 'fail'])('the challenge can be answered: %s', async result => {
    const page = await open(GALLERY.challenge, { javaScriptEnabled: false });
    await page.getByRole('button', { name: new RegExp(result, 'i') }).click();
    expect(visitsOf('POST', `${base}/challenge`)).toMatchObject([{ body: `result=${result}` }]);
  });

  test('a page that waits learns the end by itself and opens the way back', async () => {
    const page = await open(GALLERY.asking, { javaScriptEnabled: false });
    show({ ...GALLERY.done, backToGameUrl: `${origin}/game` });
    await page.waitForURL(`${origin}/game`);
  });

  test('the test cards are one tap away', async () => {
    const page = await open(GALLERY.ready, { javaScriptEnabled: false });
    await page.getByText('Test cards').click();
    expect(await page.getByText('4242 4242 4242 4242').isVisible()).toBe(true);
  });
});

describe('with JavaScript', () => {
  test('the whole form works by keyboard', async () => {
    const page = await open(GALLERY.ready);
    await page.locator('#email').focus();
    for (const word of ['mika@example.com', '4242424242424242', '1240', '123', '10115']) {
      await page.keyboard.type(word);
      await page.keyboard.press('Tab');
    }
    expect(await page.evaluate('document.activeElement.id')).toBe('submit');
    await page.keyboard.press('Enter');
    // Until the page is back, or its request would count in the next test.
    await expect.poll(() => visitsOf('GET', base).length, patience).toBe(2);
    expect(Object.fromEntries(new URLSearchParams(visitsOf('POST', `${base}/pay`)[0]?.body))).toEqual(sentForm);
  });

  test('a second tap sends nothing', async () => {
    const page = await open(GALLERY.ready);
    await fillForm(page);
    const disabled = await page.evaluate(`(() => {
      const button = document.getElementById('submit');
      button.click();
      button.click();
      return button.disabled;
    })()`);
    expect(disabled).toBe(true);
    await expect.poll(() => visitsOf('POST', `${base}/pay`).length, patience).toBe(1);
    await expect.poll(() => visitsOf('GET', base).length, patience).toBe(2);
    expect(visitsOf('POST', `${base}/pay`)).toHaveLength(1);
  });

  test('a test card fills the card fields', async () => {
    const page = await open(GALLERY.ready);
    await page.getByText('Test cards').click();
    await page.getByRole('button', { name: 'Use 3700 0000 0000 002' }).click();
    expect(await page.locator('#card_number').inputValue()).toBe('3700 0000 0000 002');
    expect(await page.locator('#card_cvc').inputValue()).toBe('1234');
  });

  test('a page that waits follows the order to its end and opens the game once', async () => {
    const page = await open(GALLERY.paying);
    show({ ...GALLERY.asking, version: 4 });
    await page.getByRole('heading', { name: 'Getting your items' }).waitFor();
    show({ ...GALLERY.done, version: 5, backToGameUrl: `${origin}/game` });
    await page.getByRole('heading', { name: 'It is yours' }).waitFor();
    await page.waitForURL(`${origin}/game`);
    await page.goBack();
    await page.getByRole('heading', { name: 'It is yours' }).waitFor();
    expect(page.url()).toBe(origin + base);
  });

  test('a form that another tab has paid gives way; one that is only older keeps what was typed', async () => {
    const page = await open(GALLERY.ready);
    await page.locator('#card_number').fill('4242');
    await expect.poll(() => visitsOf('GET', `${base}/status`).length, patience).toBe(1);
    show({ ...GALLERY.ready, version: 8 });
    await expect.poll(() => visitsOf('GET', `${base}/status`).length, patience).toBe(2);
    expect(await page.locator('#card_number').inputValue()).toBe('4242');
    show({ ...GALLERY.done, backToGameUrl: null, version: 9 });
    await page.getByRole('heading', { name: 'It is yours' }).waitFor();
  });

  test('the reader is led to what went wrong', async () => {
    const declined = await open(GALLERY.declined);
    expect(await declined.evaluate('document.activeElement.role')).toBe('alert');
    const wrong = await open(GALLERY['wrong fields']);
    expect(await wrong.evaluate('document.activeElement.id')).toBe('email');
  });

  test('a change is put in place, read out, and leads to the new heading', async () => {
    const page = await open(GALLERY.asking);
    await page.evaluate('window.same = true');
    show({ ...GALLERY.rejected, version: 4 });
    await page.getByRole('heading', { name: 'The game could not add your items' }).waitFor();
    expect(await page.evaluate('[window.same, document.activeElement.tagName]')).toEqual([true, 'H1']);
    expect(await page.locator('#news').textContent()).toContain('You were not charged.');
    expect(await page.title()).toBe('The game could not add your items · Tiny Harvest');
    expect(page.troubles).toEqual([]);
  });

  test('the lateness of the game and the end of the time appear by the clock alone', async () => {
    const page = await open({ ...GALLERY.asking, renewInSeconds: 1 });
    shown = { ...GALLERY['asking, late'], base };
    await page.getByText('has not answered yet').waitFor();

    const form = await open({ ...GALLERY['ready, live, little time'], renewInSeconds: 62 });
    expect(await form.locator('#time_left').textContent()).toMatch(/^(?:12 minutes|1:0[012])$/);
    await form.getByText('1:00').waitFor();

    const ending = await open({ ...GALLERY['ready, live, little time'], renewInSeconds: 1 });
    shown = { ...GALLERY.expired, base };
    await ending.getByRole('heading', { name: 'This order has expired' }).waitFor();
  });

  test('a page that comes back from the cache of the browser looks anew', async () => {
    const page = await open(GALLERY.ready);
    shown = { ...GALLERY['already paid'], base };
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.getByRole('heading', { name: 'Already paid' }).waitFor();
  });

  test('a reload after a refused form asks for the page and sends nothing again', async () => {
    const page = await open(GALLERY.ready);
    await page.route(`**${base}/pay`, async route => {
      const { html, headers } = renderCheckout({ ...GALLERY['wrong fields'], base });
      await route.fulfill({ status: 422, headers, body: html });
    });
    await fillForm(page);
    await page.locator('#submit').click();
    await page.getByText('Please look at the marked fields.').waitFor();
    expect(page.url()).toBe(origin + base);
    await page.unroute(`**${base}/pay`);
    await page.reload();
    expect(visitsOf('POST', `${base}/pay`)).toEqual([]);
  });

  test('what is counted is the choice of the card and leaving, once each, and nothing else', async () => {
    const page = await open(GALLERY.ready);
    await page.locator('#card_number').focus();
    await page.locator('#email').focus();
    await page.locator('#card_number').focus();
    await page.goto(`${origin}/elsewhere`);
    await expect.poll(() => visitsOf('POST', `${base}/events`).length, patience).toBe(2);
    expect(visitsOf('POST', `${base}/events`).map(visit => visit.body)).toEqual(['method_chosen', 'left']);
  });
});

describe('the form helps', () => {
  test('a wrong field says so beside it as soon as it is left, and no longer once it is right', async () => {
    const page = await open({ ...GALLERY['ready, live, little time'], language: 'de' });
    await page.locator('#card_number').fill('4242 4242 4242 4241');
    await page.locator('#card_expiry').focus();
    const error = page.locator('#card_number_error');
    expect(await error.textContent()).toBe('Die Kartennummer ist unvollständig oder enthält einen Tippfehler.');
    expect(await page.locator('#card_number').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#card_number').getAttribute('aria-describedby')).toContain('card_number_error');
    await page.locator('#card_number').fill('4242 4242 4242 4242');
    expect(await error.textContent()).toBe('');
    expect(await page.locator('#card_number').getAttribute('aria-invalid')).toBeNull();
  });

  test('an incomplete form is not sent, and the reader is led to the first gap', async () => {
    const page = await open(GALLERY.ready);
    await page.locator('#email').fill('mika@example.com');
    await page.locator('#submit').click();
    expect(await page.evaluate('document.activeElement.id')).toBe('card_number');
    expect(await page.locator('.error:not(:empty)').count()).toBe(4);
    expect(await page.locator('#submit').isEnabled()).toBe(true);
    expect(visitsOf('POST', `${base}/pay`)).toEqual([]);
  });

  test('the number is spaced, its brand shown, and the place of the code follows it', async () => {
    const page = await open(GALLERY.ready);
    await page.locator('#card_number').pressSequentially('370000000000002');
    expect(await page.locator('#card_number').inputValue()).toBe('3700 000000 00002');
    expect(await page.locator('#card_number_brand').textContent()).toBe('Amex');
    expect(await page.locator('#card_cvc_hint').textContent()).toBe('4 digits on the front');
    await page.locator('#card_number').fill('');
    await page.locator('#card_number').pressSequentially('4242424242424242');
    expect(await page.locator('#card_number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await page.locator('#card_number_brand').textContent()).toBe('Visa');
    expect(await page.locator('#card_cvc_hint').textContent()).toBe('3 digits on the back');
  });

  test('phones get the right keyboards', async () => {
    const page = await open(GALLERY.ready);
    const keyboards = await page
      .locator('form input')
      .evaluateAll(inputs => inputs.map(input => [input.id, input.getAttribute('inputmode')]));
    expect(Object.fromEntries(keyboards)).toEqual({
      email: 'email',
      card_number: 'numeric',
      card_expiry: 'numeric',
      card_cvc: 'numeric',
      postal_code: null,
    });
  });
});

describe('the language switch', () => {
  test('changes the language in place, keeps what was typed and lasts for the visit', async () => {
    const page = await open(GALLERY.ready);
    await fillForm(page);
    await page.locator('#language').selectOption('ar');
    await page.getByRole('button', { name: 'ادفع' }).waitFor();
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual(['ar', 'rtl']);
    expect(await page.locator('#card_number').inputValue()).toBe(sentForm.card_number);
    expect(page.url()).toBe(`${origin}${base}?lang=ar`);
    await page.reload();
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
    show({ ...GALLERY.rejected, version: 9 });
    await page.getByRole('heading', { name: 'لم تتمكن اللعبة من إضافة عناصرك' }).waitFor();
  });

  test('works without JavaScript', async () => {
    const page = await open(GALLERY.ready, { javaScriptEnabled: false });
    await page.locator('#language').selectOption('ja');
    await page.getByRole('button', { name: 'Use this language' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('ja');
    await fillForm(page);
    await page.locator('#submit').click();
    expect(visitsOf('POST', `${base}/pay`)).toHaveLength(1);
  });
});
