import type { AddressInfo } from 'node:net';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountDocs } from '../../apps/server/src/doors/docs/docs-door.ts';
import { mountFavicon } from '../../apps/server/src/doors/ops/ops-door.ts';
import { createLogger } from '../../apps/server/src/http/log.ts';
import { buildServer } from '../../apps/server/src/http/server.ts';
import { violations } from '../axe.ts';
import { launchBrowser } from '../browser.ts';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

const app = buildServer({ publicUrl: 'http://localhost', logger: createLogger('silent') });
let browser: Browser;
let base = '';

beforeAll(async () => {
  mountFavicon(app);
  mountDocs(app, { publicUrl: 'http://localhost' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app.close();
});

/** A page, and everything the browser complained about. */
async function open(
  path: string,
  options: Parameters<Browser['newContext']>[0],
  server = base,
): Promise<[Page, string[], BrowserContext]> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(server + path);
  return [page, complaints, context];
}

describe('the pages at /docs', () => {
  it.each([
    ['/docs', DESK, 'light'],
    ['/docs/guides/first-order', PHONE, 'dark'],
    ['/docs/guides/open-the-page', DESK, 'dark'],
    ['/docs/reference/events', PHONE, 'light'],
    ['/docs/reference/calls/create-order', PHONE, 'dark'],
    ['/docs/reference/calls/list-orders', DESK, 'light'],
  ] as const)('%s is accessible, at %o in %s', async (path, viewport, colorScheme) => {
    const [page, complaints, context] = await open(path, { viewport, colorScheme });
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow).toBe(0);
    await context.close();
  });

  it('find what a reader types, by keyboard alone', async () => {
    const [page, complaints, context] = await open('/docs', { viewport: DESK });
    await page.keyboard.press('/');
    await page.keyboard.type('idempotency');
    await page.locator('.hits a').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/.+/);
    await expect.poll(() => page.textContent('main')).toMatch(/idempotency/i);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('copy a command as it stands there', async () => {
    const [page, , context] = await open('/docs/guides/first-order', { viewport: DESK });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    const block = page.locator('.code', { hasText: 'npm start' }).first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('npm start');
    await context.close();
  });

  it('stay in the colors the reader chose', async () => {
    const [page, , context] = await open('/docs', { viewport: DESK, colorScheme: 'light' });
    await page.getByRole('button', { name: /light and dark/ }).click();
    await page.goto(`${base}/docs/guides/errors`);
    await expect.poll(() => page.getAttribute('html', 'data-theme')).toBe('dark');
    await context.close();
  });

  it('are all there without script, but for the search', async () => {
    const [page, complaints, context] = await open('/docs/guides/webhook-receiver', {
      viewport: PHONE,
      javaScriptEnabled: false,
    });
    await expect.poll(() => page.getByRole('heading', { name: 'Decline a purchase' }).isVisible()).toBe(true);
    await expect.poll(() => page.getByRole('link', { name: 'Run in production' }).first().isVisible()).toBe(true);
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('the page of a call', () => {
  let program: TestProgram;
  beforeAll(async () => {
    program = await startProgram();
  });
  afterAll(() => program?.close());

  const openCall = (name: string) => open(`/docs/reference/calls/${name}`, { viewport: DESK }, program.url);
  const keptIn = (page: Page): Promise<string> =>
    page.evaluate('JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }])');

  it('shows one language at a time, and stays with it on the next page', async () => {
    const [page, complaints, context] = await openCall('create-order');
    const blocks = "[...document.querySelectorAll('.code[data-tab]')]";
    const shown = () => page.evaluate(`${blocks}.filter(block => !block.hidden).map(block => block.dataset.tab)`);
    await expect.poll(() => shown()).toEqual(['curl']);
    await page.getByRole('tab', { name: 'Python' }).click();
    await expect.poll(() => shown()).toEqual(['Python']);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shown()).toEqual(['Go']);
    await page.goto(`${program.url}/docs/reference/calls/get-order`);
    await expect.poll(() => shown()).toEqual(['Go']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('sends the call with a sandbox key, shows the answer, and hands its ids to the next page', async () => {
    const [page, complaints, context] = await openCall('create-order');
    const key = program.account.sandbox.s2sKey;
    const requests: string[] = [];
    page.on('request', request => requests.push(request.url()));
    await page.getByLabel('Sandbox key').fill(key);
    const body = { player_id: 'reader', items: [{ sku: 'gold' }], price_decimal: 1, currency: 'EUR' };
    await page.locator('[data-body]').fill(JSON.stringify(body));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^201 Created$/).waitFor();
    await expect.poll(() => page.locator('[data-headers]').textContent()).toMatch(/^x-request-id: \S+$/m);
    const created = JSON.parse((await page.locator('[data-text]').textContent()) ?? '') as { order_id: string };
    expect(await violations(page)).toEqual([]);

    await page.goto(`${program.url}/docs/reference/calls/cancel-order`);
    await expect.poll(() => page.getByLabel('order_id').inputValue()).toBe(created.order_id);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^200 OK$/).waitFor();
    await expect.poll(() => page.locator('[data-text]').textContent()).toContain('"status": "canceled"');
    expect(requests.filter(url => url.includes(key) || !url.startsWith(program.url))).toEqual([]);
    expect(complaints).toEqual([]);

    await page.getByRole('button', { name: 'Forget the key' }).click();
    expect(await keptIn(page)).not.toContain('sk_sandbox');
    await context.close();
  });

  it('explains an error as the API does, and a body that is not JSON before it is sent', async () => {
    const [page, , context] = await openCall('create-order');
    await page.getByLabel('Sandbox key').fill(program.account.sandbox.s2sKey);
    await page.locator('[data-body]').fill('{"player_id": 7}');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^422 /).waitFor();
    await expect.poll(() => page.locator('[data-text]').textContent()).toContain('validation_failed');
    await page.locator('[data-body]').fill('{');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The body is not JSON').waitFor();
    await context.close();
  });

  it('takes an id that no path can carry', async () => {
    const [page, , context] = await openCall('get-player');
    await page.getByLabel('Sandbox key').fill(program.account.sandbox.s2sKey);
    await page.getByLabel('player_id').fill('..');
    const asked = page.waitForRequest(/\/s2s\//);
    await page.getByRole('button', { name: 'Send' }).click();
    expect((await asked).url()).toBe(`${program.url}/s2s/v1/players/_?player_id=..`);
    await page.getByText(/^404 /).waitFor();
    await context.close();
  });

  it('refuses a live key: it is neither sent nor kept', async () => {
    const [page, complaints, context] = await openCall('list-orders');
    const sent: string[] = [];
    page.on('request', request => request.url().includes('/s2s/') && sent.push(request.url()));
    await page.getByLabel('Sandbox key').fill(program.account.live.s2sKey);
    await page.getByText('That is a live key').waitFor();
    await expect.poll(() => page.getByLabel('Sandbox key').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('A sandbox key is needed').waitFor();
    expect(sent).toEqual([]);
    expect(await keptIn(page)).not.toContain('sk_live');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
