import type { Browser, CDPSession, Page } from 'playwright-core';
import { startBrowser } from '../e2e/browser.ts';
import { signIn } from '../e2e/dashboard/places.ts';
import { seedLittle, startSampleGame } from '../e2e/dashboard/seed-shop.ts';
import { createStudio } from '../e2e/game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from '../e2e/start-coinslot.ts';

/**
 * The dashboard's pages on slow 3G with an empty cache, as a member who is signed in opens them: when the outline stands, when
 * the page can be used, and what was asked for until its charts stand.
 * npm run bench -- dashboard-slow [times]
 */
const TIMES = Number(process.argv[2] ?? 3);
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const PAGES = ['', 'transactions', 'orders', 'settings/methods'] as const;

interface Load {
  outlineMs: number;
  usableMs: number;
  requests: string[];
  bytes: number;
}

function countTraffic(cdp: CDPSession, load: Load): void {
  const addresses = new Map<string, string>();
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
    // The stream of changes stays open and is no part of the page.
    if (request.url.startsWith('data:') || request.url.endsWith('/changes')) return;
    addresses.set(requestId, request.url);
    load.requests.push(new URL(request.url).pathname);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (addresses.has(requestId)) load.bytes += encodedDataLength;
  });
}

async function settled(page: Page): Promise<void> {
  await page.waitForSelector('h1');
  await page.waitForSelector('main .breathe:not([data-chart])', { state: 'detached' });
}

async function measure(browser: Browser, coinslot: Coinslot, account: Account, path: string): Promise<Load> {
  const context = await browser.newContext({ locale: 'en-US' });
  await signIn(await context.newPage(), coinslot.url);
  const { cookies } = await context.storageState();
  await context.close();
  const fresh = await browser.newContext({ locale: 'en-US' });
  await fresh.addCookies(cookies);
  const page = await fresh.newPage();
  const cdp = await fresh.newCDPSession(page);
  const load: Load = { outlineMs: 0, usableMs: 0, requests: [], bytes: 0 };
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', SLOW_3G);
  countTraffic(cdp, load);
  const start = performance.now();
  await page.goto(`${coinslot.url}/dashboard/g/${account.game_id}/sandbox/${path}`, { waitUntil: 'commit' });
  await settled(page);
  load.usableMs = performance.now() - start;
  load.outlineMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  if (path === '') await page.waitForSelector('.chart canvas');
  await page.waitForLoadState('load');
  await fresh.close();
  return load;
}

const browser = await startBrowser();
const [coinslot, game] = await Promise.all([startCoinslot({}, 'embedded'), startSampleGame()]);
try {
  const account = await coinslot.setup();
  const studio = createStudio(coinslot, account);
  await studio.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove', 'order.*'] });
  await seedLittle(coinslot, account);
  for (const path of PAGES) {
    for (let turn = 0; turn < TIMES; turn++) {
      const { outlineMs, usableMs, requests, bytes } = await measure(browser, coinslot, account, path);
      const figures = `outline ${Math.round(outlineMs)} ms, usable ${Math.round(usableMs)} ms`;
      console.log(`${path || 'home'}: ${figures}, ${requests.length} requests, ${Math.round(bytes / 1024)} KB`);
      if (turn === TIMES - 1) console.log(requests.map(one => `    ${one}`).join('\n'));
    }
  }
} finally {
  game.close();
  await browser.close();
  await coinslot.stop();
}
