import { newBrowser, PASSWORD, signedInMember, type TestBrowser, type TestMember } from '@coinslot/testing/dashboard';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeal } from '../../../kit/seal.ts';

let shop: TestProgram;
let owner: TestMember;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = await signedInMember(shop, 'owner');
});

afterAll(() => shop?.close());

const company = (path = ''): string => `/companies/${shop.account.companyId}${path}`;
const keys = (): string => `/games/${shop.account.gameId}/sandbox/keys`;
const ASKED = { status: 403, body: { code: 'confirmation_required' } };

const end = (userId: string, by = owner.browser) => by.call('DELETE', company(`/members/${userId}/sessions`));
const confirm = (browser: TestBrowser) => browser.call('POST', '/me/confirm', { password: PASSWORD });

describe('an owner ends the sessions of a member (row 235)', () => {
  test('so that a stolen one opens the company no more, and the member goes on after a proof', async () => {
    const member = await signedInMember(shop, 'developer');
    const thief = newBrowser(shop.url, member.browser.cookie);
    await thief.open();
    expect((await thief.call('GET', keys())).status).toBe(200);
    expect((await end(member.userId)).status).toBe(204);
    for (const browser of [thief, member.browser])
      for (const path of [keys(), company(), company('/members')])
        expect(await browser.call('GET', path)).toMatchObject(ASKED);
    expect((await confirm(member.browser)).status).toBe(204);
    expect((await member.browser.call('GET', keys())).status).toBe(200);
    expect((await thief.call('GET', keys())).status).toBe(401);
  });

  test('everywhere but in the member’s other companies', async () => {
    const member = await signedInMember(shop, 'developer');
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    await shop.database.db.query({
      name: '',
      text: `insert into members (company_id, user_id, role, created_at) values ($1, $2, 'viewer', app_now())`,
      values: [other.companyId, member.userId],
    });
    await end(member.userId);
    expect(await member.browser.call('GET', company())).toMatchObject(ASKED);
    expect((await member.browser.call('GET', `/companies/${other.companyId}`)).status).toBe(200);
    expect((await member.browser.call('GET', '/me')).status).toBe(200);
  });

  test('and what waits for changes ends at its next beat', async () => {
    const member = await signedInMember(shop, 'viewer');
    const stream = await member.browser.fetch('GET', `/games/${shop.account.gameId}/sandbox/changes`);
    expect(stream.status).toBe(200);
    await end(member.userId);
    expect(await stream.text()).toContain('event: end');
  });

  test('which takes an owner of the same company, a fresh proof, and is on record', async () => {
    const member = await signedInMember(shop, 'viewer');
    const developer = await signedInMember(shop, 'developer');
    expect((await end(member.userId, developer.browser)).body.code).toBe('role_too_low');
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const stranger = await signedInMember(shop, 'owner', other.companyId);
    expect((await end(member.userId, stranger.browser)).status).toBe(404);
    const own = `/companies/${other.companyId}/members/${member.userId}/sessions`;
    expect((await stranger.browser.call('DELETE', own)).body.code).toBe('member_not_found');
    expect((await member.browser.call('GET', company())).status).toBe(200);
    const late = await signedInMember(shop, 'owner');
    await shop.later(601);
    expect(await end(member.userId, late.browser)).toMatchObject(ASKED);
    await confirm(late.browser);
    expect((await end(member.userId, late.browser)).status).toBe(204);
    const { body } = await late.browser.call<{ data: object[] }>('GET', company('/audit?kind=member.sessions_ended'));
    expect(body.data[0]).toMatchObject({
      actor: late.email,
      object_id: member.userId,
      before: { email: member.email },
    });
  });
});

test('an installation may ask every member of every company for a second factor', async () => {
  const strict = await startProgram({ workers: false, env: { REQUIRE_SECOND_FACTOR: 'on' } });
  const { generateSync } = await import('otplib');
  const { browser } = await signedInMember(strict, 'owner');
  const paths = [`/companies/${strict.account.companyId}`, `/games/${strict.account.gameId}/live/keys`];
  for (const path of paths) expect((await browser.call('GET', path)).body.code).toBe('second_factor_required');
  expect((await browser.open()).companies).toMatchObject([{ second_factor_missing: true }]);
  const { body } = await browser.call<{ secret: string }>('POST', '/me/totp', {});
  const code = generateSync({ secret: body.secret, epoch: strict.program.parts.clock.nowSeconds() });
  expect((await browser.call('POST', '/me/totp/confirm', { code })).status).toBe(200);
  for (const path of paths) expect((await browser.call('GET', path)).status).toBe(200);
  expect((await browser.open()).companies).toMatchObject([{ second_factor_missing: false }]);
  await strict.close();
});
