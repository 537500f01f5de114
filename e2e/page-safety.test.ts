/** What strikes the payment page, on the whole program; docs/faults.md has the rows. */
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeAppearance } from '../apps/server/src/domain/game/change-appearance.ts';
import { createLogger } from '../apps/server/src/http/log.ts';
import { createBackground } from '../apps/server/src/jobs/background.ts';
import { launchBrowser } from './browser.ts';
import { buyAll, HOSTILE_RETURN_URLS, MARKUP } from './hostile-page-input.ts';

let shop: TestProgram;
let game: Game;
/** Everything the program wrote or would have written, at the most detailed level. */
let log = '';
/** While set, every statement of the checkout fails with it. */
let fault: Error | null = null;

const failing = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  ((...args: Args) => (fault ? Promise.reject(fault) : work(...args))) as typeof work;

beforeAll(async () => {
  const write = (text: string): void => {
    log += `${text}\n`;
  };
  const onError = (error: unknown, source = 'background'): void => write(`${source} ${inspect(error, { depth: 9 })}`);
  shop = await startProgram({
    replace: parts => ({
      ...parts,
      logger: createLogger('trace', { write }),
      onError,
      background: createBackground(onError),
      moneyDb: {
        ...parts.moneyDb,
        query: failing(parts.moneyDb.query) as typeof parts.moneyDb.query,
        queryRow: failing(parts.moneyDb.queryRow),
        transaction: failing(parts.moneyDb.transaction),
      },
    }),
  });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

beforeEach(() => {
  fault = null;
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const form = (fields: Record<string, string> = {}) => ({ method: 'POST', body: new URLSearchParams(fields) });

function expectStrict(answer: Response): void {
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).toMatch(/frame-ancestors 'none'/);
  expect(policy).toMatch(/base-uri 'none'/);
  expect(policy).toMatch(/form-action 'self'/);
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|unsafe-hashes|\*/);
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expectPrivate(answer);
}

function expectPrivate(answer: Response): void {
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-robots-tag')).toMatch(/noindex/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('set-cookie')).toBeNull();
}

describe('every page says who may frame, keep, index and link from it (rows 67, 68):', () => {
  test('a form, in every mode it is shown', async () => {
    const { checkout_url } = await shop.createOrder();
    for (const url of [checkout_url, `${checkout_url}?lang=ar`]) {
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      expectStrict(answer);
    }
    const refused = await fetch(`${checkout_url}/pay`, form());
    expect(refused.status).toBe(422);
    expectStrict(refused);
  });

  test('with an accent color, whose style is allowed by its hash alone', async () => {
    await changeAppearance({ db: shop.database.db }, null, shop.account.gameId, { accent: '#7a1fa2' });
    const { checkout_url } = await shop.createOrder();
    expectStrict(await fetch(checkout_url));
    await changeAppearance({ db: shop.database.db }, null, shop.account.gameId, { accent: '' });
  });

  test('an outcome', async () => {
    const { checkout_url, order_id } = await shop.createOrder();
    await shop.pay(checkout_url);
    await shop.until(order_id, 'paid');
    expectStrict(await fetch(checkout_url));
  });

  test('a page that is not there, a form that is no form, and a fault of ours', async () => {
    const { checkout_url } = await shop.createOrder();
    const answers: [number, () => Promise<Response>][] = [
      [404, () => fetch(`${shop.url}/c/nothing`)],
      [404, () => fetch(`${shop.url}/c/${'A'.repeat(64)}/status?version=1`)],
      [415, () => fetch(`${checkout_url}/pay`, { ...form(), body: '<a/>', headers: { 'content-type': 'text/xml' } })],
      [413, () => fetch(`${checkout_url}/pay`, form({ email: 'a'.repeat(20_000) }))],
    ];
    for (const [status, ask] of answers) {
      const answer = await ask();
      expect(answer.status).toBe(status);
      expectStrict(answer);
    }
    fault = new Error('the database is on fire');
    const broken = await fetch(checkout_url);
    expect([broken.status, broken.headers.get('retry-after')]).toEqual([503, '5']);
    expectStrict(broken);
    expect(await broken.text()).not.toContain('fire');
  });

  test('and what is no page is as private: news and redirects', async () => {
    const { checkout_url } = await shop.createOrder();
    expectPrivate(await fetch(`${checkout_url}/status?version=0`));
    const sent = await shop.pay(checkout_url);
    expect(sent.status).toBe(303);
    expectPrivate(sent);
  });
});

describe('a checkout address (row 68)', () => {
  test('cannot be told from a wrong one: every guess gets the same page', async () => {
    const { checkout_url, order_id } = await shop.createOrder();
    const token = new URL(checkout_url).pathname.slice('/c/'.length);
    const flip = (at: number) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    const guesses = [
      flip(0),
      flip(30),
      flip(50),
      flip(63),
      order_id,
      token.slice(1),
      randomBytes(48).toString('base64url'),
    ];
    const pages = await Promise.all(
      guesses.map(async guess => {
        const answer = await fetch(`${shop.url}/c/${guess}`);
        expect(answer.status).toBe(404);
        return (await answer.text()).replaceAll(guess, 'GUESS');
      }),
    );
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).not.toContain(order_id);
  });

  test('is not to be found by trying: too many guesses are sent away, and a player is not', async () => {
    const { checkout_url } = await shop.createOrder();
    let status = 404;
    for (let i = 0; i < 400 && status === 404; i++) {
      const answer = await fetch(`${shop.url}/c/${randomBytes(48).toString('base64url')}`);
      status = answer.status;
      if (status === 429) expectStrict(answer);
    }
    expect(status).toBe(429);
    expect((await fetch(checkout_url)).status).toBe(200);
  });

  test('stands in no line of the log, also when the page fails', async () => {
    const { checkout_url, order_id } = await shop.createOrder();
    const token = new URL(checkout_url).pathname.slice('/c/'.length);
    await fetch(`${checkout_url}?lang=de`);
    await fetch(`${checkout_url}/events`, { method: 'POST', body: 'left' });
    await fetch(`${checkout_url}/nothing`);
    await fetch(`${checkout_url}/pay`, form());
    fault = new Error('no statement today');
    await fetch(checkout_url);
    await shop.pay(checkout_url);
    fault = null;
    await shop.pay(checkout_url);
    await shop.until(order_id, 'paid');
    expect(log).toContain('no statement today');
    expect(log).not.toContain(token);
    expect(log).not.toContain(token.slice(0, 20));
  });
});

describe('the card (row 69)', () => {
  const NUMBER = '5481 6996 4448 6744';
  const DIGITS = NUMBER.replaceAll(' ', '');
  const CVV = '927';

  test('stands in no log line, no row and no answer, also when a statement fails while it is here', async () => {
    const answers: string[] = [];
    const tries: [Error | null, Record<string, string>][] = [
      [null, { email: 'no address' }],
      [new Error('the database is away'), {}],
      [null, {}],
    ];
    const { checkout_url, order_id } = await shop.createOrder();
    for (const [error, fields] of tries) {
      fault = error;
      const answer = await shop.pay(checkout_url, NUMBER, { card_cvc: CVV, ...fields });
      answers.push(await answer.text(), JSON.stringify([...answer.headers]));
    }
    await shop.until(order_id, 'paid');
    answers.push(await (await fetch(checkout_url)).text(), JSON.stringify(await shop.readOrder(order_id)));
    const webhooks = game.requests.map(({ rawBody }) => rawBody).join('\n');
    // A sandbox page lists this card as a test card, and that is the only place for it.
    const said = answers.join('\n').replaceAll(`<code dir="ltr">${NUMBER}</code>`, '');
    const places = { log, answers: said, webhooks, ...(await dumpDatabase(shop)) };
    expect(Object.keys(places).length).toBeGreaterThan(100);
    for (const [place, text] of Object.entries(places)) {
      const found = [NUMBER, DIGITS, DIGITS.slice(0, 12), DIGITS.slice(-12)].filter(part => text.includes(part));
      expect([place, found]).toEqual([place, []]);
      expect([place, new RegExp(`(?:^|[":=\\s])${CVV}(?:$|[",}\\s])`, 'm').test(text)]).toEqual([place, false]);
    }
  });
});

/** Every column of every table, as text. */
async function dumpDatabase({ database }: TestProgram): Promise<Record<string, string>> {
  const read = <Row>(text: string) => database.db.query<Row>({ name: '', text, values: [] });
  const columns = await read<{ place: string; dump: string }>(`
    select table_schema || '.' || table_name || '.' || column_name as place,
           format('select coalesce(string_agg(%I::text, chr(10)), '''') as text from %I.%I',
                  column_name, table_schema, table_name) as dump
    from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')`);
  const dumped: Record<string, string> = {};
  for (const { place, dump } of columns) dumped[place] = (await read<{ text: string }>(dump))[0]?.text ?? '';
  return dumped;
}

describe('the way back (row 65)', () => {
  test.each(HOSTILE_RETURN_URLS)('never leads to %j', async url => {
    for (const field of ['back_to_game_url', 'back_to_store_url']) {
      const order = { player_id: 'p', items: [{ sku: 'a' }], [field]: url };
      expect(await shop.call('POST', '/s2s/v1/orders', order)).toMatchObject({ status: 422 });
    }
  });

  test('is not linked even if such an address stands in the row', async () => {
    const { checkout_url, order_id } = await shop.createOrder();
    await shop.pay(checkout_url);
    await shop.until(order_id, 'paid');
    for (const url of [
      'javascript:alert(1)',
      'JavaScript:alert(1)//https://',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc',
    ]) {
      await shop.database.db.query({
        name: '',
        text: `update orders set details = jsonb_set(jsonb_set(details::jsonb, '{backToGameUrl}', $1), '{backToStoreUrl}', $1)::json, version = version + 1
               where id = $2`,
        values: [JSON.stringify(url), order_id],
      });
      const html = await (await fetch(checkout_url)).text();
      expect(html).toContain('data-state="done"');
      expect([url, html.includes(url)]).toEqual([url, false]);
      expect(html).not.toMatch(/javascript:|vbscript:|file:\/\/|data:text/i);
    }
  });

  test('is not in the page before the game has said yes (row 42), and is there for who comes again (row 41)', async () => {
    const url = 'castle-quest://back?order={order_id}';
    const { checkout_url, order_id } = await shop.createOrder({ back_to_game_url: url });
    let answer = (): void => {};
    game.answer((_request, response) => {
      answer = () => void response.writeHead(200).end();
    });
    const before = await (await fetch(checkout_url)).text();
    const paying = shop.pay(checkout_url);
    await shop.until(order_id, 'authorized');
    const asking = await (await fetch(checkout_url)).text();
    for (const html of [before, asking]) expect(html).not.toMatch(/data-open|http-equiv="refresh"[^>]*castle-quest/);
    expect(asking).not.toContain('castle-quest://');
    await expect.poll(() => game.requests.some(({ body }) => body?.event_data.order_id === order_id)).toBe(true);
    answer();
    await shop.until(order_id, 'paid');
    // The browser did not follow the redirect of the form: the tab was closed, and the order is complete all the same.
    await paying;
    expect(await (await fetch(checkout_url)).text()).toContain(`data-open="castle-quest://back?order=${order_id}"`);
  });
});

describe('markup in names (row 66)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('is shown as text and runs nowhere, in a real browser', async () => {
    await changeAppearance({ db: shop.database.db }, null, shop.account.gameId, { name: MARKUP[0]! });
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on('dialog', dialog => {
      troubles.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', message => message.type() === 'error' && troubles.push(message.text()));
    page.on('pageerror', error => troubles.push(error.message));
    // Once it is paid the page opens the way back by itself, a moment later: whatever stands in it is an address, and encoded.
    const own = [shop.url, 'data:', 'castle-quest://%22%3E%3Cimg'];
    page.on('request', request => {
      if (!own.some(start => request.url().startsWith(start))) troubles.push(request.url());
    });
    const { checkout_url, order_id } = await buyAll(shop)(MARKUP);
    for (const lang of ['en', 'ar']) {
      await page.goto(`${checkout_url}?lang=${lang}`);
      for (const text of MARKUP) expect(await page.locator('main').innerText()).toContain(text);
    }
    await shop.pay(checkout_url, CARDS.decline, { email: MARKUP[1]! });
    const refused = await fetch(`${checkout_url}/pay`, form({ email: MARKUP[1]! }));
    await page.setContent(await refused.text());
    await shop.pay(checkout_url);
    await shop.until(order_id, 'paid');
    await page.goto(checkout_url);
    await page.locator('h1').waitFor();
    expect(await page.evaluate('window.struck ?? null')).toBeNull();
    expect(await page.locator('main script, main iframe, main object, main img[src=x]').count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.close();
  });
});
