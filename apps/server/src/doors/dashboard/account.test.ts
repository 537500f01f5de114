import {
  mailTo as keptMailTo,
  tokenTo as mailedTokenTo,
  newBrowser,
  PASSWORD,
  signedInMember,
  type TestBrowser,
  type TestMember,
} from '@coinslot/testing/dashboard';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeal } from '../../kit/seal.ts';

let shop: TestProgram;
let owner: TestMember;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = await signedInMember(shop, 'owner');
});

afterAll(() => shop?.close());

async function visitor(): Promise<TestBrowser> {
  const browser = newBrowser(shop.url);
  await browser.open();
  return browser;
}

const mailTo = (recipient: string) => keptMailTo(shop, recipient);
const tokenTo = (recipient: string) => mailedTokenTo(shop, recipient);

const company = (path = ''): string => `/companies/${shop.account.companyId}${path}`;

describe('a forgotten password', () => {
  test('is reset once by the link, which ends every session', async () => {
    const { email, browser } = await signedInMember(shop, 'viewer');
    const out = await visitor();
    expect((await out.call('POST', '/password_resets', { email })).status).toBe(202);
    await expect.poll(() => mailTo(email)).toMatchObject({ subject: 'Reset your Coinslot password' });
    const token = await tokenTo(email);
    const use = (password: string) => out.call('POST', '/password_resets/use', { token, password });
    expect(await use('password123')).toMatchObject({ status: 422, body: { errors: [{ code: 'password_common' }] } });
    const answers = await Promise.all([use('seven green kettles'), use('seven green kettles')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 410]);
    expect(await use('eight green kettles')).toMatchObject({ status: 410, body: { code: 'link_invalid' } });
    expect((await browser.call('GET', '/me')).status).toBe(401);
    expect((await out.call('POST', '/sign_in', { email, password: PASSWORD })).status).toBe(401);
    expect((await out.call('POST', '/sign_in', { email, password: 'seven green kettles' })).status).toBe(200);
  });

  test('does not go around the second factor', async () => {
    const { email, browser } = await signedInMember(shop, 'viewer');
    const { body } = await browser.call<{ secret: string }>('POST', '/me/totp', { password: PASSWORD });
    const code = generateSync({ secret: body.secret, epoch: shop.program.parts.clock.nowSeconds() });
    expect((await browser.call('POST', '/me/totp/confirm', { code })).status).toBe(200);
    const out = await visitor();
    await out.call('POST', '/password_resets', { email });
    await expect.poll(() => mailTo(email)).toMatchObject({ subject: 'Reset your Coinslot password' });
    const password = 'seven green kettles';
    await out.call('POST', '/password_resets/use', { token: await tokenTo(email), password });
    expect((await out.call('POST', '/sign_in', { email, password })).body).toMatchObject({ code: 'totp_required' });
  });

  test('of an unknown address is answered the same, and sends nothing', async () => {
    const out = await visitor();
    expect((await out.call('POST', '/password_resets', { email: 'stranger@example.com' })).status).toBe(202);
    await shop.program.parts.background.settle();
    expect(await mailTo('stranger@example.com')).toBeUndefined();
  });

  test('a link is too old after an hour, and a second one makes the first useless', async () => {
    const { email } = await signedInMember(shop, 'viewer');
    const out = await visitor();
    const ask = async () => {
      await out.call('POST', '/password_resets', { email });
      await shop.program.parts.background.settle();
      return tokenTo(email);
    };
    const first = await ask();
    const second = await ask();
    const use = (token: string) => out.call('POST', '/password_resets/use', { token, password: 'nine green kettles' });
    expect((await use(first)).status).toBe(410);
    await shop.later(3601);
    expect((await use(second)).status).toBe(410);
  });
});

describe('the profile', () => {
  test('name and language change, and are in the session', async () => {
    const { browser } = await signedInMember(shop, 'viewer');
    const changed = await browser.call('PATCH', '/me', { name: 'Ada', locale: 'de' });
    expect(changed.body).toMatchObject({ name: 'Ada', locale: 'de' });
    expect((await browser.open()).user).toMatchObject({ name: 'Ada', locale: 'de' });
  });

  test('a new e-mail address counts once its mail was answered', async () => {
    const { browser, email } = await signedInMember(shop, 'viewer');
    const next = `new-${email}`;
    expect(await browser.call('POST', '/me/email', { email: next, password: 'wrong' })).toMatchObject({
      body: { code: 'password_wrong' },
    });
    expect((await browser.call('POST', '/me/email', { email: next, password: PASSWORD })).status).toBe(202);
    expect((await browser.call('GET', '/me')).body).toMatchObject({ email, pending_email: next });
    const token = await tokenTo(next);
    const out = await visitor();
    expect((await out.call('POST', '/email_changes/use', { token })).status).toBe(401);
    expect((await browser.call('POST', '/email_changes/use', { token })).status).toBe(204);
    expect((await browser.call('POST', '/email_changes/use', { token })).status).toBe(410);
    expect((await browser.call('GET', '/me')).body).toMatchObject({ email: next, pending_email: null });
    expect((await mailTo(email))?.subject).toBe('Your Coinslot e-mail address was changed');
  });

  test('a changed password ends the other sessions and keeps this one', async () => {
    const { browser, email } = await signedInMember(shop, 'viewer');
    const other = await visitor();
    await other.call('POST', '/sign_in', { email, password: PASSWORD });
    const change = (current: string, password: string) =>
      browser.call('POST', '/me/password', { current_password: current, password });
    expect(await change('wrong', 'seven green kettles')).toMatchObject({ body: { code: 'password_wrong' } });
    expect((await change(PASSWORD, 'seven green kettles')).status).toBe(204);
    expect((await other.call('GET', '/me')).status).toBe(401);
    expect((await browser.call('GET', '/me')).status).toBe(200);
  });
});

describe('the team', () => {
  test('a new user joins by invitation, once', async () => {
    const email = 'new.hire@example.com';
    await owner.browser.call('POST', '/me/confirm', { password: PASSWORD });
    expect((await owner.browser.call('POST', company('/invitations'), { email, role: 'support' })).status).toBe(201);
    const token = await tokenTo(email);
    const out = await visitor();
    expect((await out.call('POST', '/invitations/read', { token })).body).toMatchObject({
      company: 'Northwind Games',
      role: 'support',
      email,
      invited_by: owner.email,
      has_account: false,
    });
    const form = { token, name: 'New Hire', password: PASSWORD };
    expect((await out.call('POST', '/invitations/accept', form)).body).toMatchObject({
      user: { email, name: 'New Hire' },
      companies: [{ role: 'support' }],
    });
    expect(await (await visitor()).call('POST', '/invitations/accept', form)).toMatchObject({
      status: 410,
      body: { code: 'invitation_invalid' },
    });
  });

  test('an existing user joins when signed in, and no other user with the same link', async () => {
    const { account } = shop;
    const outsider = await signedInMember(shop, 'owner', (await anotherCompany()).companyId);
    const someoneElse = await signedInMember(shop, 'viewer', account.companyId);
    await owner.browser.call('POST', company('/invitations'), { email: outsider.email, role: 'viewer' });
    const token = await tokenTo(outsider.email);
    expect((await (await visitor()).call('POST', '/invitations/accept', { token, password: PASSWORD })).body.code).toBe(
      'sign_in_required',
    );
    expect((await someoneElse.browser.call('POST', '/invitations/accept', { token })).body.code).toBe(
      'invitation_not_yours',
    );
    const joined = await outsider.browser.call<{ companies: { id: string }[] }>('POST', '/invitations/accept', {
      token,
    });
    expect(joined.body.companies.map(({ id }) => id)).toContain(account.companyId);
  });

  test('an invitation lapses after seven days, comes back when sent again, and can be taken back', async () => {
    const email = 'slow@example.com';
    const offer = { email, role: 'viewer' };
    const { body } = await owner.browser.call<{ id: string }>('POST', company('/invitations'), offer);
    const old = await tokenTo(email);
    await shop.later(7 * 24 * 3600 + 1);
    const { browser } = await signedInMember(shop, 'owner');
    const read = async (token: string) => (await visitor()).call('POST', '/invitations/read', { token });
    expect((await read(old)).status).toBe(410);
    expect((await browser.call('GET', company('/invitations'))).body).toMatchObject({ data: [{ is_expired: true }] });
    const again = await browser.call('POST', company(`/invitations/${body.id}/resend`));
    expect(again.body).toMatchObject({ id: body.id, is_expired: false });
    const fresh = await tokenTo(email);
    expect((await read(fresh)).status).toBe(200);
    expect((await read(old)).status).toBe(410);
    expect((await browser.call('DELETE', company(`/invitations/${body.id}`))).status).toBe(204);
    expect((await read(fresh)).status).toBe(410);
    owner = await signedInMember(shop, 'owner');
  });

  test('a member is not invited again', async () => {
    const member = await signedInMember(shop, 'viewer');
    const answer = await owner.browser.call('POST', company('/invitations'), { email: member.email, role: 'owner' });
    expect(answer.body.code).toBe('already_member');
  });

  test('a role changes at once, and a removed member is outside at once', async () => {
    const member = await signedInMember(shop, 'viewer');
    const audit = () => member.browser.call('GET', company('/audit'));
    expect((await audit()).status).toBe(403);
    await owner.browser.call('PATCH', company(`/members/${member.userId}`), { role: 'developer' });
    expect((await audit()).status).toBe(200);
    expect((await owner.browser.call('DELETE', company(`/members/${member.userId}`))).status).toBe(204);
    expect((await audit()).status).toBe(404);
  });

  test('the last owner stays, also when two owners remove each other', async () => {
    const { companyId } = await anotherCompany();
    const [row] = await shop.database.db.query<{ id: string }>({
      name: '',
      text: 'select user_id as id from members where company_id = $1',
      values: [companyId],
    });
    await shop.database.db.query({ name: '', text: 'delete from members where user_id = $1', values: [row!.id] });
    const a = await signedInMember(shop, 'owner', companyId);
    const b = await signedInMember(shop, 'owner', companyId);
    const path = (userId: string) => `/companies/${companyId}/members/${userId}`;
    const answers = await Promise.all([
      a.browser.call('DELETE', path(b.userId)),
      b.browser.call('PATCH', path(a.userId), { role: 'viewer' }),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const left = await shop.database.db.query<{ role: string }>({
      name: '',
      text: `select role from members where company_id = $1 and role = 'owner'`,
      values: [companyId],
    });
    expect(left).toHaveLength(1);
  });
});

async function anotherCompany(): Promise<{ companyId: string; gameId: string }> {
  const browser = await visitor();
  const form = {
    email: `someone-${browser.csrf
      .slice(0, 8)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, 'x')}@example.com`,
    password: PASSWORD,
    company: 'Southwind',
    game_url: 'https://play.google.com/store/apps/details?id=com.southwind.farm',
  };
  const { body } = await browser.call<{ companies: { id: string; games: { id: string }[] }[] }>(
    'POST',
    '/register',
    form,
  );
  return { companyId: body.companies[0]!.id, gameId: body.companies[0]!.games[0]!.id };
}

describe('games', () => {
  test('a second game comes with keys of its own, and the same one is not added twice', async () => {
    const link = 'https://play.google.com/store/apps/details?id=com.northwind.second';
    const form = { game_url: link, game_name: 'Second' };
    const added = await owner.browser.call<{ id: string }>('POST', company('/games'), form);
    expect(added).toMatchObject({ status: 201, body: { name: 'Second', store: 'google_play' } });
    for (const mode of ['live', 'sandbox']) {
      const keys = await owner.browser.call<{ data: unknown[] }>('GET', `/games/${added.body.id}/${mode}/keys`);
      expect(keys.body.data).toHaveLength(1);
    }
    expect((await owner.browser.call('POST', company('/games'), form)).body.code).toBe('game_exists');
    // Players would read the app id in place of a name.
    expect((await owner.browser.call('POST', company('/games'), { game_url: link })).body).toMatchObject({
      errors: [{ pointer: '/game_name', code: 'required' }],
    });
    expect((await owner.browser.call('GET', company())).body).toMatchObject({ games: [{}, { name: 'Second' }] });
  });

  test('a game gets another link: read as at registration, audited, never one that another game has', async () => {
    interface Games {
      games: { id: string; store: string; store_url: string }[];
    }
    const { games } = (await owner.browser.call<Games>('GET', company())).body;
    const change = (id: string, game_url: string, who = owner) =>
      who.browser.call('PATCH', company(`/games/${id}`), { game_url });
    const link = 'https://play.google.com/store/apps/details?id=com.northwind.moved';
    expect(await change(games[0]!.id, link)).toMatchObject({
      status: 200,
      body: { store: 'google_play', store_label: 'Google Play', store_url: link },
    });
    expect((await owner.browser.call<Games>('GET', company())).body.games[0]).toMatchObject({ store_url: link });
    const audit = await owner.browser.call<{ data: object[] }>('GET', company('/audit?kind=game.link_changed'));
    expect(audit.body.data).toMatchObject([
      { object_id: games[0]!.id, before: { store_url: games[0]!.store_url }, after: { store_url: link } },
    ]);
    expect((await change(games[1]!.id, link)).body.code).toBe('game_exists');
    expect((await change(games[0]!.id, 'https://example.com')).body.code).toBe('validation_failed');
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    expect((await change(other.gameId, link)).body.code).toBe('game_not_found');
  });

  test('a link is read before it is sent', async () => {
    const out = await visitor();
    const read = (game_url: string) => out.call('POST', '/store_link', { game_url });
    expect((await read('https://apps.apple.com/us/app/castle-quest/id1234567890')).body).toMatchObject({
      name: 'Castle Quest',
      app_id: '1234567890',
    });
    expect((await read('https://example.com')).status).toBe(422);
  });
});

describe('mails about an account', () => {
  const speaking = (language: string) => ({ headers: { 'accept-language': language } });

  test('speak as the dashboard spoke when they were asked for', async () => {
    const { email } = await signedInMember(shop, 'viewer');
    const out = await visitor();
    await out.call('POST', '/password_resets', { email }, speaking('fr;q=0.9, de-AT;q=0.8, en;q=0.1'));
    await expect.poll(() => mailTo(email)).toMatchObject({ subject: 'Coinslot-Passwort zurücksetzen' });
    const use = { token: await tokenTo(email), password: 'seven green kettles' };
    await out.call('POST', '/password_resets/use', use, speaking('de'));
    expect(await mailTo(email)).toMatchObject({ subject: 'Dein Coinslot-Passwort wurde geändert' });
  });

  test('are in the language that the reader chose, whatever browser asked for them', async () => {
    const { email, browser } = await signedInMember(shop, 'viewer');
    await browser.call('PATCH', '/me', { locale: 'de' });
    const change = { current_password: PASSWORD, password: 'eight green kettles' };
    await browser.call('POST', '/me/password', change, speaking('en'));
    expect(await mailTo(email)).toMatchObject({ subject: 'Dein Coinslot-Passwort wurde geändert' });
    const owning = await ownerElsewhere();
    await owning.invite(email, 'en');
    expect(await mailTo(email)).toMatchObject({
      subject: 'Einladung zu einem Coinslot-Dashboard',
      text: expect.stringContaining(
        'hat dich mit der Rolle Betrachter in das Coinslot-Dashboard von Elsewhere eingeladen',
      ),
    });
  });

  test('to a new user are in the language of the member who invited', async () => {
    const owning = await ownerElsewhere();
    await owning.invite('neu@example.com', 'de');
    expect(await mailTo('neu@example.com')).toMatchObject({ subject: 'Einladung zu einem Coinslot-Dashboard' });
    await owning.invite('new@example.com', 'en');
    expect(await mailTo('new@example.com')).toMatchObject({ subject: 'Invitation to a Coinslot dashboard' });
  });

  /** An owner of a second company, for people who are in the first. */
  async function ownerElsewhere() {
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const { browser } = await signedInMember(shop, 'owner', other.companyId);
    const path = `/companies/${other.companyId}`;
    await browser.call('PATCH', path, { name: 'Elsewhere' });
    const invite = (email: string, language: string) =>
      browser.call('POST', `${path}/invitations`, { email, role: 'viewer' }, speaking(language));
    return { invite };
  }
});

describe('the audit log', () => {
  test('tells who did what, by page and by filter, and cannot be changed', async () => {
    interface Page {
      data: { id: string; kind: string; actor: string; user_id: string }[];
      next_cursor: string | null;
    }
    await owner.browser.call('PATCH', company(), { name: 'Northwind Games Ltd' });
    await owner.browser.call('PATCH', company('/receipts'), { sender_name: 'Northwind' });
    const list = async (query: string) => (await owner.browser.call<Page>('GET', company(`/audit${query}`))).body;
    const first = await list('?limit=1');
    const second = await list(`?limit=1&cursor=${first.next_cursor}`);
    expect([first.data[0]!.kind, second.data[0]!.kind]).toEqual(['receipts.changed', 'company.renamed']);
    expect((await list('?kind=receipts')).data.map(({ kind }) => kind)).toEqual(['receipts.changed']);
    expect((await list(`?user_id=${owner.userId}`)).data.every(({ actor }) => actor === owner.email)).toBe(true);
    expect((await list('?created_to=1')).data).toEqual([]);
    for (const text of [
      'delete from audit_entries',
      `update audit_entries set actor = 'x'`,
      'truncate audit_entries',
    ]) {
      await expect(shop.database.db.query({ name: '', text, values: [] })).rejects.toThrow('append only');
    }
  });
});

describe('receipt settings', () => {
  test('null takes away, what is left out stays', async () => {
    const patch = (body: object) => owner.browser.call('PATCH', company('/receipts'), body);
    expect((await patch({ sender_name: 'Us', reply_to: 'help@example.com' })).body).toEqual({
      sender_name: 'Us',
      reply_to: 'help@example.com',
    });
    expect((await patch({ sender_name: null })).body).toEqual({ sender_name: null, reply_to: 'help@example.com' });
    expect((await patch({ sender_name: 'two\nlines' })).status).toBe(422);
  });
});
