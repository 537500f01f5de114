import { newBrowser, PASSWORD, signedInMember, type TestBrowser, type TestMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let shop: TestProgram;
let owner: TestMember;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = await signedInMember(shop, 'owner');
});

afterAll(() => shop?.close());

const company = (path = ''): string => `/companies/${shop.account.companyId}${path}`;
const game = (path: string): string => `/games/${shop.account.gameId}/sandbox${path}`;

async function visitor(): Promise<TestBrowser> {
  const browser = newBrowser(shop.url);
  await browser.open();
  return browser;
}

const mailsTo = (recipient: string) =>
  shop.database.db.query<{ subject: string; text: string }>({
    name: '',
    text: 'select subject, content::text as text from mails where recipient = $1 order by id',
    values: [recipient],
  });

const url = 'https://hooks.example.com/game';

describe('a session that was stolen (row 111)', () => {
  test('is not enough for what would be worth stealing it: ten minutes later each of these asks again', async () => {
    const { browser } = owner;
    const webhook = await browser.call<{ id: string }>('POST', game('/webhooks'), { url, events: ['order.*'] });
    expect(webhook.status).toBe(201);
    const { body: keys } = await browser.call<{ data: { id: string }[] }>('GET', game('/keys'));
    const member = await signedInMember(shop, 'viewer');
    await shop.later(601);
    const asks: [string, string, object?][] = [
      ['POST', game('/keys'), {}],
      ['POST', game(`/keys/${keys.data[0]!.id}/reveal`), {}],
      ['POST', game('/webhooks'), { url, events: ['order.*'] }],
      ['PATCH', game(`/webhooks/${webhook.body.id}`), { url: 'https://evil.example.com/' }],
      ['POST', game(`/webhooks/${webhook.body.id}/rotate_secret`)],
      ['POST', game(`/webhooks/${webhook.body.id}/reveal_secret`), {}],
      ['POST', company('/invitations'), { email: 'thief@example.com', role: 'owner' }],
      ...(['support', 'developer', 'owner'] as const).map((role): [string, string, object] => [
        'PATCH',
        company(`/members/${member.userId}`),
        { role },
      ]),
      ...(['support', 'developer'] as const).map((role): [string, string, object] => [
        'POST',
        company('/invitations'),
        { email: 'thief@example.com', role },
      ]),
      [
        'PUT',
        company('/providers/stripe'),
        { secret_key: 'sk_test_1234567890', publishable_key: 'pk_test_1234567890' },
      ],
      ['DELETE', company('/providers/stripe')],
      ['PATCH', company(), { requires_second_factor: true }],
      ['DELETE', game('/players/ada')],
      ['POST', '/me/totp', {}],
      ['POST', '/me/totp/disable', { code: '123456' }],
      ['POST', '/me/recovery_codes', {}],
      ['POST', '/me/passkeys/begin'],
      ['DELETE', '/me/passkeys/psk_x'],
      ['DELETE', '/me/sessions/ses_x'],
      ['POST', '/me/sessions/end_others'],
      ['PUT', company('/sso'), {}],
      ['DELETE', company('/sso')],
      ['POST', '/me/email', { email: 'thief@example.com' }],
    ];
    for (const [method, path, body] of asks) {
      const answer = await browser.call(method, path, body);
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 403,
        code: 'confirmation_required',
      });
    }
    // What every day brings does not ask.
    expect((await browser.call('PATCH', game(`/webhooks/${webhook.body.id}`), { description: 'ours' })).status).toBe(
      200,
    );
    expect(
      (await browser.call('POST', company('/invitations'), { email: 'hire@example.com', role: 'viewer' })).status,
    ).toBe(201);
  });

  test('does not remove or lower the owners who could end it (row 260)', async () => {
    const [thief, boss] = [await signedInMember(shop, 'owner'), await signedInMember(shop, 'owner')];
    await shop.later(601);
    const path = company(`/members/${boss.userId}`);
    for (const asked of [
      await thief.browser.call('PATCH', path, { role: 'viewer' }),
      await thief.browser.call('DELETE', path),
    ])
      expect(asked).toMatchObject({ status: 403, body: { code: 'confirmation_required' } });
    expect((await thief.browser.call('POST', '/me/confirm', { password: PASSWORD })).status).toBe(204);
    expect((await thief.browser.call('PATCH', path, { role: 'viewer' })).status).toBe(200);
    expect((await thief.browser.call('DELETE', path)).status).toBe(204);
  });

  test('does not change where money goes, when it goes back, or whom players write to (row 261)', async () => {
    const { browser } = await signedInMember(shop, 'owner');
    const changes: [string, string, object?][] = [
      ['PUT', company('/routing'), { rules: [] }],
      ['PATCH', company('/providers'), { fails_over: true }],
      ['PATCH', company('/providers/stripe'), { currencies: ['EUR'] }],
      ['POST', company('/providers/stripe/callback')],
      ['PATCH', company('/methods/klarna'), { enabled: true }],
      ['PATCH', company('/seller'), { support: 'https://refunds.thief.example/' }],
      ['PATCH', company('/receipts'), { reply_to: 'thief@example.com' }],
      ['PATCH', `/games/${shop.account.gameId}/live/grant-rules`, { release_grant_after_seconds: 60 }],
    ];
    const codes = async () => {
      const answers: unknown[] = [];
      for (const [method, path, body] of changes) answers.push((await browser.call(method, path, body)).body.code);
      return answers;
    };
    await shop.later(601);
    expect(await codes()).toEqual(changes.map(() => 'confirmation_required'));
    expect((await browser.call('POST', '/me/confirm', { password: PASSWORD })).status).toBe(204);
    expect(await codes()).not.toContain('confirmation_required');
  });

  test('the password opens them for ten minutes, a wrong one does not', async () => {
    const { browser } = owner;
    const wrong = await browser.call('POST', '/me/confirm', { password: 'wrong' });
    expect(wrong).toMatchObject({ status: 403, body: { code: 'password_wrong' } });
    expect((await browser.call('POST', game('/keys'), {})).body.code).toBe('confirmation_required');
    expect((await browser.call('POST', '/me/confirm', { password: PASSWORD })).status).toBe(204);
    expect((await browser.call('POST', game('/keys'), { label: 'nightly' })).status).toBe(201);
    await shop.later(601);
    expect((await browser.call('POST', game('/keys'), {})).body.code).toBe('confirmation_required');
  });

  test('each proof gives the session a new token (row 231): the one before opens nothing, and takes nothing from the browser', async () => {
    const { browser, userId } = await signedInMember(shop, 'viewer');
    const csrf = browser.csrf;
    const proofs: [string, string, object][] = [
      ['POST', '/me/confirm', { password: PASSWORD }],
      ['POST', '/me/password', { current_password: PASSWORD, password: 'seven green kettles' }],
      ['POST', '/me/email', { email: `next-${userId}@example.com`, password: 'seven green kettles' }],
    ];
    for (const [method, path, body] of proofs) {
      const before = browser.cookie!;
      expect((await browser.call(method, path, body)).status).toBeLessThan(300);
      expect(browser.cookie).not.toBe(before);
      const thief = newBrowser(shop.url, before);
      expect((await thief.call('GET', '/me')).status).toBe(401);
      expect((await thief.call('POST', '/me/sessions/end_others', {}, { csrf })).status).toBe(401);
      // A request that was on its way at that moment must not be given the cookie of a visitor.
      const late = await thief.fetch('GET', '/session');
      expect([late.status, late.headers.getSetCookie()]).toEqual([401, []]);
      expect((await browser.open()).user).toMatchObject({ id: userId });
    }
    // Other tabs of the browser go on with the token that they have.
    expect((await browser.call('PATCH', '/me', { name: 'Ada' }, { csrf })).status).toBe(200);
    const wrong = browser.cookie;
    await browser.call('POST', '/me/confirm', { password: 'wrong' });
    expect(browser.cookie).toBe(wrong);
  });

  test('what is no proof gives no new token, also where none is asked for (row 263)', async () => {
    const { browser } = await signedInMember(shop, 'owner');
    const { body: keys } = await browser.call<{ data: { id: string }[] }>('GET', game('/keys'));
    const order_ids = ['ord_00000000000000000000000000'];
    await shop.database.db.query({
      name: '',
      text: `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, created_at)
             select 'psk_' || u.id, u.id, 'key', u.id, '', 0, '{}', app_now() from users u where u.id = $1`,
      values: [(await browser.open()).user!.id],
    });
    const calls: [string, object][] = [
      [game('/bulk'), { action: 'refund', order_ids, reason: 'x' }],
      [game('/bulk'), { action: 'retry', order_ids, reason: 'x' }],
      [game('/attention/pay_00000000000000000000000000'), { action: 'ask_again' }],
      [game(`/keys/${keys.data[0]!.id}/reveal`), {}],
    ];
    for (const [path, body] of calls) {
      const before = browser.cookie;
      expect((await browser.call('POST', path, { ...body, password: 'wrong' })).body.code).toBe('password_wrong');
      expect(browser.cookie).toBe(before);
    }
  });

  test('a browser that lost its token gets to the form to sign in a minute later (row 264)', async () => {
    const owned = await signedInMember(shop, 'viewer');
    const left = newBrowser(shop.url, owned.browser.cookie);
    await owned.browser.call('POST', '/me/confirm', { password: PASSWORD });
    expect((await left.call('GET', '/session')).status).toBe(401);
    // Whether or not the session is in use elsewhere.
    for (const isUsed of [true, false]) {
      if (isUsed) {
        await shop.later(61);
        await owned.browser.call('GET', '/me');
      } else {
        left.cookie = owned.browser.cookie;
        await owned.browser.call('POST', '/me/confirm', { password: PASSWORD });
        await shop.later(61);
      }
      await expect.poll(async () => (await left.call('GET', '/session')).status).toBe(200);
      expect((await left.open()).user).toBeNull();
      expect((await left.call('POST', '/sign_in', { email: owned.email, password: PASSWORD })).status).toBe(200);
      await left.call('POST', '/sign_out');
    }
    expect((await owned.browser.call('GET', '/me')).status).toBe(200);
  });

  test('two proofs at once leave the browser with a token that works', async () => {
    const { browser } = await signedInMember(shop, 'viewer');
    await Promise.all([1, 2, 3].map(() => browser.call('POST', '/me/confirm', { password: PASSWORD })));
    expect((await browser.call('GET', '/me')).status).toBe(200);
  });

  test('every owner gets a mail that names what, who, when and from where', async () => {
    const other = await signedInMember(shop, 'owner');
    const { browser } = await signedInMember(shop, 'developer');
    await browser.call('POST', game('/keys'), { label: 'exfiltration' });
    await shop.program.workers.drain();
    const [mail] = await mailsTo(other.email);
    expect(mail?.subject).toBe('A security setting was changed at Coinslot');
    for (const fact of ['An S2S key was created', 'exfiltration', '127.0.0.1', 'developer-', 'UTC'])
      expect(mail?.text).toContain(fact);
  });
});

describe('sign-in', () => {
  const signIn = (browser: TestBrowser, email: string, password = PASSWORD, ip = '') =>
    browser.call('POST', '/sign_in', { email, password }, ip === '' ? {} : { headers: { 'x-forwarded-for': ip } });

  test('from a new browser is told by mail, once for each browser', async () => {
    const { email } = await signedInMember(shop, 'viewer');
    const browser = await visitor();
    await signIn(browser, email);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(['New sign-in to your Coinslot account']);
    await browser.call('POST', '/sign_out');
    await browser.open();
    expect((await signIn(browser, email)).status).toBe(200);
    expect(await mailsTo(email)).toHaveLength(1);
    await signIn(await visitor(), email);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test('a stranger who guesses cannot shut the owner out of a browser that is known', async () => {
    const { email } = await signedInMember(shop, 'viewer');
    const known = await visitor();
    await signIn(known, email);
    await known.call('POST', '/sign_out');
    await known.open();
    const stranger = await visitor();
    for (let i = 0; i < 6; i++) await signIn(stranger, email, 'wrong');
    expect((await signIn(stranger, email)).status).toBe(429);
    expect((await signIn(known, email)).status).toBe(200);
    const forged = newBrowser(shop.url);
    await forged.open();
    forged.known = `${'A'.repeat(22)}.${'A'.repeat(22)}`;
    expect((await signIn(forged, email)).status).toBe(429);
  });

  test('guesses from many addresses slow every unknown browser down, for half a minute at most', async () => {
    const proxied = await startProgram({ workers: false, env: { TRUST_PROXY: '127.0.0.1' } });
    const { email } = await signedInMember(proxied, 'viewer');
    const browser = newBrowser(proxied.url);
    await browser.open();
    let slowed = 0;
    for (let i = 0; i < 60; i++) {
      const answer = await signIn(browser, email, 'wrong', `198.51.${i}.7`);
      if (answer.status === 429) slowed = Math.max(slowed, Number(answer.headers.get('retry-after')));
    }
    expect(slowed).toBeGreaterThan(0);
    expect(slowed).toBeLessThanOrEqual(30);
    await proxied.later(31);
    expect((await signIn(browser, email, PASSWORD, '203.0.113.9')).status).toBe(200);
    await proxied.close();
  });

  test('right or wrong leaves a trace on the profile and in the company’s log, from where', async () => {
    interface Events {
      data: { kind: string; ip: string; after: object | null }[];
    }
    const { email, browser, userId } = await signedInMember(shop, 'viewer');
    await signIn(await visitor(), email, 'wrong');
    await signIn(await visitor(), email);
    const { body } = await browser.call<Events>('GET', '/me/security_events');
    expect(body.data).toMatchObject([
      { kind: 'user.signed_in', ip: '127.0.0.1', after: { by: 'password', is_new: true } },
      { kind: 'user.sign_in_failed', ip: '127.0.0.1', after: { wrong: 'password' } },
    ]);
    const log = await owner.browser.call<Events>('GET', company(`/audit?user_id=${userId}`));
    expect(log.body.data.map(({ kind }) => kind)).toEqual(['user.signed_in', 'user.sign_in_failed']);
    const stranger = await signedInMember(shop, 'viewer');
    expect((await stranger.browser.call<Events>('GET', '/me/security_events')).body.data).toEqual([]);
  });
});

describe('power comes only with proof (row 135)', () => {
  test('owners hear by mail of every invitation, joining and change of a role', async () => {
    const boss = await signedInMember(shop, 'owner');
    const { browser } = await signedInMember(shop, 'owner');
    const email = 'new-hire@example.com';
    const sent = await browser.call<{ url: string | null }>('POST', company('/invitations'), {
      email,
      role: 'support',
    });
    expect(sent.status).toBe(201);
    const [mail] = await mailsTo(email);
    const token = /token=([\w-]+)/.exec(mail!.text)![1]!;
    const hired = await visitor();
    const accepted = await hired.call('POST', '/invitations/accept', { token, name: 'Hire', password: PASSWORD });
    expect(accepted.status).toBe(200);
    const member = (await hired.open()).user!;
    await browser.call('PATCH', company(`/members/${member.id}`), { role: 'developer' });
    await shop.program.workers.drain();
    const text = (await mailsTo(boss.email)).map(one => one.text).join();
    for (const what of [
      'A member was invited',
      'A new member joined',
      'The role of a member was changed',
      email,
      'developer',
    ])
      expect(text).toContain(what);
  });

  test('a second factor is asked for by itself: the password alone neither confirms nor renews its codes', async () => {
    const { browser } = await signedInMember(shop, 'viewer');
    const { generateSync } = await import('otplib');
    const { body } = await browser.call<{ secret: string }>('POST', '/me/totp', {});
    const codeNow = () => generateSync({ secret: body.secret, epoch: shop.program.parts.clock.nowSeconds() });
    expect((await browser.call('POST', '/me/totp/confirm', { code: codeNow() })).status).toBe(200);
    await shop.later(601);
    const renew = (given: object) => browser.call('POST', '/me/recovery_codes', given);
    expect((await renew({ password: PASSWORD })).body.code).toBe('confirmation_required');
    const confirm = (given: object) => browser.call('POST', '/me/confirm', { password: PASSWORD, ...given });
    expect((await confirm({})).body.code).toBe('totp_required');
    expect((await confirm({ code: '000000' })).body.code).toBe('totp_invalid');
    expect((await renew({})).body.code).toBe('confirmation_required');
    expect((await browser.call('POST', '/me/passkeys/begin')).body.code).toBe('confirmation_required');
    expect((await confirm({ code: codeNow() })).status).toBe(204);
    expect((await renew({})).status).toBe(200);
  });

  test('an address that is not proven carries no second factor, so that none is planted in it', async () => {
    const { browser, userId } = await signedInMember(shop, 'viewer');
    await shop.database.db.query({
      name: '',
      text: 'update users set email_verified_at = null where id = $1',
      values: [userId],
    });
    for (const path of ['/me/totp', '/me/passkeys/begin'])
      expect((await browser.call('POST', path, path === '/me/totp' ? {} : undefined)).body.code).toBe(
        'email_unverified',
      );
  });
});

describe('a company that asks for a second factor', () => {
  test('shows members without one nothing but how to add it', async () => {
    const one = await signedInMember(shop, 'owner');
    expect((await one.browser.call('PATCH', company(), { requires_second_factor: true })).body.code).toBe(
      'second_factor_required',
    );
    await addApp(one);
    expect((await one.browser.call('PATCH', company(), { requires_second_factor: true })).body).toMatchObject({
      requires_second_factor: true,
    });
    const member = await signedInMember(shop, 'developer');
    expect((await member.browser.open()).companies).toMatchObject([{ second_factor_missing: true }]);
    for (const path of [company(), game('/keys'), game('/transactions')])
      expect((await member.browser.call('GET', path)).body.code).toBe('second_factor_required');
    expect((await member.browser.call('GET', '/me')).status).toBe(200);
    await addApp(member);
    expect((await member.browser.open()).companies).toMatchObject([{ second_factor_missing: false }]);
    expect((await member.browser.call('GET', company())).status).toBe(200);
    await one.browser.call('PATCH', company(), { requires_second_factor: false });
  });

  async function addApp({ browser }: TestMember): Promise<void> {
    const { generateSync } = await import('otplib');
    const { body } = await browser.call<{ secret: string }>('POST', '/me/totp', {});
    const code = generateSync({ secret: body.secret, epoch: shop.program.parts.clock.nowSeconds() });
    expect((await browser.call('POST', '/me/totp/confirm', { code })).status).toBe(200);
  }
});

test('an export leaves a trace with its columns and filters', async () => {
  const { browser } = await signedInMember(shop, 'developer');
  await (await browser.fetch('GET', game('/transactions/export?columns=payment_id&status=succeeded'))).text();
  const { body } = await owner.browser.call<{ data: object[] }>('GET', company('/audit?kind=transactions.exported'));
  expect(body.data).toMatchObject([{ after: { columns: ['payment_id'], filters: ['status'] } }]);
});
