import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountDocs } from '../apps/server/src/doors/docs/docs-door.ts';
import { mountFavicon } from '../apps/server/src/doors/ops/favicon.ts';
import { createLogger } from '../apps/server/src/http/log.ts';
import { buildServer } from '../apps/server/src/http/server.ts';
import { violations } from './axe.ts';
import { launchBrowser } from './browser.ts';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

const app = buildServer({ publicUrl: 'http://localhost', logger: createLogger('silent') });
let browser: Browser;
let base = '';

beforeAll(async () => {
  mountFavicon(app);
  mountDocs(app, { publicUrl: 'http://localhost', version: '1.2.3' });
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
): Promise<[Page, string[], BrowserContext]> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(base + path);
  return [page, complaints, context];
}

describe('the pages at /docs', () => {
  it.each([
    ['/docs', DESK, 'light'],
    ['/docs/guides/first-order', PHONE, 'dark'],
    ['/docs/guides/open-the-page', DESK, 'dark'],
    ['/docs/reference/events', PHONE, 'light'],
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
    expect(await page.textContent('main')).toMatch(/idempotency/i);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('copy a command as it stands there', async () => {
    const [page, , context] = await open('/docs/guides/first-order', { viewport: DESK });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    const block = page.locator('.code', { hasText: 'npm start' }).first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm start');
    await context.close();
  });

  it('stay in the colors the reader chose', async () => {
    const [page, , context] = await open('/docs', { viewport: DESK, colorScheme: 'light' });
    await page.getByRole('button', { name: /light and dark/ }).click();
    await page.goto(`${base}/docs/guides/errors`);
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    await context.close();
  });

  it('are all there without script, but for the search', async () => {
    const [page, complaints, context] = await open('/docs/guides/webhook-receiver', {
      viewport: PHONE,
      javaScriptEnabled: false,
    });
    expect(await page.getByRole('heading', { name: 'Saying no' }).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'Run in production' }).first().isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
