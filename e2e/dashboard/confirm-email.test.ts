import { newBrowser, PASSWORD } from '@coinslot/testing/dashboard';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { patience } from '../game-studio.ts';
import { type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { DESK, expectGood } from './look.ts';

const EMAIL = 'noa@studio.example';

let coinslot: Coinslot;
let browser: Browser;

beforeAll(async () => {
  [coinslot, browser] = await Promise.all([startCoinslot(), launchBrowser()]);
  await coinslot.setup();
  const visitor = newBrowser(coinslot.url);
  await visitor.open();
  const game_url = 'https://play.google.com/store/apps/details?id=com.studio.game';
  await visitor.call('POST', '/register', { email: EMAIL, password: PASSWORD, company: 'Noa', game_url });
});

afterAll(async () => {
  await browser?.close();
  await coinslot?.stop();
});

async function mailedLink(): Promise<string> {
  const read = async (): Promise<string | undefined> => {
    const text =
      "select content::text as text from mails where recipient = $1 and content::text like '%confirm-email%'";
    const [mail] = await coinslot.query<{ text: string }>(text, [EMAIL]);
    return /https?:\/\/[^\s"]+#token=[\w-]+/.exec(mail?.text ?? '')?.[0];
  };
  await expect.poll(read, patience).toBeDefined();
  return (await read())!;
}

const newPage = async (): Promise<Page> =>
  (await browser.newContext({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce' })).newPage();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const linkNamed = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('a link that confirms an address leads a signed-out browser through signing in and back, and works once', async () => {
  const link = await mailedLink();
  const page = await newPage();
  await page.goto(link);
  await linkNamed(page, 'Sign in').waitFor();
  expect(await button(page, 'Confirm').count()).toBe(0);
  await linkNamed(page, 'Reset its password').waitFor();
  await expectGood(page, 'confirm-signed-out');
  await linkNamed(page, 'Sign in').click();
  expect(page.url()).not.toContain('token');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await button(page, 'Sign in').click();
  await button(page, 'Confirm').click();
  await page.getByText('Your e-mail address is confirmed.').waitFor();
  await expectGood(page, 'confirm-done');
  await page.goto('about:blank');
  await page.goto(link);
  await button(page, 'Confirm').click();
  await page.getByRole('alert').waitFor();
  expect(await button(page, 'Confirm').count()).toBe(0);
  await expectGood(page, 'confirm-over');
});
