import { newBrowser, PASSWORD, signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let shop: TestProgram;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});

afterAll(() => shop?.close());

async function visitor(): Promise<TestBrowser> {
  const browser = newBrowser(shop.url);
  await browser.open();
  return browser;
}

const GAME = 'https://play.google.com/store/apps/details?id=com.northwind.castle';

async function registered(email: string, password = PASSWORD): Promise<TestBrowser> {
  const browser = await visitor();
  const form = { email, password, company: 'Northwind Games', game_url: GAME };
  const answer = await browser.call('POST', '/register', form);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return browser;
}

const signIn = async (browser: TestBrowser, email: string, password = PASSWORD, code?: string) =>
  browser.call('POST', '/sign_in', { email, password, ...(code && { code }) });

const codeOf = (secret: string, stepsAhead = 0): string =>
  generateSync({ secret, epoch: shop.program.parts.clock.nowSeconds() + 30 * stepsAhead });

describe('registration', () => {
  test('ends signed in, in a company with a game', async () => {
    const browser = await registered('ada@northwind.example');
    const state = await browser.open();
    expect(state.user).toMatchObject({ email: 'ada@northwind.example', totp_enabled: false });
    expect(state.companies).toMatchObject([
      { name: 'Northwind Games', role: 'owner', games: [{ name: 'Northwind Games' }] },
    ]);
  });

  test('says everything that is wrong at once, and how a link should look', async () => {
    const browser = await visitor();
    const form = { email: 'ada', password: 'Password123', company: '', game_url: 'https://example.com/game' };
    const { status, body } = await browser.call<{ errors: { pointer: string; code: string; message: string }[] }>(
      'POST',
      '/register',
      form,
    );
    expect(status).toBe(422);
    expect(body.errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/email format_email',
      '/password password_common',
      '/company required',
      '/game_url store_link',
    ]);
    expect(body.errors[3]!.message).toContain('https://play.google.com');
  });

  test('refuses an address that is taken, in any case', async () => {
    await registered('taken@northwind.example');
    const browser = await visitor();
    const form = { email: 'TAKEN@northwind.example', password: PASSWORD, company: 'B', game_url: GAME };
    expect(await browser.call('POST', '/register', form)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  });
});

describe('the session', () => {
  test('is new at sign-in, whatever the browser held before, and kept as a hash (row 71)', async () => {
    await registered('fixed@northwind.example');
    const browser = await visitor();
    const planted = browser.cookie;
    const answer = await signIn(browser, 'fixed@northwind.example');
    expect(answer.status).toBe(200);
    expect(browser.cookie).not.toBe(planted);
    expect(browser.cookie).toMatch(/^s_/);
    const rows = await shop.database.db.query<{ row: string }>({
      name: '',
      text: 'select row_to_json(s)::text as row from sessions s',
      values: [],
    });
    expect(rows.some(({ row }) => row.includes(browser.cookie!))).toBe(false);
    const withPlanted = newBrowser(shop.url, planted);
    expect((await withPlanted.open()).user).toBeNull();
  });

  test('cannot be invented', async () => {
    const browser = newBrowser(shop.url, `s_${'A'.repeat(43)}`);
    expect((await browser.open()).user).toBeNull();
    expect((await browser.call('GET', '/me')).status).toBe(401);
  });

  test('has a cookie that no script reads and no other site sends', async () => {
    await registered('cookie@northwind.example');
    const browser = await visitor();
    const answer = await signIn(browser, 'cookie@northwind.example');
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^coinslot=s_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('over https the cookie is bound to the host', async () => {
    const safe = await startProgram({ workers: false, env: { PUBLIC_URL: 'https://pay.example.com' } });
    const response = await fetch(`${safe.url}/dashboard/api/session`);
    await safe.close();
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-coinslot=v_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('ends with sign-out, here and on the server', async () => {
    const browser = await registered('out@northwind.example');
    const { cookie } = browser;
    expect((await browser.call('POST', '/sign_out')).status).toBe(204);
    expect((await newBrowser(shop.url, cookie).call('GET', '/me')).status).toBe(401);
    expect((await browser.open()).user).toBeNull();
  });

  test('is listed, and others can be ended', async () => {
    const first = await registered('many@northwind.example');
    const second = await visitor();
    await signIn(second, 'many@northwind.example');
    const third = await visitor();
    await signIn(third, 'many@northwind.example');
    const { body } = await first.call<{ data: { id: string; is_current: boolean }[] }>('GET', '/me/sessions');
    expect(body.data.map(({ is_current }) => is_current)).toEqual([false, false, true]);
    expect((await first.call('DELETE', `/me/sessions/${body.data[0]!.id}`)).status).toBe(204);
    expect((await third.call('GET', '/me')).status).toBe(401);
    expect(await first.call('POST', '/me/sessions/end_others')).toMatchObject({ status: 200, body: { ended: 1 } });
    expect((await second.call('GET', '/me')).status).toBe(401);
    expect((await first.call('GET', '/me')).status).toBe(200);
  });
});

describe('throttling', () => {
  test('an account that is guessed at makes the guesser wait, and says how long', async () => {
    await registered('guessed@northwind.example');
    const browser = await visitor();
    for (let i = 0; i < 5; i++) {
      expect(await signIn(browser, 'guessed@northwind.example', 'wrong')).toMatchObject({
        status: 401,
        body: { code: 'sign_in_failed' },
      });
    }
    const blocked = await signIn(browser, 'Guessed@northwind.example');
    expect(blocked).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(5);
  });

  test('guesses sent side by side are counted like those one after the other', async () => {
    await registered('flooded@northwind.example');
    const browser = await visitor();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => signIn(browser, 'flooded@northwind.example', 'wrong')),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  test('an unknown address is answered like a wrong password, and throttled like one', async () => {
    await registered('known@northwind.example');
    const browser = await visitor();
    const [known, unknown] = [
      await signIn(browser, 'known@northwind.example', 'wrong'),
      await signIn(browser, 'unknown@northwind.example', 'wrong'),
    ];
    const shown = ({ status, body }: typeof known) => ({ status, body: { ...body, request_id: '' } });
    expect(shown(unknown)).toEqual(shown(known));
    for (let i = 0; i < 4; i++) await signIn(browser, 'unknown@northwind.example', 'wrong');
    expect((await signIn(browser, 'unknown@northwind.example', 'wrong')).status).toBe(429);
  });
});

describe('two-step sign-in', () => {
  async function withTotp(email: string) {
    const browser = await registered(email);
    const text = 'update users set email_verified_at = app_now() where email = $1';
    await shop.database.db.query({ name: '', text, values: [email] });
    const begun = await browser.call<{ secret: string; otpauth_uri: string }>('POST', '/me/totp', {
      password: PASSWORD,
    });
    const { secret } = begun.body;
    expect(begun.body.otpauth_uri).toContain(`secret=${secret}`);
    // Made once: the clock may reach the next code between two lines.
    const [code, nextCode] = [codeOf(secret), codeOf(secret, 1)];
    const confirmed = await browser.call<{ recovery_codes: string[] }>('POST', '/me/totp/confirm', { code });
    expect(confirmed.status).toBe(200);
    return { browser, secret, code, nextCode, codes: confirmed.body.recovery_codes };
  }

  test('asks for the code after the password, and takes each code once', async () => {
    const { code, nextCode } = await withTotp('totp@northwind.example');
    const browser = await visitor();
    const email = 'totp@northwind.example';
    expect(await signIn(browser, email)).toMatchObject({ status: 401, body: { code: 'totp_required' } });
    expect(await signIn(browser, email, PASSWORD, '000000')).toMatchObject({ body: { code: 'totp_invalid' } });
    // The one that confirmed it is used up too.
    expect(await signIn(browser, email, PASSWORD, code)).toMatchObject({ body: { code: 'totp_invalid' } });
    expect((await signIn(browser, email, PASSWORD, nextCode)).status).toBe(200);
    expect(await signIn(await visitor(), email, PASSWORD, nextCode)).toMatchObject({
      body: { code: 'totp_invalid' },
    });
  });

  test('has ten recovery codes, each for one time', async () => {
    const { browser, codes } = await withTotp('recovery@northwind.example');
    expect(new Set(codes).size).toBe(10);
    const email = 'recovery@northwind.example';
    const typed = codes[3]!.toUpperCase().replace('-', ' ');
    expect((await signIn(await visitor(), email, PASSWORD, typed)).status).toBe(200);
    expect((await signIn(await visitor(), email, PASSWORD, codes[3])).status).toBe(403);
    expect((await browser.call('GET', '/me')).body).toMatchObject({ totp_enabled: true, recovery_codes_left: 9 });
    const renewed = await browser.call<{ recovery_codes: string[] }>('POST', '/me/recovery_codes', {
      password: PASSWORD,
    });
    expect((await signIn(await visitor(), email, PASSWORD, codes[4])).status).toBe(403);
    expect((await signIn(await visitor(), email, PASSWORD, renewed.body.recovery_codes[0])).status).toBe(200);
  });

  test('goes off with password and code only', async () => {
    const { browser, codes } = await withTotp('off@northwind.example');
    const off = (body: object) => browser.call('POST', '/me/totp/disable', body);
    expect(await off({ password: 'wrong', code: codes[0] })).toMatchObject({ body: { code: 'password_wrong' } });
    expect(await off({ password: PASSWORD })).toMatchObject({ body: { code: 'totp_invalid' } });
    expect((await off({ password: PASSWORD, code: codes[0] })).status).toBe(204);
    expect((await signIn(await visitor(), 'off@northwind.example')).status).toBe(200);
  });

  test('keeps secret and codes out of the database in the clear', async () => {
    const { secret, codes } = await withTotp('sealed@northwind.example');
    const [row] = await shop.database.db.query<{ text: string }>({
      name: '',
      text: `select (select string_agg(row_to_json(u)::text, '') from users u) ||
                    (select string_agg(row_to_json(r)::text, '') from recovery_codes r) ||
                    (select string_agg(row_to_json(a)::text, '') from audit_entries a) as text`,
      values: [],
    });
    for (const hidden of [secret, ...codes, PASSWORD]) expect(row!.text).not.toContain(hidden);
  });
});

describe('time', () => {
  test('an idle session ends, a used one lives on, and none longer than a week', async () => {
    const { browser: idle } = await signedInMember(shop, 'viewer');
    const { browser: used } = await signedInMember(shop, 'viewer');
    for (let hours = 0; hours < 7 * 24 - 11; hours += 11) {
      await shop.later(11 * 3600);
      expect((await used.call('GET', '/me')).status).toBe(200);
      // Signs of life are written beside the answer.
      await expect
        .poll(
          async () =>
            (await used.call<{ data: { last_seen_at: number }[] }>('GET', '/me/sessions')).body.data[0]!.last_seen_at,
        )
        .toBeGreaterThan(shop.program.parts.clock.nowSeconds() - 3600);
    }
    expect((await idle.call('GET', '/me')).status).toBe(401);
    await shop.later(11 * 3600);
    expect((await used.call('GET', '/me')).status).toBe(401);
  });
});
