import { generateSync } from 'otplib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { patience } from '../game-studio.ts';
import { inSequence } from '../in-sequence.ts';
import { type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { DESK, expectGood } from './look.ts';
import { PASSWORD, signIn } from './places.ts';

/** How people come in: each test goes on from the one before, in the browser of the owner or of a new colleague. */

const OWNER = 'owner@studio.example';
const COLLEAGUE = 'noa@studio.example';
const NEW_PASSWORD = 'a kettle sings at noon';

let coinslot: Coinslot;
let browser: Browser;
let owner: Page;
let colleague: Page;
let secret: string;
let recoveryCodes: string[];

async function newPage(): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    viewport: DESK,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  return page;
}

inSequence();

beforeAll(async () => {
  [coinslot, browser] = await Promise.all([startCoinslot(), launchBrowser()]);
  await coinslot.setup();
  owner = await newPage();
  colleague = await newPage();
});

afterAll(async () => {
  await browser?.close();
  await coinslot?.stop();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** Without a mail server, mails are kept in the database for the operator. */
async function mailTo(recipient: string, subject: string): Promise<string> {
  const read = async (): Promise<string | undefined> => {
    const mails = await coinslot.query<{ text: string }>(
      "select content::text as text from mails where recipient = $1 and subject like $2 || '%' and status = 'kept'",
      [recipient, subject],
    );
    return mails[0]?.text;
  };
  await expect.poll(read, patience).toBeDefined();
  return (await read())!;
}

const linkIn = (mail: string): string => /https?:\/\/[^\s"]+#token=[\w-]+/.exec(mail)![0];

/** A code works once. The next one is taken early, as a phone whose clock is ahead would show it. */
const codeOf = (step: 'now' | 'next'): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + (step === 'next' ? 30 : 0) });

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

async function giveCredentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
}

async function giveCode(code: string): Promise<void> {
  await owner.getByLabel('Code', { exact: true }).fill(code);
  await button(owner, 'Continue').click();
}

const isInside = (page: Page) => page.waitForURL(/\/dashboard\/g\//);

test('two-step sign-in is turned on with a code of the app, and gives recovery codes', async () => {
  await signIn(owner, coinslot.url);
  await owner.getByRole('button', { name: /^Account of/ }).click();
  await owner.getByRole('menuitem', { name: 'Profile' }).click();
  await button(owner, 'Turn on').click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByLabel('Your password').fill('not my password');
  await button(owner, 'Next').click();
  await owner.getByText('Wrong password.').waitFor();
  await expectGood(owner, 'totp-password');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await button(owner, 'Next').click();
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  secret = /[A-Z2-7]{32}/.exec(await dialog.innerText())![0];
  await expectGood(owner, 'totp-scan');
  await owner.getByLabel('Code', { exact: true }).fill(codeOf('now'));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await owner.getByText('Two-step sign-in is on.').waitFor();
  recoveryCodes = (await dialog.locator('pre').innerText()).trim().split('\n');
  expect(recoveryCodes.length).toBeGreaterThanOrEqual(8);
  await expectGood(owner, 'totp-codes');
  await button(owner, 'I saved them').click();
});

test('from then on the password alone is not enough', async () => {
  await signOut(owner);
  await giveCredentials(owner, OWNER, PASSWORD);
  await owner.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await giveCode('000000');
  await owner.getByText('This code is wrong or has expired.').waitFor();
  await expectGood(owner, 'totp-asked');
  await giveCode(codeOf('next'));
  await isInside(owner);
});

test('a recovery code opens once when the phone is gone', async () => {
  const [first, second] = recoveryCodes;
  await signOut(owner);
  await giveCredentials(owner, OWNER, PASSWORD);
  await giveCode(first!);
  await isInside(owner);
  await signOut(owner);
  await giveCredentials(owner, OWNER, PASSWORD);
  await giveCode(first!);
  await owner.getByText('This code is wrong or has expired.').waitFor();
  await giveCode(second!);
  await isInside(owner);
});

test('an owner renames the company and gives the game another link', async () => {
  await link(owner, 'Company settings').click();
  await owner.getByLabel('Company name').fill(' ');
  // The seller has a button of its own below.
  await button(owner, 'Save').first().click();
  await owner.getByText('This field is required.').waitFor();
  await owner.getByLabel('Company name').fill('Northwind Studios');
  await button(owner, 'Save').first().click();
  await owner.getByText('The company is now called Northwind Studios.').waitFor();
  await expectGood(owner, 'company');
  await button(owner, 'Change link').click();
  await owner.getByRole('textbox', { name: 'Store link' }).fill('https://example.com/my-game');
  await button(owner, 'Save').last().click();
  await owner.getByText(/Must be the link of a published mobile game/).waitFor();
  await expectGood(owner, 'company-link');
  await owner
    .getByRole('textbox', { name: 'Store link' })
    .fill('https://play.google.com/store/apps/details?id=com.northwind.castle');
  await button(owner, 'Save').last().click();
  await owner.getByText('Store link of Castle Quest updated.').waitFor();
  await link(owner, 'Google Play').waitFor();
});

test('a colleague is invited; where no mail is sent, the owner is shown the link', async () => {
  await link(owner, 'Team').click();
  await button(owner, 'Invite member').click();
  await owner.getByLabel('E-mail').fill(COLLEAGUE);
  await owner.getByLabel('Role', { exact: true }).selectOption('support');
  await expectGood(owner, 'invite');
  await button(owner, 'Send invitation').click();
  await owner.getByText(`${COLLEAGUE} was invited.`).waitFor();
  await owner.getByRole('heading', { name: 'Invitation link' }).waitFor();
  await expectGood(owner, 'invitation-link');
  const shown = (await owner.getByRole('dialog').locator('pre').innerText()).trim();
  expect(await mailTo(COLLEAGUE, 'Invitation to a Coinslot dashboard')).toContain(shown);
  await button(owner, 'Done').click();
  await owner.getByText('Expires').waitFor();
  await expectGood(owner, 'team-invited');
});

test('and comes in with the link of the mail, as what they were invited', async () => {
  const invitation = linkIn(await mailTo(COLLEAGUE, 'Invitation to a Coinslot dashboard'));
  await colleague.goto(invitation);
  await colleague.getByText(`${OWNER} invited you to join as Support.`).waitFor();
  await expectGood(colleague, 'invitation');
  await colleague.getByLabel('Your name').fill('Noa');
  await colleague.getByLabel('Password').fill('password123');
  await button(colleague, 'Join Northwind Studios').click();
  await colleague.getByText('This is a common password or close to one.').waitFor();
  await colleague.getByLabel('Password').fill(PASSWORD);
  await button(colleague, 'Join Northwind Studios').click();
  await isInside(colleague);
  await colleague.getByText('Welcome to Northwind Studios!').waitFor();
  // The first steps are a developer's.
  await colleague.getByText('Orders created', { exact: true }).first().waitFor();
  expect(await colleague.getByText('Get started').count()).toBe(0);
  await link(colleague, 'Company settings').click();
  await link(colleague, 'Team').click();
  await colleague.getByText('Noa').first().waitFor();
  await expect.poll(() => button(colleague, 'Invite member').count()).toBe(0);
  // The link worked once.
  const stranger = await newPage();
  await stranger.goto(invitation);
  await stranger.getByRole('heading', { name: 'Invitation' }).waitFor();
  await expectGood(stranger, 'invitation-used');
  await stranger.context().close();
});

test('a forgotten password is reset by e-mail, and ends every session', async () => {
  const stranger = await newPage();
  await stranger.goto(`${coinslot.url}/dashboard/sign-in`);
  await link(stranger, 'Forgot password?').click();
  await stranger.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await stranger.getByLabel('E-mail').fill(COLLEAGUE);
  await button(stranger, 'Send link').click();
  await stranger.getByText(`If ${COLLEAGUE} has an account, we’ve sent a link.`, { exact: false }).waitFor();
  await stranger.goto(linkIn(await mailTo(COLLEAGUE, 'Reset your Coinslot password')));
  await stranger.getByLabel('New password').fill(NEW_PASSWORD);
  await expectGood(stranger, 'reset');
  await button(stranger, 'Set password').click();
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor();
  await giveCredentials(stranger, COLLEAGUE, PASSWORD);
  await stranger.getByText('wrong', { exact: false }).first().waitFor();
  await expectGood(stranger, 'sign-in-wrong');
  await stranger.getByLabel('Password').fill(NEW_PASSWORD);
  await button(stranger, 'Sign in').click();
  await isInside(stranger);
  await colleague.reload();
  await colleague.getByRole('heading', { name: 'Sign in' }).waitFor();
});
