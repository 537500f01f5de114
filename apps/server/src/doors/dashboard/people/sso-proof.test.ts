/** How members prove who they are whom only their company's identity provider knows, and what its late answers are worth. */
import type { SessionState } from '@coinslot/contract';
import { newBrowser, signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type IdentityProvider, startIdentityProvider } from '@coinslot/testing/identity-provider';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let shop: TestProgram;
let provider: IdentityProvider;
let member: TestBrowser;
/** What happens while an identity provider takes its time: once, with the next call to one. */
let meanwhile: (() => Promise<unknown>) | null = null;

const settings = () => ({
  issuer: provider.issuer,
  client_id: provider.clientId,
  client_secret: provider.clientSecret,
  domains: ['studio.example'],
  group_claim: 'groups',
  roles: [{ group: 'game-team', role: 'developer' }],
  required: false,
});

const company_id = (): string => shop.account.companyId;
const ofCompany = (path: string): string => `/companies/${company_id()}${path}`;
const ofGame = (mode: string, path: string): string => `/games/${shop.account.gameId}/${mode}${path}`;

beforeAll(async () => {
  shop = await startProgram({
    workers: false,
    replace: parts => ({
      ...parts,
      sender: {
        ...parts.sender,
        async send(request) {
          const answer = await parts.sender.send(request);
          const then = meanwhile;
          meanwhile = null;
          await then?.();
          return answer;
        },
      },
    }),
  });
  const { publicUrl } = shop.program.purchasing;
  provider = await startIdentityProvider(`${publicUrl}/dashboard/sso/${company_id()}/callback`);
  const { browser } = await signedInMember(shop, 'owner');
  expect((await browser.call('PUT', ofCompany('/sso'), settings())).status).toBe(200);
  await provider.setUser('grace', { email: 'grace@studio.example', email_verified: true, groups: ['game-team'] });
});

beforeEach(async () => {
  member = newBrowser(shop.url);
  await member.open();
  await signIn();
});

afterAll(async () => {
  await provider?.stop();
  await shop?.close();
});

async function begin(): Promise<URL> {
  const { body } = await member.call<{ url: string }>('POST', '/sso/begin', { company_id: company_id() });
  return new URL(body.url);
}

async function signIn(): Promise<SessionState> {
  const back = await provider.signIn((await begin()).href, 'grace');
  const form = { company_id: company_id(), ...Object.fromEntries(back.searchParams) };
  const { status, body } = await member.call<SessionState>('POST', '/sso/finish', form);
  expect(status).toBe(200);
  await member.open();
  return body;
}

async function reveal(): Promise<{ status: number; body: { code?: string; s2s_key?: string } }> {
  const { body } = await member.call<{ data: { id: string }[] }>('GET', ofGame('live', '/keys'));
  return member.call('POST', ofGame('live', `/keys/${body.data[0]!.id}/reveal`), {});
}

test('one whose proof is old signs in again at the provider, which asks them and has to say when (row 272)', async () => {
  const text = `update sessions set confirmed_at = '-infinity' where sso_company_id = $1`;
  await shop.database.db.query({ name: '', text, values: [company_id()] });
  expect(await reveal()).toMatchObject({ status: 403, body: { code: 'confirmation_required' } });
  const asked = (await begin()).searchParams;
  expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '600']);
  const former = member.cookie;
  expect((await signIn()).user).toMatchObject({ email: 'grace@studio.example', by_sso: true });
  expect(await reveal()).toMatchObject({ status: 200, body: { s2s_key: expect.stringMatching(/^sk_live_/) } });
  expect((await member.call('GET', `/companies/${company_id()}`, undefined, { cookie: former })).status).toBe(401);
});

test('a first sign-in takes what the provider knows already', async () => {
  const visitor = newBrowser(shop.url);
  await visitor.open();
  const { body } = await visitor.call<{ url: string }>('POST', '/sso/begin', { company_id: company_id() });
  expect([...new URL(body.url).searchParams.keys()]).not.toContain('prompt');
});

test('a text in place of a password that they do not have gives their session no new token (row 273)', async () => {
  const order_ids = ['ord_00000000000000000000000000'];
  const form = { action: 'retry', order_ids, reason: 'none', password: 'any text' };
  const answer = await member.call('POST', ofGame('sandbox', '/bulk'), form);
  expect(answer).toMatchObject({ status: 403, body: { code: 'password_wrong' } });
  expect(answer.headers.get('set-cookie')).toBeNull();
});

describe('a late answer of an identity provider', () => {
  test('opens nothing, where an owner has left that provider meanwhile (row 280)', async () => {
    const owner = await signedInMember(shop, 'owner');
    const back = await provider.signIn((await begin()).href, 'grace');
    meanwhile = () => owner.browser.call('DELETE', ofCompany('/sso'));
    const visitor = newBrowser(shop.url, member.cookie);
    visitor.csrf = member.csrf;
    const form = { company_id: company_id(), ...Object.fromEntries(back.searchParams) };
    const answer = await visitor.call('POST', '/sso/finish', form);
    expect((await owner.browser.call('PUT', ofCompany('/sso'), settings())).status).toBe(200);
    expect([answer.status, answer.body.code]).toEqual([403, 'sso_failed']);
    const text = 'select count(*)::int as count from sessions where sso_company_id = $1';
    const [row] = await shop.database.db.query({ name: '', text, values: [company_id()] });
    expect(row).toEqual({ count: 0 });
  });

  test('sets none up for who was removed meanwhile (row 281)', async () => {
    const [owner, thief] = [await signedInMember(shop, 'owner'), await signedInMember(shop, 'owner')];
    meanwhile = () => owner.browser.call('DELETE', ofCompany(`/members/${thief.userId}`));
    const planted = await thief.browser.call('PUT', ofCompany('/sso'), { ...settings(), domains: ['evil.example'] });
    expect(planted.body.code).toBe('company_not_found');
    const { body } = await owner.browser.call('GET', ofCompany('/sso'));
    expect(body.settings).toMatchObject({ domains: ['studio.example'] });
  });
});
