import { connect, createServer, type Server, type Socket } from 'node:net';
import { signedInMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { freePort } from '../free-port.ts';
import { expectStill, watchShifts } from './first-load.ts';
import { DESK, expectGood } from './look.ts';

/** A member works while the line to the server is cut, stands still and is mended. */

interface Line {
  url: string;
  /** Connections are refused, as when the server is down. */
  cut(): Promise<void>;
  /** Connections stay open and nothing comes, as when the server hangs. */
  freeze(): void;
  mend(): Promise<void>;
}

async function lineTo(target: URL): Promise<Line> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let server: Server | undefined;
  const mend = async (): Promise<void> => {
    isFrozen = false;
    for (const socket of sockets) socket.destroy();
    if (server) return;
    server = createServer(near => {
      const far = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on('data', chunk => {
          if (!isFrozen) to.write(chunk);
        });
        from.on('error', () => undefined);
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      }
    });
    await new Promise<void>(ready => server!.listen(port, '127.0.0.1', ready));
  };
  await mend();
  return {
    url: `http://127.0.0.1:${port}`,
    mend,
    freeze: () => {
      isFrozen = true;
    },
    async cut() {
      const closing = server!;
      server = undefined;
      const closed = new Promise(done => closing.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

let shop: TestProgram;
let line: Line;
let browser: Browser;
let page: Page;
let place: string;

beforeAll(async () => {
  [shop, browser] = await Promise.all([startProgram(), launchBrowser()]);
  line = await lineTo(new URL(shop.url));
  const member = await signedInMember(shop, 'support');
  const context = await browser.newContext({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce' });
  await context.addCookies([{ name: 'coinslot', value: member.browser.cookie!, url: line.url }]);
  page = await context.newPage();
  place = `${line.url}/dashboard/g/${shop.account.gameId}/sandbox`;
  await shop.createOrder({ player_id: 'player-before' });
});

afterAll(async () => {
  await browser?.close();
  await line?.cut();
  await shop?.close();
});

const strip = () => page.getByText('No connection to Coinslot.', { exact: false });
const row = (player: string) => page.getByRole('row', { name: new RegExp(player) });

test('without its server it says so, keeps what is shown, and goes on by itself', async () => {
  await page.goto(`${place}/orders`);
  await row('player-before').waitFor();
  await line.cut();
  await strip().waitFor();
  await expect.poll(() => row('player-before').count()).toBe(1);
  await expectGood(page, 'without-server');
  await shop.createOrder({ player_id: 'player-meanwhile' });
  await line.mend();
  await strip().waitFor({ state: 'detached' });
  await row('player-meanwhile')
    .or(page.getByRole('button', { name: '1 new' }))
    .first()
    .waitFor();
});

test('a page that was not loaded yet opens once the server is back, and the browser never shows its own error', async () => {
  await line.cut();
  await strip().waitFor();
  await page.getByRole('link', { name: 'Players' }).click();
  await page.getByRole('link', { name: 'Items', exact: true }).click();
  await strip().waitFor();
  await expect.poll(() => page.getByRole('navigation', { name: 'Main navigation' }).count()).toBe(1);
  await line.mend();
  await page.getByRole('heading', { name: 'Items', exact: true }).waitFor();
  await strip().waitFor({ state: 'detached' });
});

test('figures that cannot be read again stay where they are, with a notice that floats above them (row 286)', async () => {
  await watchShifts(page);
  await page.goto(place);
  const figures = page.getByText('Orders created', { exact: true }).first();
  await figures.waitFor();
  await page.waitForSelector('.breathe', { state: 'detached' });
  const before = await figures.boundingBox();
  await page.route('**/home?*', route =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"internal"}' }),
  );
  await shop.createOrder({ player_id: 'player-of-the-notice' });
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await expect.poll(() => again.boundingBox().then(box => box !== null && box.y < DESK.height)).toBe(true);
  expect(await figures.boundingBox()).toEqual(before);
  await expectStill(page, 0);
  await expectGood(page, 'home-not-read-again');
  await page.unroute('**/home?*');
  await again.click();
  await again.waitFor({ state: 'detached' });
});

test('a server that stands still is noticed too', async () => {
  line.freeze();
  await strip().waitFor();
  await line.mend();
  await strip().waitFor({ state: 'detached' });
});
