import {
  mailTo,
  newBrowser,
  PASSWORD,
  signedInMember,
  type TestBrowser,
  type TestMember,
  tokenTo,
} from '@coinslot/testing/dashboard';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeal } from '../../../kit/seal.ts';

let shop: TestProgram;
const NEXT = 'seven green kettles';

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});

afterAll(() => shop?.close());

async function visitor(): Promise<TestBrowser> {
  const browser = newBrowser(shop.url);
  await browser.open();
  return browser;
}

const company = (path = ''): string => `/companies/${shop.account.companyId}${path}`;

async function resetTokenFor(email: string): Promise<string> {
  await (await visitor()).call('POST', '/password_resets', { email });
  await shop.program.parts.background.settle();
  return tokenTo(shop, email);
}

async function changeTokenFor({ browser, email }: TestMember): Promise<string> {
  const next = `next-${email}`;
  expect((await browser.call('POST', '/me/email', { email: next, password: PASSWORD })).status).toBe(202);
  return tokenTo(shop, next);
}

const useReset = async (token: string, password = NEXT) =>
  (await visitor()).call('POST', '/password_resets/use', { token, password });
const useChange = async (token: string, browser?: TestBrowser) =>
  (browser ?? (await visitor())).call('POST', '/email_changes/use', { token });

describe('a mail link is dead after (row 105)', () => {
  test('a password reset: a link to another address does not take the account away', async () => {
    const email = 'victim@example.com';
    const stranger = await visitor();
    const game_url = 'https://play.google.com/store/apps/details?id=com.stranger.game';
    await stranger.call('POST', '/register', { email, password: PASSWORD, company: 'Not theirs', game_url });
    await stranger.call('POST', '/me/email', { email: 'stranger@example.com', password: PASSWORD });
    const planted = await tokenTo(shop, 'stranger@example.com');
    expect((await useReset(await resetTokenFor(email))).status).toBe(204);
    expect(await useChange(planted)).toMatchObject({ status: 410, body: { code: 'link_invalid' } });
    const back = await visitor();
    expect((await back.call('POST', '/sign_in', { email, password: NEXT })).status).toBe(200);
  });

  test('a password change', async () => {
    const member = await signedInMember(shop, 'viewer');
    const reset = await resetTokenFor(member.email);
    const change = await changeTokenFor(member);
    await member.browser.call('POST', '/me/password', { current_password: PASSWORD, password: NEXT });
    expect((await useChange(change)).status).toBe(410);
    expect((await useReset(reset)).status).toBe(410);
  });

  test('a change of the address: the old mailbox is no way back in', async () => {
    const member = await signedInMember(shop, 'viewer');
    const change = await changeTokenFor(member);
    const reset = await resetTokenFor(member.email);
    const other = await visitor();
    await other.call('POST', '/sign_in', { email: member.email, password: PASSWORD });
    expect((await useChange(change, member.browser)).status).toBe(204);
    expect((await useReset(reset)).status).toBe(410);
    expect((await other.call('GET', '/me')).status).toBe(401);
    expect((await member.browser.call('GET', '/me')).status).toBe(200);
  });

  test('the inviter was removed, or is no owner any more', async () => {
    const owner = await signedInMember(shop, 'owner');
    for (const end of [
      (id: string) => owner.browser.call('DELETE', company(`/members/${id}`)),
      (id: string) => owner.browser.call('PATCH', company(`/members/${id}`), { role: 'viewer' }),
    ]) {
      const leaving = await signedInMember(shop, 'owner');
      const email = `friend-of-${leaving.email}`;
      await leaving.browser.call('POST', company('/invitations'), { email, role: 'owner' });
      const token = await tokenTo(shop, email);
      expect((await end(leaving.userId)).status).toBeLessThan(300);
      const answer = await (await visitor()).call('POST', '/invitations/accept', { token, name: 'F', password: NEXT });
      expect(answer).toMatchObject({ status: 410, body: { code: 'invitation_invalid' } });
    }
  });
});

test('a link to confirm a new address proves no account of a stranger’s to the mailbox it came to (row 230)', async () => {
  const stranger = await signedInMember(shop, 'viewer');
  const email = 'mailbox@example.com';
  await stranger.browser.call('POST', '/me/email', { email, password: PASSWORD });
  const token = await tokenTo(shop, email);
  expect(await useChange(token)).toMatchObject({ status: 401, body: { code: 'sign_in_required' } });
  const theirs = await signedInMember(shop, 'viewer');
  expect((await useChange(token, theirs.browser)).status).toBe(401);
  expect((await stranger.browser.call('GET', '/me')).body).toMatchObject({ email: stranger.email });
});

test('resetting an address that a stranger registered leaves nothing of theirs', async () => {
  const email = 'later-owner@example.com';
  const stranger = await visitor();
  const game_url = 'https://play.google.com/store/apps/details?id=com.stranger.second';
  await stranger.call('POST', '/register', { email, password: PASSWORD, company: 'Not theirs', game_url });
  expect((await stranger.call('GET', '/me')).body).toMatchObject({ email_verified: false });
  await useReset(await resetTokenFor(email));
  expect((await stranger.call('GET', '/me')).status).toBe(401);
  const owner = await visitor();
  await owner.call('POST', '/sign_in', { email, password: NEXT });
  expect((await owner.call('GET', '/me')).body).toMatchObject({ email_verified: true, totp_enabled: false });
});

test('who is sent the link to confirm proves nothing for a stranger who made the account (row 202)', async () => {
  const email = 'curious-owner@example.com';
  const stranger = await visitor();
  const game_url = 'https://play.google.com/store/apps/details?id=com.stranger.third';
  await stranger.call('POST', '/register', { email, password: PASSWORD, company: 'Not theirs', game_url });
  const link = await tokenTo(shop, email);
  const other = await signedInMember(shop, 'viewer');
  for (const browser of [await visitor(), other.browser])
    expect(await browser.call('POST', '/email_changes/use', { token: link })).toMatchObject({
      status: 401,
      body: { code: 'sign_in_required' },
    });
  expect((await stranger.call('GET', '/me')).body).toMatchObject({ email_verified: false });
  expect((await stranger.call('POST', '/me/passkeys/begin')).body).toMatchObject({ code: 'email_unverified' });
  expect((await useReset(await resetTokenFor(email))).status).toBe(204);
  expect((await stranger.call('GET', '/me')).status).toBe(401);
});

describe('an address that was not confirmed (row 107)', () => {
  async function unverified(email: string) {
    const browser = await visitor();
    const game_url = 'https://play.google.com/store/apps/details?id=com.unverified.game';
    const { body } = await browser.call<{ companies: { id: string }[] }>('POST', '/register', {
      email,
      password: PASSWORD,
      company: 'Unverified',
      game_url,
    });
    return { browser, companyId: body.companies[0]!.id };
  }

  test('invites no one until its link is opened', async () => {
    const { browser, companyId } = await unverified('inviter@example.com');
    const link = await tokenTo(shop, 'inviter@example.com');
    const offer = { email: 'stranger-to-all@example.com', role: 'viewer' };
    const ask = () => browser.call('POST', `/companies/${companyId}/invitations`, offer);
    expect(await ask()).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
    expect(await mailTo(shop, offer.email)).toBeUndefined();
    expect((await browser.call('POST', '/email_changes/use', { token: link })).status).toBe(204);
    expect((await ask()).status).toBe(201);
    expect(await browser.call('POST', '/me/email/verification')).toMatchObject({ body: { code: 'already_verified' } });
  });

  test('becomes no owner by invitation or by role', async () => {
    const { browser } = await unverified('invited@example.com');
    const owner = await signedInMember(shop, 'owner');
    await owner.browser.call('POST', company('/invitations'), { email: 'invited@example.com', role: 'owner' });
    const token = await tokenTo(shop, 'invited@example.com');
    expect((await browser.call('POST', '/invitations/accept', { token })).body.code).toBe('email_unverified');
    await owner.browser.call('POST', company('/invitations'), { email: 'invited@example.com', role: 'viewer' });
    const asViewer = await tokenTo(shop, 'invited@example.com');
    expect((await browser.call('POST', '/invitations/accept', { token: asViewer })).status).toBe(200);
    const { id } = (await browser.open()).user!;
    const promoted = await owner.browser.call('PATCH', company(`/members/${id}`), { role: 'owner' });
    expect(promoted).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  });

  test('is shown its link on the screen in the first company only, and only where no mail is sent', async () => {
    const other = await unverified('elsewhere@example.com');
    expect((await other.browser.call('POST', '/me/email/verification')).body).toEqual({ url: null });
    const owner = await signedInMember(shop, 'owner');
    await shop.database.db.query({
      name: '',
      text: 'update users set email_verified_at = null where id = $1',
      values: [owner.userId],
    });
    const { body } = await owner.browser.call<{ url: string }>('POST', '/me/email/verification');
    const [, token] = /#token=(.+)$/.exec(body.url)!;
    expect((await owner.browser.call('POST', '/email_changes/use', { token })).status).toBe(204);
    const sent = await owner.browser.call('POST', company('/invitations'), { email: 'a@example.com', role: 'viewer' });
    expect(sent.body.url).toContain('/dashboard/invitation#token=');
    const second = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const there = await signedInMember(shop, 'owner', second.companyId);
    const unseen = await there.browser.call('POST', `/companies/${second.companyId}/invitations`, {
      email: 'b@example.com',
      role: 'viewer',
    });
    expect(unseen).toMatchObject({ status: 201, body: { url: null } });
  });
});

test('an account is no mail relay: few invitations a day, and none of its words in the subject (row 107)', async () => {
  const owner = await signedInMember(shop, 'owner');
  await owner.browser.call('PATCH', company(), { name: 'You won 1,000,000 dollars' });
  const sent = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      owner.browser.call('POST', company('/invitations'), { email: `target-${i}@example.com`, role: 'viewer' }),
    ),
  );
  expect(sent.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(30);
  expect(sent.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
  const mails = await shop.database.db.query<{ subject: string }>({
    name: '',
    text: `select distinct subject from mails where recipient like 'target-%'`,
    values: [],
  });
  expect(mails).toEqual([{ subject: 'Invitation to a Coinslot dashboard' }]);
  await shop.later(24 * 3600);
  const next = await signedInMember(shop, 'owner');
  const again = await next.browser.call('POST', company('/invitations'), { email: 'x@example.com', role: 'viewer' });
  expect(again.status).toBe(201);
});

test('one account has one address, however its letters are written (row 110)', async () => {
  const { email } = await signedInMember(shop, 'viewer');
  const forms = [email.toUpperCase(), email.replace('viewer', 'ｖｉｅｗｅｒ'), email.replace('viewer', 'vıewer')];
  for (const [at, form] of [...forms, ...forms].entries()) {
    const answer = await (await visitor()).call('POST', '/sign_in', { email: form, password: 'wrong' });
    expect(answer.status).toBe(at < 5 ? 401 : 429);
  }
});
