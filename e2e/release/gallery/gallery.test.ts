/**
 * Pictures of the page, the dashboard and the mails, in `build/gallery/index.html`. One that is not as the repository keeps it is
 * shown beside what it was; a person judges it, so that none fails. `npm run lab -- gallery` keeps those of this machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckoutView } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import type { SentMail } from '@coinslot/contract';
import { startTwoProviderShop } from '@coinslot/testing/two-provider-shop';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sampleMail } from '../../../apps/server/src/domain/notification/sample-mails.ts';
import { renderMail } from '../../../apps/server/src/mail/render-mail.ts';
import { startBrowser } from '../../browser.ts';
import { DESK } from '../../dashboard/look.ts';
import { PAGES, type Place, signIn } from '../../dashboard/places.ts';
import { type SampleGame, seedHistory, seedLittle, seedStuck, startSampleGame } from '../../dashboard/seed-shop.ts';
import { createStudio } from '../../game-studio.ts';
import { base, type SamplePage, startSamplePage } from '../../sample-page.ts';
import { type Coinslot, startCoinslot } from '../../start-coinslot.ts';
import { missing } from '../debian-packages.ts';
import { emptyFolders, shoot, states } from './camera.ts';
import { expectFocusSeen } from './focus.ts';
import { report } from './report.ts';

/** The clock of the shop and of the browser, so that no date is different tomorrow. */
const NOON = Date.UTC(2027, 2, 10, 12);
const HALF_PAST = NOON + 30 * 60_000;
/** Where Debian has the fonts that the pictures are drawn with, and no others. */
const FONTS = '/usr/share/fonts/truetype/dejavu';
const NEEDED = { probe: ['test', '-e', `${FONTS}/DejaVuSans.ttf`], packages: ['fonts-dejavu-core'] } as const;

/** Every family is drawn with these, whatever else the machine has. */
const fontSettings = (folder: string): string => `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${FONTS}</dir><cachedir>${folder}/cache</cachedir>
<match target="pattern"><edit name="family" mode="append_last" binding="strong"><string>DejaVu Sans</string></edit></match>
<match target="pattern"><test name="family"><string>monospace</string></test>
<edit name="family" mode="prepend" binding="strong"><string>DejaVu Sans Mono</string></edit></match></fontconfig>`;

/** Three items that are not granted, and a dispute. */
const STUCK = 4;

let browser: Browser;
let settings: string;

beforeAll(async () => {
  emptyFolders();
  settings = mkdtempSync(join(tmpdir(), 'coinslot-fonts-'));
  const own = (await missing({ probe: [...NEEDED.probe], packages: [...NEEDED.packages] })) === null;
  const file = join(settings, 'fonts.conf');
  writeFileSync(file, fontSettings(settings));
  browser = await startBrowser('quick', own ? { FONTCONFIG_FILE: file } : {});
});

afterAll(async () => {
  await browser?.close();
  rmSync(settings, { recursive: true, force: true });
});

/** What the script would open or count down by itself is no part of how the page looks. */
const still = (view: CheckoutView): CheckoutView =>
  'backToGameUrl' in view ? { ...view, backToGameUrl: null, renewInSeconds: null } : view;

const PAGE_STATES = [
  ['ready', 'ready'],
  ['ready-wallets', 'ready, live, simulated, not refundable'],
  ['ready-saved', 'ready, live, simulated, saved'],
  ['ready-provider', 'ready, live, little time'],
  ['ready-many', 'ready, many items'],
  ['declined', 'declined'],
  ['declined-saved', 'declined, live, simulated, saved'],
  ['wrong-fields', 'wrong fields'],
  ['claim', 'claim'],
  ['challenge', 'challenge'],
  ['awaiting', 'awaiting, voucher'],
  ['asking', 'asking, may close'],
  ['done', 'done, many items, no way back'],
  ['rejected', 'rejected, with words'],
  ['receipt', 'receipt, refunded'],
  ['canceled', 'canceled'],
  ['expired', 'expired'],
  ['refunded', 'refunded'],
  ['disputed', 'disputed'],
  ['not-found', 'not found'],
] as const;

/** As the server writes the days of a view in this language. */
function datedIn(language: 'en' | 'ar', view: CheckoutView): CheckoutView {
  if (language === 'en') return view;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const text = JSON.stringify(view).replace(/"(November \d+, 2026)"/g, (_, day: string) =>
    JSON.stringify(format.format(new Date(`${day} UTC`))),
  );
  return JSON.parse(text) as CheckoutView;
}

describe('the page of the player', () => {
  let sample: SamplePage;
  let page: Page;

  beforeAll(async () => {
    sample = await startSamplePage();
    page = await browser.newPage({ locale: 'en-US' });
    await page.route('https://js.provider.example/**', route => route.fulfill({ body: '' }));
  });
  afterAll(() => sample?.close());

  test.each(PAGE_STATES)('%s, left to right and right to left', async (name, view) => {
    for (const language of ['en', 'ar'] as const) {
      await page.goto(`${sample.origin}/elsewhere`);
      sample.show({ ...datedIn(language, still(GALLERY[view])), language });
      await page.goto(sample.origin + base);
      await shoot(page, 'page', name, language === 'ar' ? 'rtl' : 'ltr');
    }
    await expectFocusSeen(page);
  });
});

const MAILS = [
  'receipt',
  'invitation',
  'emailToVerify',
  'passwordReset',
  'newBrowser',
  'securityNotice',
  'attention',
  'digest',
  'exhausted',
  'evidence',
  'connection',
] as const satisfies readonly SentMail[];

/** A plain picture of a size, as mails get them from a studio. */
const picture = (color: string, width: number, height: number): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="12" fill="${color}"/></svg>`)}`;

const SELLER = {
  legal_name: 'Northwind Games GmbH',
  address: 'Hafenstraße 7, 20359 Hamburg',
  country: 'DE',
  registration_number: 'HRB 12345',
  tax_number: 'DE123456789',
  support: 'help@northwind.example',
  terms_url: null,
  privacy_url: null,
  refund_url: null,
};

function mailIn(mail: SentMail, locale: string): string {
  const game = {
    gameId: 'game_1',
    name: locale === 'ar' ? 'قلعة المغامرات' : 'Castle Quest',
    iconUrl: picture('#1d4ed8', 64, 64),
    logoUrl: picture('#0f172a', 240, 64),
    accentColor: '#0f766e',
  };
  const company = { name: 'Northwind Games', seller: SELLER };
  const about = { publicUrl: 'https://pay.example', company, game, locale, now: new Date(NOON) };
  return renderMail(sampleMail(mail, about)).html;
}

describe('a mail', () => {
  test.each(MAILS)('%s', async mail => {
    const page = await browser.newPage();
    const name = mail.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
    await page.setContent(mailIn(mail, 'en'));
    await shoot(page, 'mails', name, 'ltr');
    if (mail === 'receipt') {
      await page.setContent(mailIn(mail, 'ar'));
      await shoot(page, 'mails', name, 'rtl');
    }
    await page.close();
  });
});

const DASHBOARD_PAGES = [
  'sign-in',
  'register',
  'confirm-email',
  'home',
  'figures',
  'transactions',
  'transaction',
  'dispute',
  'orders',
  'order',
  'attention',
  'players',
  'player',
  'items',
  'keys',
  'webhooks',
  'methods',
  'appearance',
  'company',
  'team',
] as const;

/** Until the game has refused often enough to be seen, and the figures have every order whose page was opened. */
async function settleShop(owner: Page, { query }: Coinslot, { base: url, gameId, mode }: Place): Promise<void> {
  await signIn(owner, url);
  const [seeded] = await query<{ opened: number }>('select count(opened_at)::int as opened from orders');
  let before = '';
  const isSettled = async (): Promise<boolean> => {
    const answer = await owner.request.get(`${url}/dashboard/api/games/${gameId}/${mode}/home`);
    const { needs_attention: stuck, range } = (await answer.json()) as {
      needs_attention: number;
      range: { opened: number };
    };
    const now = JSON.stringify(range);
    const isSame = now === before;
    before = now;
    return isSame && stuck === STUCK && range.opened === seeded!.opened;
  };
  await vi.waitUntil(isSettled, { timeout: 120_000, interval: 3_000 });
}

/** Until nothing of the page is still to come. */
async function open(page: Page, address: string): Promise<void> {
  await page.setViewportSize(DESK);
  // The theme of the picture before would be that of a preview that begins in the reader's own.
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(address);
  await page.waitForSelector('h1');
  await page.waitForSelector('.breathe', { state: 'detached' });
  await page.waitForSelector('[aria-busy=true]', { state: 'detached' });
}

/** How often a game that does not answer was asked by now depends on how long the run took. */
async function withSteadyHealth(route: Route): Promise<void> {
  const response = await route.fetch();
  const list = (await response.json()) as { data: { health: object }[] };
  const steady = { attempts: 40, succeeded: 31, p95_ms: 12 };
  const data = list.data.map(webhook => ({ ...webhook, health: { ...webhook.health, ...steady } }));
  await route.fulfill({ response, json: { ...list, data } });
}

describe('the dashboard', () => {
  let coinslot: Coinslot;
  let game: SampleGame;
  let page: Page;
  let place: Place;

  beforeAll(async () => {
    [coinslot, game] = await Promise.all([startCoinslot(), startSampleGame()]);
    const ahead = Math.round((NOON - Date.now()) / 1000);
    const shop: Coinslot = { ...coinslot, setClockAhead: seconds => coinslot.setClockAhead(ahead + seconds) };
    await shop.setClockAhead(0);
    const account = await shop.setup();
    place = { base: shop.url, gameId: account.game_id, mode: 'sandbox' };
    const studio = createStudio(shop, account);
    await studio.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
    await seedHistory(shop, account, 1);
    await seedLittle(shop, account);
    await seedStuck(shop, account);
    const owner = await browser.newContext();
    await settleShop(await owner.newPage(), shop, place);
    await owner.close();
    page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC' });
    await page.clock.setFixedTime(HALF_PAST);
    await page.route('**/changes', () => undefined);
    await page.route('**/dashboard/api/games/*/sandbox/webhooks*', withSteadyHealth);
  });
  afterAll(async () => {
    game?.close();
    await coinslot?.stop();
  });

  test.each(DASHBOARD_PAGES)('%s, and what has the focus is never hidden (row 190)', async name => {
    const { path, isPublic } = PAGES.find(one => one.name === name)!;
    if (isPublic !== true && !page.url().includes('/dashboard/g/')) await signIn(page, place.base);
    await open(page, (await path(place, page))!);
    await shoot(page, 'dashboard', name, 'ltr');
    await expectFocusSeen(page);
  });

  test('the table of a chart', async () => {
    await open(page, (await PAGES.find(({ name }) => name === 'figures')!.path(place, page))!);
    await page.locator('summary').first().click();
    await shoot(page, 'dashboard', 'figures-table', 'ltr');
  });

  test('what can be done with the rows that were chosen', async () => {
    await open(page, (await PAGES.find(({ name }) => name === 'orders')!.path(place, page))!);
    for (const row of [1, 2, 5]) await page.locator('tbody').getByRole('checkbox').nth(row).check();
    await page.getByRole('button', { name: 'Bulk action' }).last().click();
    await page.getByRole('dialog').getByText('will be sent again').waitFor();
    await shoot(page, 'dashboard', 'orders-bulk', 'ltr');
  });

  test('a list with saved views, the second of them open', async () => {
    for (const name of ['Orders of this week', 'Paid orders', 'Orders that wait for the game for more than an hour']) {
      // Read again each time: what was just saved closes its form a moment later.
      await open(page, `${place.base}/dashboard/g/${place.gameId}/sandbox/orders?status=paid`);
      await page.getByRole('button', { name: 'Saved views' }).click();
      await page.getByLabel('Name of this view').fill(name);
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('group', { name: 'Saved views' }).getByText(name, { exact: true }).waitFor();
    }
    await page.getByRole('group', { name: 'Saved views' }).getByText('Paid orders', { exact: true }).click();
    await page.waitForURL(/view=/);
    await open(page, page.url());
    await shoot(page, 'dashboard', 'orders-views', 'ltr');
  });
});

/** In order: Poles go to Stripe, two methods of the largest countries to PayPal, and one method is offered to no one. */
const RULES = [
  { countries: ['PL'], currencies: ['PLN'], methods: null, min_amount: 1_000, max_amount: null, provider: 'stripe' },
  {
    countries: ['DE', 'AT', 'CH', 'FR', 'NL'],
    currencies: ['EUR'],
    methods: ['card', 'paypal'],
    min_amount: 100,
    max_amount: 50_000,
    provider: 'paypal',
  },
  { countries: null, currencies: null, methods: ['klarna'], min_amount: null, max_amount: null, provider: null },
].map(rule => ({ games: null, account: null, ...rule }));

test('payment methods of a shop with two providers and with rules', async () => {
  const shop = await startTwoProviderShop();
  const context = await browser.newContext({ locale: 'en-US', viewport: DESK });
  try {
    expect((await shop.owner.call('PUT', shop.ofCompany('/routing'), { rules: RULES })).status).toBe(200);
    await context.addCookies([{ name: 'coinslot', value: shop.owner.cookie!, url: shop.url }]);
    const page = await context.newPage();
    await open(page, `${shop.url}/dashboard/g/${shop.account.gameId}/live/settings/methods`);
    await page.getByText('Processed by Stripe', { exact: true }).waitFor();
    await shoot(page, 'dashboard', 'methods-two-providers', 'ltr');
    const first = page.getByRole('heading', { name: 'Cards', exact: true });
    await first.evaluate(heading => heading.setAttribute('data-shown-first', ''));
    await shoot(page, 'dashboard', 'methods-two-providers-list', 'ltr');
  } finally {
    await context.close();
    await shop.close();
  }
});

test('at least 40 states are there for a person to open, and what changed is named', async () => {
  expect(states.length).toBeGreaterThanOrEqual(40);
  const page = await browser.newPage();
  const { compared, machine } = await report(page, states, process.env.GALLERY === 'keep');
  const changed = compared.flatMap(({ state: { subject, name }, changed: labels }) =>
    labels === null ? [`${subject}/${name} (new)`] : labels.length > 0 ? [`${subject}/${name} (${labels.length})`] : [],
  );
  const lines = [
    `${states.length} states in build/gallery/index.html, ${changed.length} changed: ${changed.join(' ')}`,
    machine,
  ];
  process.stdout.write(`${lines.filter(Boolean).join('\n')}\n`);
});
