import { signedInMember } from '@coinslot/testing/dashboard';
import { type IdentityProvider, startIdentityProvider } from '@coinslot/testing/identity-provider';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { freePort } from '../free-port.ts';
import { inSequence } from '../in-sequence.ts';
import { DESK, expectGood } from './look.ts';

/** An owner connects a real OpenID provider, and a member signs in through its own pages. */

let shop: TestProgram;
let provider: IdentityProvider;
let browser: Browser;
let member: Page;
let link: string;

inSequence();

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  [shop, browser] = await Promise.all([
    startProgram({ workers: false, port, env: { PUBLIC_URL: url } }),
    launchBrowser(),
  ]);
  provider = await startIdentityProvider(`${url}/dashboard/sso/${shop.account.companyId}/callback`);
});

afterAll(async () => {
  await browser?.close();
  await provider?.stop();
  await shop?.close();
});

const open = async (): Promise<Page> =>
  (await browser.newContext({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce' })).newPage();

const grace = (groups: string[]) =>
  provider.setUser('grace', { email: 'grace@studio.example', email_verified: true, name: 'Grace', groups });

test('an owner saves issuer, client, domain and the roles of groups', async () => {
  const owner = await signedInMember(shop, 'owner');
  const page = await open();
  await page.context().addCookies([{ name: 'coinslot', value: owner.browser.cookie!, url: shop.url }]);
  await page.goto(`${shop.url}/dashboard/g/${shop.account.gameId}/sandbox/settings/company`);
  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.getByLabel('Client ID').fill(provider.clientId);
  await page.getByLabel('Client secret').fill(provider.clientSecret);
  await page.getByLabel('Allowed email domains').fill('studio.example');
  await page.getByLabel('Roles by group').fill('game-team = developer');
  const form = page.locator('form').filter({ has: page.getByLabel('Issuer') });
  await form.getByRole('button', { name: 'Save' }).click();
  const shown = page.getByText('Members sign in at http');
  await shown.waitFor();
  link = /http\S+/.exec(await shown.innerText())![0];
  await expectGood(page, 'sso-settings');
  await page.context().close();
});

test('a member comes back from the provider’s own pages, signed in with the role of the group', async () => {
  await grace(['game-team']);
  member = await open();
  await member.goto(link);
  await expectGood(member, 'sso-begin');
  await member.getByRole('button', { name: 'Continue' }).click();
  await member.locator('input[name=login]').fill('grace');
  await member.locator('input[name=password]').fill('any');
  await member.locator('button[type=submit]').click();
  await member.waitForURL(/\/dashboard\/g\//);
  expect(member.url()).not.toContain('code=');
  await member.goto(`${shop.url}/dashboard/g/${shop.account.gameId}/sandbox/settings/audit`);
  await member.getByRole('heading', { name: 'Audit log' }).waitFor();
});

test('a member whose sign-in is old goes there again to show a key, and comes back to the page (row 272)', async () => {
  const text = `update sessions set confirmed_at = '-infinity'`;
  await shop.database.db.query({ name: '', text, values: [] });
  await member.goto(`${shop.url}/dashboard/g/${shop.account.gameId}/sandbox/integration/keys`);
  await member.getByRole('button', { name: 'Reveal' }).first().click();
  await member.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click();
  await member.getByText('new sign-in at your company’s identity provider').waitFor();
  expect(await member.getByLabel('Your password').count()).toBe(0);
  await expectGood(member, 'sso-proof');
  await member.getByRole('button', { name: 'Sign in again' }).click();
  await member.locator('input[name=login]').fill('grace');
  await member.locator('input[name=password]').fill('any');
  await member.locator('button[type=submit]').click();
  await member.waitForURL(/integration\/keys$/);
  await member.getByRole('button', { name: 'Reveal' }).first().click();
  await member.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click();
  await member.getByText(/sk_sandbox_[\w-]{20}/).waitFor();
});

test('who left the group is back at the sign-in within five minutes', async () => {
  await grace([]);
  await shop.later(310);
  await member.reload();
  await member.waitForURL(/sign-in/);
});
