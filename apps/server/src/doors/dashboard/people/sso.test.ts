/** Single sign-on against a real OpenID provider, which runs as a process of its own. */
import type { SessionState } from '@coinslot/contract';
import { newBrowser, PASSWORD, signedInMember, type TestBrowser, type TestMember } from '@coinslot/testing/dashboard';
import { type IdentityProvider, startIdentityProvider } from '@coinslot/testing/identity-provider';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { roleOfGroups } from '../../../domain/company/sso/identity-provider.ts';
import { createSsoRecheck } from '../../../domain/company/sso/recheck-sso.ts';
import { findSession } from '../../../domain/user/session.sql.ts';
import { sha256 } from '../../../kit/seal.ts';

let shop: TestProgram;
let owner: TestMember;
let provider: IdentityProvider;

const ROLES = [
  { group: 'game-team', role: 'developer' },
  { group: 'everyone', role: 'viewer' },
];

const company = (path = ''): string => `/companies/${shop.account.companyId}${path}`;

const settings = (more: object = {}) => ({
  issuer: provider.issuer,
  client_id: provider.clientId,
  client_secret: provider.clientSecret,
  domains: ['studio.example'],
  group_claim: 'groups',
  roles: ROLES,
  required: false,
  ...more,
});

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  provider = await startIdentityProvider(`${shop.program.purchasing.publicUrl}/dashboard/sso/callback`);
});

/** Each with a session that was proven a moment ago. */
beforeEach(async () => {
  owner = await signedInMember(shop, 'owner');
  await shop.database.db.query({ name: '', text: 'delete from sign_in_failures', values: [] });
  expect((await owner.browser.call('PUT', company('/sso'), settings())).status).toBe(200);
});

afterAll(async () => {
  await provider?.stop();
  await shop?.close();
});

const person = (groups: unknown, more: object = {}) => ({
  email: 'grace@studio.example',
  email_verified: true,
  name: 'Grace',
  groups,
  ...more,
});

async function begin(browser: TestBrowser): Promise<string> {
  await browser.open();
  const begun = await browser.call<{ url: string }>('POST', '/sso/begin', { company_id: shop.account.companyId });
  expect(begun.status).toBe(200);
  return begun.body.url;
}

const finish = (browser: TestBrowser, back: URL) =>
  browser.call<SessionState & { code?: string; detail?: string }>(
    'POST',
    '/sso/finish',
    Object.fromEntries(back.searchParams),
  );

async function signIn(login: string): Promise<{ browser: TestBrowser; answer: Awaited<ReturnType<typeof finish>> }> {
  const browser = newBrowser(shop.url);
  const answer = await finish(browser, await provider.signIn(await begin(browser), login));
  await browser.open();
  return { browser, answer };
}

const statusOf = async (browser: TestBrowser, path: string): Promise<number> =>
  (await browser.call('GET', path)).status;

describe('a member of the company’s directory', () => {
  test('signs in with the role of the highest group, and sees this company alone', async () => {
    await provider.setUser('grace', person(['everyone', 'game-team']));
    const { browser, answer } = await signIn('grace');
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { email: 'grace@studio.example' }, companies: [{ id: shop.account.companyId, role: 'developer' }] },
    });
    expect(await statusOf(browser, company('/audit'))).toBe(200);
    expect(await statusOf(browser, company('/invitations'))).toBe(403);
    expect(roleOfGroups([{ group: 'a', role: 'viewer' }], ['b'])).toBeNull();
  });

  test.each([
    ['is in no group that has a role', person(['others'])],
    ['has an address of another domain', person(['everyone'], { email: 'grace@elsewhere.example' })],
    ['has an address that is not verified', person(['everyone'], { email_verified: false })],
  ])('is refused who %s', async (_why, claims) => {
    await provider.setUser('other', claims);
    expect((await signIn('other')).answer).toMatchObject({ status: 403, body: { code: 'sso_failed' } });
  });

  test('is out within five minutes after leaving the group (row 184)', async () => {
    await provider.setUser('leaver', person(['game-team'], { email: 'leaver@studio.example' }));
    const { browser } = await signIn('leaver');
    await shop.later(290);
    expect(await statusOf(browser, company())).toBe(200);
    await provider.setUser('leaver', person([], { email: 'leaver@studio.example' }));
    expect(await statusOf(browser, company())).toBe(200);
    await shop.later(290);
    expect(await statusOf(browser, company())).toBe(401);
    expect(await statusOf(browser, company())).toBe(401);
  });

  test('has the new role within five minutes after changing groups', async () => {
    await provider.setUser('mover', person(['game-team'], { email: 'mover@studio.example' }));
    const { browser } = await signIn('mover');
    expect(await statusOf(browser, company('/audit'))).toBe(200);
    await provider.setUser('mover', person('everyone', { email: 'mover@studio.example' }));
    await shop.later(290);
    expect(await statusOf(browser, company('/audit'))).toBe(403);
    expect(await statusOf(browser, company())).toBe(200);
  });

  test('stays signed in when several processes ask about the same session at once (row 187)', async () => {
    await provider.setUser('busy', person(['game-team'], { email: 'busy@studio.example' }));
    const { browser } = await signIn('busy');
    const { db } = shop.database;
    const read = () => findSession(db, sha256(browser.cookie!));
    // Each has its own list of what is being asked, as each process does.
    const processes = Array.from({ length: 4 }, () => createSsoRecheck(shop.program.purchasing));
    for (const seconds of [290, 310]) {
      await shop.later(seconds);
      const before = await read();
      const answers = await Promise.all(processes.map(recheck => recheck(before, '127.0.0.1')));
      expect(answers.map(answer => answer?.sso?.role)).toEqual(Array(4).fill('developer'));
      expect((await read())?.sso?.checkedSecondsAgo).toBeLessThan(60);
    }
    expect(await statusOf(browser, company())).toBe(200);
  });

  test('comes in no other way: a reset password opens nothing', async () => {
    await provider.setUser('resetter', person(['game-team'], { email: 'resetter@studio.example' }));
    await signIn('resetter');
    const text = `update users set password_hash = (select password_hash from users where email = $1) where email = $2`;
    await shop.database.db.query({ name: '', text, values: [owner.email, 'resetter@studio.example'] });
    const browser = newBrowser(shop.url);
    await browser.open();
    const signedIn = await browser.call<SessionState>('POST', '/sign_in', {
      email: 'resetter@studio.example',
      password: PASSWORD,
    });
    expect(signedIn).toMatchObject({ status: 200, body: { companies: [] } });
    expect((await browser.call('GET', company())).body).toMatchObject({ code: 'sso_required' });
  });
});

describe('an identity provider speaks for its own company alone (row 184)', () => {
  test('a company that names a stranger’s address gets nothing of their account', async () => {
    const victim = await registerTestAccount(shop.database.db, shop.program.parts.seal);
    const text = `update users set email = $1, email_key = $1
      where id = (select user_id from members where company_id = $2)`;
    await shop.database.db.query({ name: '', text, values: ['victim@studio.example', victim.companyId] });
    await provider.setUser('forged', person(['game-team'], { email: 'victim@studio.example' }));
    const { browser, answer } = await signIn('forged');
    expect(answer.body.companies.map(({ id }) => id)).toEqual([shop.account.companyId]);
    expect(await statusOf(browser, `/companies/${victim.companyId}`)).toBe(404);
    for (const path of ['/me', '/me/sessions']) expect(await statusOf(browser, path)).toBe(403);
    expect((await browser.call('POST', '/me/totp', {})).body).toMatchObject({ code: 'sso_session' });
  });

  test('what came back works once, and in the browser that began', async () => {
    await provider.setUser('grace', person(['game-team']));
    const browser = newBrowser(shop.url);
    const back = await provider.signIn(await begin(browser), 'grace');
    const stranger = newBrowser(shop.url);
    await stranger.open();
    expect(await finish(stranger, back)).toMatchObject({ status: 403, body: { code: 'sso_failed' } });
    expect((await finish(browser, back)).status).toBe(200);
    const again = newBrowser(shop.url);
    await again.open();
    expect((await finish(again, back)).status).toBe(403);
  });

  test('a code of another sign-in is refused', async () => {
    await provider.setUser('grace', person(['game-team']));
    const [one, other] = [newBrowser(shop.url), newBrowser(shop.url)];
    const mine = await provider.signIn(await begin(one), 'grace');
    const theirs = await provider.signIn(await begin(other), 'grace');
    mine.searchParams.set('code', theirs.searchParams.get('code')!);
    expect(await finish(one, mine)).toMatchObject({ status: 403, body: { code: 'sso_failed' } });
  });
});

describe('the setting', () => {
  test('is of owners, keeps its secret, and refuses an issuer that is none or inside the network', async () => {
    const developer = await signedInMember(shop, 'developer');
    expect(await statusOf(developer.browser, company('/sso'))).toBe(403);
    const read = await owner.browser.call('GET', company('/sso'));
    expect(JSON.stringify(read.body)).not.toContain(provider.clientSecret);
    expect(read.body).toMatchObject({ settings: { issuer: provider.issuer, required: false } });
    for (const issuer of ['https://10.0.0.1', 'https://169.254.169.254', shop.url])
      expect(await owner.browser.call('PUT', company('/sso'), settings({ issuer }))).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/issuer' }] },
      });
    const { client_secret: _, ...without } = settings({ client_id: 'another' });
    expect(await owner.browser.call('PUT', company('/sso'), without)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/client_secret' }] },
    });
  });

  test('required: members with a password are sent there, owners come by passkey', async () => {
    expect(await owner.browser.call('PUT', company('/sso'), settings({ required: true }))).toMatchObject({
      body: { code: 'passkey_required' },
    });
    const byPasskey = (email: string) =>
      shop.database.db.query({
        name: '',
        text: `update sessions set signed_in_by = 'passkey' where user_id = (select id from users where email = $1)`,
        values: [email],
      });
    await byPasskey(owner.email);
    expect((await owner.browser.call('PUT', company('/sso'), settings({ required: true }))).status).toBe(200);
    const developer = await signedInMember(shop, 'developer');
    const other = await signedInMember(shop, 'owner');
    for (const { browser } of [developer, other])
      expect((await browser.call('GET', company())).body).toMatchObject({ code: 'sso_required' });
    await byPasskey(developer.email);
    expect((await developer.browser.call('GET', company())).status).toBe(403);
    expect(await statusOf(owner.browser, company())).toBe(200);
    await owner.browser.call('PUT', company('/sso'), settings());
  });

  test('turned off: its sessions end', async () => {
    await provider.setUser('grace', person(['game-team']));
    const { browser } = await signIn('grace');
    expect((await owner.browser.call('DELETE', company('/sso'))).status).toBe(204);
    expect(await statusOf(browser, company())).toBe(401);
    await browser.open();
    expect(await browser.call('POST', '/sso/begin', { company_id: shop.account.companyId })).toMatchObject({
      status: 403,
      body: { code: 'sso_failed' },
    });
  });
});
