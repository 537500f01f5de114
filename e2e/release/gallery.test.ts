/**
 * Pictures of the page, the dashboard and a mail, in `build/gallery/index.html`. One that changed since the run before is shown
 * beside what it was; a person judges it, so that none fails.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckoutView, Language } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MailContent } from '../../apps/server/src/mail/mail-content.ts';
import { renderMail } from '../../apps/server/src/mail/render-mail.ts';
import { launchBrowser } from '../browser.ts';
import { type Place, signIn } from '../dashboard/places.ts';
import { type SampleGame, seedLittle, startSampleGame } from '../dashboard/seed-shop.ts';
import { createStudio } from '../game-studio.ts';
import { base, type SamplePage, startSamplePage } from '../sample-page.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';

const FOLDER = fileURLToPath(new URL('../../build/gallery/', import.meta.url));
const [NOW, BEFORE] = [join(FOLDER, 'now'), join(FOLDER, 'before')];
const WIDTHS = [360, 768, 1280] as const;
const THEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'ar'] as const satisfies readonly Language[];
const HEIGHT = 900;

const taken: string[] = [];

beforeAll(() => {
  rmSync(BEFORE, { recursive: true, force: true });
  if (existsSync(NOW)) renameSync(NOW, BEFORE);
  mkdirSync(NOW, { recursive: true });
});

/** In every theme and width, under a name that sorts by subject. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const file = `${name}-${colorScheme}-${width}.png`;
      await page.screenshot({ path: join(NOW, file), animations: 'disabled', caret: 'hide' });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      taken.push(file);
    }
  }
}

/** What has the focus and is wholly below something that stays on the screen (2.4.11). */
const HIDDEN_FOCUS = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (right - left < 2 || bottom - top < 2) return null;
  const points = [[left + 2, top + 2], [right - 2, top + 2], [(left + right) / 2, (top + bottom) / 2], [left + 2, bottom - 2], [right - 2, bottom - 2]];
  const isSeen = points.some(([x, y]) => {
    const at = document.elementFromPoint(x, y);
    return at !== null && (element.contains(at) || at.contains(element));
  });
  return isSeen ? null : element.outerHTML.slice(0, 200);
})()`;

const TABS = 60;

/** Through the whole page by the keyboard on a phone, where what stays on the screen takes the most of it. */
async function expectFocusSeen(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.evaluate('scrollTo(0, 0)');
  for (let tab = 0; tab < TABS; tab++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(HIDDEN_FOCUS)).toBeNull();
  }
}

const still = (view: CheckoutView): CheckoutView => ('backToGameUrl' in view ? { ...view, backToGameUrl: null } : view);

describe('the page of the player', () => {
  let sample: SamplePage;
  let page: Page;

  beforeAll(async () => {
    sample = await startSamplePage();
    page = await sample.open(GALLERY.canceled, {});
  });
  afterAll(() => sample?.close());

  test.each(['ready', 'declined', 'done'] as const)('%s', async state => {
    for (const language of LANGUAGES) {
      await page.goto(`${sample.origin}/elsewhere`);
      sample.show({ ...still(GALLERY[state]), language });
      await page.goto(sample.origin + base);
      await shoot(page, `page-${state}-${language}`);
    }
    if (state === 'ready') await expectFocusSeen(page);
  });
});

describe('the dashboard', () => {
  let coinslot: Coinslot;
  let account: Account;
  let browser: Browser;
  let game: SampleGame;
  let page: Page;
  let place: Place;

  beforeAll(async () => {
    [coinslot, browser, game] = await Promise.all([startCoinslot(), launchBrowser(), startSampleGame()]);
    account = await coinslot.setup();
    place = { base: coinslot.url, gameId: account.game_id, mode: 'sandbox' };
    const studio = createStudio(coinslot, account);
    await studio.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
    await seedLittle(coinslot, account);
    page = await browser.newPage({ locale: 'en-US' });
    await signIn(page, coinslot.url);
  });
  afterAll(async () => {
    game?.close();
    await browser?.close();
    await coinslot?.stop();
  });

  test.each([
    ['home', ''],
    ['figures', '/figures'],
    ['transactions', '/transactions'],
  ])('%s, and what has the focus is never hidden (row 190)', async (name, path) => {
    await page.goto(`${place.base}/dashboard/g/${place.gameId}/${place.mode}${path}`);
    await page.waitForSelector('h1');
    await page.waitForSelector('.breathe', { state: 'detached' });
    await page.waitForSelector('[aria-busy=true]', { state: 'detached' });
    await shoot(page, `dashboard-${name}`);
    await expectFocusSeen(page);
  });
});

const WORDS = {
  en: ['Castle Quest', 'Thanks for your purchase', '1,200 crystals', 'Total', 'Order'],
  ar: ['قلعة المغامرات', 'شكرًا لشرائك', '1,200 بلورة', 'الإجمالي', 'الطلب'],
} as const;

/** A plain picture of a size, as mails get them from a studio. */
const picture = (color: string, width: number, height: number): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="12" fill="${color}"/></svg>`)}`;

function receiptIn(language: (typeof LANGUAGES)[number]): MailContent {
  const [sender, heading, item, total, order] = WORDS[language];
  return {
    subject: heading,
    language,
    direction: language === 'ar' ? 'rtl' : 'ltr',
    sender,
    heading,
    look: { iconUrl: picture('#1d4ed8', 64, 64), logoUrl: picture('#0f172a', 240, 64), accentColor: '#0f766e' },
    sandboxNote: null,
    paragraphs: [],
    lines: [{ name: item, count: '2', amount: '$9.98' }],
    total: { label: total, amount: '$9.98' },
    facts: [{ label: order, value: 'ord_01m7qjy6rtgwdfeg26q47yyfek' }],
    closing: [],
  };
}

describe('a mail', () => {
  test.each(LANGUAGES)('in %s', async language => {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    await page.setContent(renderMail(receiptIn(language)).html);
    await shoot(page, `mail-receipt-${language}`);
    await browser.close();
  });
});

const isSame = (file: string): boolean =>
  !existsSync(join(BEFORE, file)) || readFileSync(join(BEFORE, file)).equals(readFileSync(join(NOW, file)));

const figure = (file: string, from: string): string =>
  `<figure><a href="${from}/${file}"><img loading="lazy" src="${from}/${file}" alt="${file}"></a><figcaption>${from}: ${file}</figcaption></figure>`;

/** Opened by a person: what changed first, side by side, then everything. */
function report(): string {
  const changed = taken.filter(file => !isSame(file));
  const pairs = changed.map(file => `<div class="pair">${figure(file, 'before')}${figure(file, 'now')}</div>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>
body{font:16px/1.5 system-ui;margin:24px}main{display:flex;flex-wrap:wrap;gap:16px}.pair{display:flex;gap:16px;width:100%}
figure{margin:0;max-width:420px}img{max-width:100%;border:1px solid #ccc}figcaption{font-size:12px}</style>
<h1>${taken.length} pictures, ${changed.length} changed</h1><main>${pairs.join('')}</main><h2>All</h2>
<main>${taken.map(file => figure(file, 'now')).join('')}</main></html>`;
}

test('at least 40 pictures are there for a person to open, and what changed is named', () => {
  writeFileSync(join(FOLDER, 'index.html'), report());
  expect(taken.length).toBeGreaterThanOrEqual(40);
  const changed = taken.filter(file => !isSame(file));
  process.stdout.write(
    `${taken.length} pictures in build/gallery/index.html, ${changed.length} changed: ${changed.join(' ')}\n`,
  );
});
