/** Single sign-on against a real OpenID provider, which runs as a process of its own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SessionState } from '@coinslot/contract';
import {
  mailTo,
  newBrowser,
  PASSWORD,
  signedInMember,
  type TestBrowser,
  type TestMember,
  tokenTo,
} from '@coinslot/testing/dashboard';
import { type IdentityProvider, startIdentityProvider } from '@coinslot/testing/identity-provider';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findMemberByEmail } from '../../../domain/company/member.sql.ts';
import { roleOfGroups } from '../../../domain/company/sso/identity-provider.ts';
import { createSsoRecheck } from '../../../domain/company/sso/recheck-sso.ts';
import { listMembersToNotify } from '../../../domain/notification/notice.sql.ts';
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

const callbackOf = (companyId: string): string =>
  `${shop.program.purchasing.publicUrl}/dashboard/sso/${companyId}/callback`;

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
  provider = await startIdentityProvider(callbackOf(shop.account.companyId));
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

/** What the page does with the address that it came back to. */
const finish = (browser: TestBrowser, back: URL) =>
  browser.call<SessionState & { code?: string; detail?: string }>('POST', '/sso/finish', {
    company_id: back.pathname.split('/').at(-2),
    ...Object.fromEntries(back.searchParams),
  });

async function signIn(login: string): Promise<{ browser: TestBrowser; answer: Awaited<ReturnType<typeof finish>> }> {
  const browser = newBrowser(shop.url);
  const answer = await finish(browser, await provider.signIn(await begin(browser), login));
  await browser.open();
  return { browser, answer };
}

const mailCount = async (): Promise<number> =>
  (await shop.database.db.query({ name: '', text: 'select id from mails', values: [] })).length;

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

  test.each([
    'victim@elsewhere.example, grace@studio.example',
    'grace@studio.example\r\nBcc: victim@elsewhere.example@studio.example',
    '\u202Egrace@studio.example',
    `${'g'.repeat(300)}@studio.example`,
  ])('is refused where the issuer names no address, and nothing is mailed (row 232): %j', async email => {
    await provider.setUser('forged', person(['everyone'], { email }));
    const before = await mailCount();
    expect((await signIn('forged')).answer).toMatchObject({ status: 403, body: { code: 'sso_failed' } });
    expect(await mailCount()).toBe(before);
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

  test('comes in again after an owner ended their sessions, where the provider does not say when it saw a proof (row 265)', async () => {
    await provider.setUser('ended', person(['game-team'], { email: 'ended@studio.example' }));
    const before = await signIn('ended');
    const { id } = (await before.browser.open()).user!;
    await shop.later(1);
    expect((await owner.browser.call('DELETE', company(`/members/${id}/sessions`))).status).toBe(204);
    expect(await statusOf(before.browser, company())).toBe(401);
    await shop.later(1);
    const after = await signIn('ended');
    const text = `update sessions set confirmed_at = '-infinity' where user_id = $1`;
    await shop.database.db.query({ name: '', text, values: [id] });
    expect(await statusOf(after.browser, company())).toBe(200);
  });

  test('has no second way to prove it: the password of an account that was invited does not reveal a key (row 267)', async () => {
    await owner.browser.call('PUT', company('/sso'), settings({ domains: ['example.com'] }));
    const { email, userId } = await signedInMember(shop, 'developer');
    await provider.setUser('invited', person(['game-team'], { email }));
    const { browser } = await signIn('invited');
    expect((await browser.open()).user).toMatchObject({ id: userId });
    const text = `update sessions set confirmed_at = '-infinity' where user_id = $1`;
    await shop.database.db.query({ name: '', text, values: [userId] });
    const keys = `/games/${shop.account.gameId}/live/keys`;
    const { body } = await browser.call<{ data: { id: string }[] }>('GET', keys);
    expect(await browser.call('POST', `${keys}/${body.data[0]!.id}/reveal`, { password: PASSWORD })).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required' },
    });
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

  test('comes in no other way: there is no account with the address', async () => {
    await provider.setUser('resetter', person(['game-team'], { email: 'resetter@studio.example' }));
    await signIn('resetter');
    const browser = newBrowser(shop.url);
    await browser.open();
    await browser.call('POST', '/password_resets', { email: 'resetter@studio.example' });
    await shop.program.parts.background.settle();
    expect((await mailTo(shop, 'resetter@studio.example'))?.subject).not.toMatch(/password/i);
    const game_url = 'https://play.google.com/store/apps/details?id=com.resetter.game';
    const form = { email: 'resetter@studio.example', password: PASSWORD, company: 'Of their own', game_url };
    const { body } = await browser.call<SessionState>('POST', '/register', form);
    expect(body.companies.map(({ name }) => name)).toEqual(['Of their own']);
    expect(await statusOf(browser, company())).toBe(404);
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

  test('a company that names a stranger’s address sees and mails nothing of their account (row 199)', async () => {
    const victim = await signedInMember(
      shop,
      'owner',
      (await registerTestAccount(shop.database.db, shop.program.parts.seal)).companyId,
    );
    await provider.setUser('named', person(['game-team'], { email: victim.email, name: '' }));
    expect((await owner.browser.call('PUT', company('/sso'), settings({ domains: ['example.com'] }))).status).toBe(200);
    const { browser, answer } = await signIn('named');
    expect(answer.status).toBe(200);
    await victim.browser.call('PATCH', '/me', { name: 'Known to their own company' });
    const team = await owner.browser.call<{ data: { email: string; user_id: string }[] }>('GET', company('/members'));
    const shown = team.body.data.find(({ email }) => email === victim.email);
    expect(shown).toMatchObject({ name: '', passkeys: 0 });
    expect(shown?.user_id).not.toBe(victim.userId);
    const audit = await owner.browser.call('GET', company(`/audit?user_id=${shown!.user_id}`));
    expect(JSON.stringify(audit.body)).not.toContain('user.profile_changed');
    const { db } = shop.database;
    const environmentId = await db.queryValue<string>({
      name: '',
      text: 'select min(id) from environments',
      values: [],
    });
    const isMailed = async () =>
      (await listMembersToNotify(db, environmentId, ['developer'])).some(({ email }) => email === victim.email) &&
      (await findMemberByEmail(db, shop.account.companyId, victim.email)) !== null;
    expect(await isMailed()).toBe(false);
    const token = await tokenTo(shop, victim.email);
    expect((await victim.browser.call('POST', '/email_changes/use', { token })).status).toBe(401);
    expect(await isMailed()).toBe(false);
    expect((await browser.call('POST', '/email_changes/use', { token })).status).toBe(204);
    expect(await isMailed()).toBe(true);
  });

  test('what a provider gave for one company is handed to no other (row 200)', async () => {
    const asked: string[] = [];
    const honest = `${provider.issuer}/auth`;
    const dishonest = createServer((request, response) => {
      const issuer = `http://${request.headers.host}`;
      asked.push(request.url!);
      response.setHeader('content-type', 'application/json');
      const ends = { authorization_endpoint: honest, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
      response.end(JSON.stringify({ issuer, ...ends }));
    }).listen(0, '127.0.0.1');
    await once(dishonest, 'listening');
    const issuer = `http://127.0.0.1:${(dishonest.address() as AddressInfo).port}`;
    const { companyId } = await registerTestAccount(shop.database.db, shop.program.parts.seal);
    const thief = await signedInMember(shop, 'owner', companyId);
    expect((await thief.browser.call('PUT', `/companies/${companyId}/sso`, settings({ issuer }))).status).toBe(200);
    await provider.setUser('grace', person(['game-team']));
    const browser = newBrowser(shop.url);
    await browser.open();
    const begun = await browser.call<{ url: string }>('POST', '/sso/begin', { company_id: companyId });
    // The dishonest provider sends its visitor on to the honest one of the other company.
    const url = new URL(begun.body.url);
    url.searchParams.set('redirect_uri', callbackOf(shop.account.companyId));
    const back = await provider.signIn(url.href, 'grace');
    // Many providers do not say who they are here, as this one does.
    back.searchParams.delete('iss');
    expect(await finish(browser, back)).toMatchObject({ status: 403, body: { code: 'sso_failed' } });
    expect(asked.filter(path => !path.startsWith('/.well-known/'))).toEqual([]);
    dishonest.close();
  });

  test.each([
    'javascript:alert(document.domain)//',
    'data:text/html,hello',
    'http://user:secret@127.0.0.1/auth',
    'file:///etc/passwd',
  ])('an issuer sends its visitor to a page of the web alone (row 233): %s', async authorization_endpoint => {
    const dishonest = createServer((request, response) => {
      const issuer = `http://${request.headers.host}`;
      response.setHeader('content-type', 'application/json');
      const ends = { authorization_endpoint, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
      response.end(JSON.stringify({ issuer, ...ends }));
    }).listen(0, '127.0.0.1');
    await once(dishonest, 'listening');
    const issuer = `http://127.0.0.1:${(dishonest.address() as AddressInfo).port}`;
    const { companyId } = await registerTestAccount(shop.database.db, shop.program.parts.seal);
    const thief = await signedInMember(shop, 'owner', companyId);
    expect((await thief.browser.call('PUT', `/companies/${companyId}/sso`, settings({ issuer }))).status).toBe(200);
    const browser = newBrowser(shop.url);
    await browser.open();
    const begun = await browser.call('POST', '/sso/begin', { company_id: companyId });
    expect(begun).toMatchObject({ status: 403, body: { code: 'sso_failed' } });
    dishonest.close();
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
