import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../e2e/browser.ts';
import { PAGES, type Place, signIn } from '../e2e/dashboard/places.ts';
import { seedHistory, seedLittle, seedStuck, startSampleGame } from '../e2e/dashboard/seed-shop.ts';
import { createStudio } from '../e2e/game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from '../e2e/start-coinslot.ts';

/**
 * Every page of the dashboard as a picture: phone and client, light and dark, with nothing, a little and much in it.
 * npm run lab -- dashboard-look [folder] [part of a page's name]
 */
const [folder = join(tmpdir(), 'coinslot-look'), only = ''] = process.argv.slice(2);
const SIZES = { client: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } } as const;

async function settle(page: Page): Promise<void> {
  await page.waitForSelector('h1');
  await page.waitForSelector('.breathe', { state: 'detached', timeout: 15_000 });
}

async function look(browser: Browser, coinslot: Coinslot, account: Account, stage: string): Promise<void> {
  for (const [sizeName, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 1, locale: 'en-US' });
      const page = await context.newPage();
      const place: Place = { base: coinslot.url, gameId: account.game_id, mode: 'sandbox' };
      for (const { name, path } of PAGES.filter(one => one.isPublic)) await shoot(page, place, name, path);
      await signIn(page, coinslot.url);
      for (const { name, path } of PAGES.filter(one => !one.isPublic)) await shoot(page, place, name, path);
      await context.close();

      async function shoot(
        shown: Page,
        where: Place,
        name: string,
        path: (at: Place, on: Page) => Promise<string | null>,
      ) {
        if (!`${stage}-${name}`.includes(only)) return;
        const address = await path(where, shown);
        if (address === null) return;
        await shown.goto(address);
        await settle(shown);
        const file = join(folder, `${stage}-${name}-${sizeName}-${colorScheme}.png`);
        await shown.screenshot({ path: file, fullPage: true });
      }
    }
  }
}

mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
const coinslot = await startCoinslot({}, 'embedded');
const game = await startSampleGame();
try {
  const account = await coinslot.setup();
  await look(browser, coinslot, account, 'none');
  const studio = createStudio(coinslot, account);
  await studio.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove', 'order.*'] });
  await seedLittle(coinslot, account);
  await look(browser, coinslot, account, 'little');
  await seedHistory(coinslot, account);
  await seedStuck(coinslot, account);
  await look(browser, coinslot, account, 'much');
  console.log(`Pictures are in ${folder}`);
} finally {
  game.close();
  await browser.close();
  await coinslot.stop();
}
