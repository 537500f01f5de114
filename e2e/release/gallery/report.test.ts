import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../../browser.ts';
import type { State } from './camera.ts';
import { report } from './report.ts';

const SIZE = { width: 390, height: 400 };

let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coinslot-gallery-'));
  browser = await startBrowser('quick');
  page = await browser.newPage({ viewport: SIZE });
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function stateOf(name: string, words: string): Promise<State> {
  const screen = await page.context().newCDPSession(page);
  const shots: State['shots'] = [];
  for (const label of ['light ltr 390', 'dark ltr 390']) {
    await page.setContent(`<p style="font-size:40px">${label.startsWith('dark') ? words : 'the same'}</p>`);
    const { data } = await screen.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    shots.push({ file: `${name}-${label}.webp`, label, ...SIZE, image: Buffer.from(data, 'base64') });
  }
  return { subject: 'page', name, shots };
}

test('a picture that is not as it was stands beside what it was, and none that is', async () => {
  const folders = { shown: join(folder, 'shown'), kept: join(folder, 'kept') };
  const [ready, done] = [await stateOf('ready', 'Pay $4.99'), await stateOf('done', 'Purchase complete')];
  const first = await report(page, [ready, done], true, folders);
  expect(first.compared.map(({ changed }) => changed)).toEqual([null, null]);
  const other = await stateOf('ready', 'Pay $5.99');
  const second = await report(page, [other, done], false, folders);
  expect(second.compared.map(({ changed }) => changed)).toEqual([['dark ltr 390'], []]);
  expect(second.machine).toBeNull();
  const index = readFileSync(join(folders.shown, 'index.html'), 'utf8');
  expect(index).toContain('1 changed');
  const pair = /<div class="pair">(.*?)<\/div>/.exec(index)?.[1] ?? '';
  const sides = [...pair.matchAll(/src="([^"]+)"/g)].map(([, source]) => source!);
  expect(sides).toEqual(['kept/page/ready.webp', 'now/page/ready.webp']);
  expect(sides.map(side => existsSync(join(folders.shown, side)))).toEqual([true, true]);
  expect(index.match(/class="pair"/g)).toHaveLength(1);
});
