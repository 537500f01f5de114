/** What strangers try at an installation on the open internet, against the built program in production mode. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { PASSWORD, type TestBrowser } from '@coinslot/testing/dashboard';
import { WORST_BODIES } from '@coinslot/testing/worst-bodies';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patience } from './game-studio.ts';
import { HOSTILE_RETURN_URLS } from './hostile-page-input.ts';
import { GAME_URL, type ProductionShop, PUBLIC_URL, signIn, startProductionShop } from './production-shop.ts';
import type { Account } from './start-coinslot.ts';
import { tryToolsAndTenants } from './tools-and-tenants.ts';

const OWNER = 'owner@studio.example';
const NEXT = 'seven green kettles';

let shop: ProductionShop;
let account: Account;
let owner: TestBrowser;
/** The same installation with its registration open, as some operators run it. */
let open: { url: string; stop(): Promise<void> };

beforeAll(async () => {
  shop = await startProductionShop();
  account = await shop.setup(OWNER);
  open = await shop.startAnother({ REGISTRATION: 'open', OPS_PORT: '0' });
  owner = await shop.visitor('192.0.2.1');
  expect((await signIn(owner, OWNER)).status).toBe(200);
  const hook = { url: shop.gameUrl, events: ['item.add'] };
  for (const key of [account.sandbox.s2s_key, account.live.s2s_key])
    expect((await s2s('POST', '/webhooks', hook, key)).status).toBe(201);
}, 180_000);

afterAll(async () => {
  await open?.stop();
  await shop?.stop();
});

async function s2s(method: string, path: string, body?: unknown, key = account.sandbox.s2s_key, address = '192.0.2.2') {
  const answer = await fetch(`${shop.url}/s2s/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'x-forwarded-for': address,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

async function order(key: string, body: object = {}): Promise<string> {
  const made = await s2s('POST', '/orders', { player_id: 'p', items: [{ sku: 'gems' }], ...body }, key);
  expect(made.status).toBe(201);
  return shop.here(made.body.checkout_url!);
}

const post = (url: string, fields: Record<string, string>, address: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ email: 'player@example.com', ...fields }),
    headers: { 'x-forwarded-for': address },
    redirect: 'manual',
  });

const CARD = { card_number: '4832 2850 6160 9015', card_expiry: '12 / 40', card_cvc: '123', postal_code: '10115' };
const ofCompany = (path = ''): string => `/companies/${account.company_id}${path}`;
const ofGame = (path: string, mode = 'sandbox'): string => `/games/${account.game_id}/${mode}${path}`;

/** A stranger with an account of their own, where registration is open. */
async function register(email: string, address: string, more: object = {}): Promise<TestBrowser> {
  const browser = await shop.visitor(address, open.url);
  const form = { email, password: PASSWORD, company: 'Strangers', game_url: GAME_URL, ...more };
  const answer = await browser.call('POST', '/register', form);
  expect(answer).toMatchObject({ status: 201, body: { user: null, companies: [] } });
  return browser;
}

/** Registration goes on behind its answer. */
async function signInSoon(browser: TestBrowser, email: string): Promise<void> {
  await expect.poll(async () => (await signIn(browser, email)).status, { ...patience, interval: 200 }).toBe(200);
}

describe('a stranger cannot take an account over (row 105)', () => {
  const use = async (path: string, body: object) => (await shop.visitor('198.51.100.9')).call('POST', path, body);

  test('by registering the address first and keeping a link', async () => {
    const email = 'victim@example.com';
    const stranger = await register(email, '198.51.100.1');
    await signInSoon(stranger, email);
    const change = await stranger.call('POST', '/me/email', { email: 'stranger@evil.example', password: PASSWORD });
    expect(change.status).toBe(202);
    const planted = await shop.linkTo('stranger@evil.example', /./);
    await use('/password_resets', { email });
    const reset = await shop.linkTo(email, /password/i);
    expect((await use('/password_resets/use', { token: reset, password: NEXT })).status).toBe(204);
    expect(await use('/email_changes/use', { token: planted })).toMatchObject({ status: 410 });
    expect((await stranger.call('GET', '/me')).status).toBe(401);
    expect((await signIn(await shop.visitor('198.51.100.2'), email)).status).toBe(401);
    expect((await signIn(await shop.visitor('198.51.100.3'), email, NEXT)).status).toBe(200);
  });

  test('by an invitation of an owner who was removed', async () => {
    const email = 'second-owner@example.com';
    await owner.call('POST', ofCompany('/invitations'), { email, role: 'owner' });
    const leaving = await shop.visitor('198.51.100.4');
    const token = await shop.linkTo(email, /Invitation/);
    expect((await leaving.call('POST', '/invitations/accept', { token, name: 'L', password: NEXT })).status).toBe(200);
    const friend = { email: 'friend@evil.example', role: 'owner' };
    expect((await leaving.call('POST', ofCompany('/invitations'), friend)).status).toBe(201);
    const { id } = (await leaving.open()).user!;
    expect((await owner.call('DELETE', ofCompany(`/members/${id}`))).status).toBe(204);
    const planted = await shop.linkTo(friend.email, /Invitation/);
    const accepted = await use('/invitations/accept', { token: planted, name: 'F', password: NEXT });
    expect(accepted).toMatchObject({ status: 410, body: { code: 'invitation_invalid' } });
  });
});

describe('a stranger’s company (row 106)', () => {
  test('is not made where an operator has one, unless registration was opened', async () => {
    const browser = await shop.visitor('198.51.100.10');
    expect((await browser.open()).registration_open).toBe(false);
    const form = { email: 'new@evil.example', password: PASSWORD, company: 'S', game_url: GAME_URL };
    expect(await browser.call('POST', '/register', form)).toMatchObject({
      status: 403,
      body: { code: 'registration_closed' },
    });
  });

  test('where it is open: has no use of the operator’s provider, invites no one and mails no one', async () => {
    const email = 'tenant@evil.example';
    const stranger = await register(email, '198.51.100.11', { company: 'You won 1,000,000 dollars' });
    await signInSoon(stranger, email);
    const { companies } = await stranger.open();
    const [company] = companies;
    const provider = await stranger.call('GET', `/companies/${company!.id}/providers/stripe`);
    expect(provider.body).toMatchObject({ connections: [] });
    const invited = await stranger.call('POST', `/companies/${company!.id}/invitations`, {
      email: 'target@example.com',
      role: 'viewer',
    });
    expect(invited).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
    const made = await stranger.call<{ s2s_key: string }>('POST', `/games/${company!.games[0]!.id}/live/keys`, {});
    const key = made.body.s2s_key;
    expect((await s2s('POST', '/webhooks', { url: shop.gameUrl, events: ['item.add'] }, key)).status).toBe(201);
    const free = { player_id: 'p', items: [{ sku: 'gems' }], price_decimal: 0, currency: 'USD' };
    const { order_id, checkout_url } = (await s2s('POST', '/orders', free, key)).body;
    const claim = `${shop.here(checkout_url!)}/claim`;
    expect((await post(claim, { email: 'target@example.com' }, '198.51.100.12')).status).toBe(303);
    const status = async () => (await s2s('GET', `/orders/${order_id}`, undefined, key)).body.status;
    await expect.poll(status, patience).toBe('paid');
    const receipts = () => shop.query(`select status from mails where recipient = 'target@example.com'`);
    await expect.poll(receipts, patience).toEqual([{ status: 'kept' }]);
    expect(shop.mails.filter(({ recipients }) => recipients.includes('target@example.com'))).toEqual([]);
  });

  test('cannot be used to learn who has an account: both answers are the same, and the owner is told', async () => {
    const ask = async (email: string) => {
      const browser = await shop.visitor('198.51.100.13', open.url);
      const form = { email, password: PASSWORD, company: 'S', game_url: GAME_URL };
      const { status, body } = await browser.call('POST', '/register', form);
      return { status, body: { ...body, csrf_token: '' } };
    };
    expect(await ask(OWNER)).toEqual(await ask('free@example.com'));
    const mailed = () =>
      shop.mails.filter(({ recipients }) => recipients.includes(OWNER)).map(({ subject }) => subject);
    await expect.poll(mailed, patience).toContain('Your e-mail address was entered at Coinslot');
  });

  test.each(['123456789a', 'password123', 'qwerty1234'])('takes no password like %s', async password => {
    const browser = await shop.visitor('198.51.100.14', open.url);
    const form = { email: 'weak@example.com', password, company: 'S', game_url: GAME_URL };
    expect((await browser.call('POST', '/register', form)).status).toBe(422);
  });
});

test('an account is no mail relay: thirty invitations a day, without the sender’s words in the subject (row 107)', async () => {
  await owner.call('PATCH', ofCompany(), { name: 'You won 1,000,000 dollars' });
  const invite = async (n: number): Promise<{ status: number }> => {
    const form = { email: `relay-${n}@example.com`, role: 'viewer' };
    const answer = await owner.call('POST', ofCompany('/invitations'), form);
    // They wait for the company's lock, on a slow machine some of them for longer than a lock is waited for.
    return answer.status === 503 ? invite(n) : answer;
  };
  const sent = await Promise.all(Array.from({ length: 40 }, (_, n) => invite(n)));
  const taken = sent.filter(({ status }) => status === 201).length;
  expect(taken).toBeLessThanOrEqual(30);
  expect(sent.filter(({ status }) => status === 429)).toHaveLength(40 - taken);
  const relayed = () => shop.mails.filter(({ recipients }) => recipients[0]?.startsWith('relay-'));
  await expect.poll(() => relayed().length, patience).toBe(taken);
  expect(new Set(relayed().map(({ subject, from }) => `${from?.name}: ${subject}`))).toEqual(
    new Set(['Coinslot: Invitation to a Coinslot dashboard']),
  );
});

describe('floods', () => {
  const cpuSeconds = async (): Promise<number> => {
    const text = await (await fetch(`${shop.opsUrl}/metrics`)).text();
    return Number(/^\w*process_cpu_seconds_total(?:\{[^}]*\})? (\S+)/m.exec(text)![1]);
  };

  test('the worst bodies cost little, and an address that sends many is sent away alone (row 108)', async () => {
    const before = await cpuSeconds();
    const send = (body: string, address: string) =>
      fetch(`${shop.url}/dashboard/api/sign_in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, origin: PUBLIC_URL },
        body,
      });
    const bodies = Object.values(WORST_BODIES);
    const statuses: number[] = [];
    while (statuses.length < 200 && statuses.at(-1) !== 429) {
      const answer = await send(bodies[statuses.length % bodies.length]!, '203.0.113.1');
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.length).toBeGreaterThan(bodies.length);
    expect(Math.max(...statuses)).toBeLessThan(500);
    // Time of the processor and not of the clock: one such body once took a second of it.
    expect((await cpuSeconds()) - before).toBeLessThan(30);
    expect((await send('{}', '203.0.113.2')).status).not.toBe(429);
  });

  test('guessed keys are sent away, and the owner of a key is not', async () => {
    const from = '203.0.113.3';
    const guess = async (n: number): Promise<number> => {
      const { status } = await s2s('GET', '/orders', undefined, `sk_sandbox_${String(n).padStart(43, 'x')}`, from);
      return status === 503 ? guess(n) : status;
    };
    const guessed = await Promise.all(Array.from({ length: 330 }, (_, n) => guess(n)));
    expect(new Set(guessed)).toEqual(new Set([401, 429]));
    expect(guessed.filter(status => status === 401).length).toBeLessThanOrEqual(300);
    expect((await s2s('GET', '/orders')).status).toBe(200);
  });

  test('waiting answers of one page are bounded (row 112)', async () => {
    const url = `${await order(account.sandbox.s2s_key)}/status?version=1`;
    const controller = new AbortController();
    let answered = 0;
    const count = () => void answered++;
    for (let n = 0; n < 60; n++)
      void fetch(url, { signal: controller.signal, headers: { 'x-forwarded-for': `203.0.113.${100 + n}` } })
        .then(answer => answer.text())
        .then(count, () => {});
    // Less than a wait lasts by itself.
    await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThanOrEqual(40);
    controller.abort();
  });

  test('the numbers of the shop are not public, and are made once for many readers (row 112)', async () => {
    expect((await fetch(`${shop.url}/metrics`)).status).toBe(404);
    const read = async () => (await fetch(`${shop.opsUrl}/metrics`)).text();
    const answers = await Promise.all(Array.from({ length: 50 }, read));
    expect(new Set(answers).size).toBeLessThan(50);
    expect(answers[0]!.length).toBeLessThan(200_000);
  });
});

describe('guesses at sign-in', () => {
  test('count for one account, however it is written (row 110), and never lock its owner out', async () => {
    const known = await shop.visitor('203.0.113.20');
    await signIn(known, OWNER);
    await known.call('POST', '/sign_out');
    await known.open();
    const stranger = await shop.visitor('203.0.113.21');
    const forms = ['OWNER@studio.example', 'ｏｗｎｅｒ@studio.example', 'owner@ſtudio.example', OWNER];
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) statuses.push((await signIn(stranger, forms[n % 4]!, 'wrong guess')).status);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses.slice(5)).toEqual([429, 429, 429]);
    expect((await signIn(stranger, 'owner@STUDİO.example')).status).toBe(401);
    expect((await signIn(known, OWNER)).status).toBe(200);
    const { body } = await owner.call<{ data: { kind: string; ip: string }[] }>('GET', '/me/security_events');
    const failed = body.data.filter(({ kind, ip }) => kind === 'user.sign_in_failed' && ip === '203.0.113.21');
    expect(failed).toHaveLength(5);
    const mailed = () =>
      shop.mails.some(({ recipients, text }) => recipients[0] === OWNER && text?.includes('203.0.113.20'));
    await expect.poll(mailed, patience).toBe(true);
  });
});

describe('card testing (row 109)', () => {
  test('stops at ten declined cards for an order, twenty for a player and thirty for an address', async () => {
    const live = { price_decimal: 4.99, currency: 'USD' };
    const { s2s_key: key } = account.live;
    const decline = async (url: string, address: string): Promise<number> => {
      const provider_token = shop.stripe.token('pm_card_chargeDeclined', { live: true });
      const { status } = await post(`${url}/pay`, { method: 'card', provider_token }, address);
      // The page takes over after some seconds, and a card is counted when the bank has declined it.
      await expect.poll(() => shop.query("select 1 from payments where status = 'pending'"), patience).toEqual([]);
      return status;
    };
    const times = async (count: number, one: () => Promise<number>): Promise<number[]> => {
      const statuses: number[] = [];
      for (let n = 0; n < count; n++) statuses.push(await one());
      return statuses;
    };
    const ten = Array.from({ length: 10 }, () => 303);
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => order(key, { ...live, player_id: 'tester' })));
    expect(await times(11, () => decline(first!, '203.0.113.40'))).toEqual([...ten, 429]);
    expect(await times(10, () => decline(second!, '203.0.113.40'))).toEqual(ten);
    expect(await decline(third!, '203.0.113.41')).toBe(429);
    const other = await order(key, { ...live, player_id: 'another' });
    expect(await times(10, () => decline(other, '203.0.113.40'))).toEqual(ten);
    const last = await order(key, { ...live, player_id: 'third' });
    expect(await decline(last, '203.0.113.40')).toBe(429);
    expect(await decline(last, '203.0.113.42')).toBe(303);
  });
});

describe('what an answer carries', () => {
  test.each([
    ...HOSTILE_RETURN_URLS,
    'intent:javascript:alert(1)',
    'intent:file:///etc/passwd',
    'ms-msdt:/id',
    'search-ms:query=x',
    'itms-services://?action=download-manifest',
  ])('no way back to %j', async url => {
    const body = { player_id: 'p', items: [{ sku: 'gems' }], back_to_game_url: url };
    expect((await s2s('POST', '/orders', body)).status).toBe(422);
  });

  test('HSTS and nosniff on everything, found or not, right or wrong', async () => {
    const page = await order(account.sandbox.s2s_key);
    const paths = [
      '/',
      '/healthz',
      '/openapi.json',
      '/docs',
      '/dashboard',
      '/dashboard/api/session',
      '/dashboard/api/me',
    ];
    const urls = [...paths, '/favicon.ico', '/nothing', '/s2s/v1/orders', '/gateways/stripe', '/%ff'].map(
      p => shop.url + p,
    );
    for (const url of [...urls, page, `${page}/status?version=0`]) {
      const { headers } = await fetch(url, { redirect: 'manual' });
      const shown = { hsts: headers.get('strict-transport-security'), sniff: headers.get('x-content-type-options') };
      expect({ url, ...shown }).toMatchObject({ hsts: expect.stringMatching(/max-age=\d{7,}/), sniff: 'nosniff' });
    }
  });

  test('no formula in a cell of an export', async () => {
    for (const player_id of ['=cmd', '＝cmd', '＠SUM(A1)', '\u200b=1']) {
      const url = await order(account.sandbox.s2s_key, { player_id });
      expect((await post(`${url}/pay`, CARD, '203.0.113.50')).status).toBe(303);
    }
    const csv = await (await owner.fetch('GET', ofGame('/transactions/export?columns=player_id,status'))).text();
    const cells = csv.split('\r\n').filter(line => /cmd|SUM|=1/.test(line));
    expect(cells).toHaveLength(4);
    for (const cell of cells) expect(cell).toMatch(/^"?'/);
  });

  test('a request with two hosts is refused', async () => {
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', chunk => {
      answer += chunk;
    });
    socket.write('GET /healthz HTTP/1.1\r\nHost: pay.example.com\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

tryToolsAndTenants({ s2s, ofGame, ofCompany, owner: () => owner, account: () => account, register, signInSoon });

test('a stolen session is not enough for what would be worth stealing it (row 111)', async () => {
  const webhook = await owner.call<{ id: string }>('POST', ofGame('/webhooks'), {
    url: 'https://hooks.example.com/game',
    events: ['order.*'],
  });
  const { body: keys } = await owner.call<{ data: { id: string }[] }>('GET', ofGame('/keys'));
  await shop.setClockAhead(601);
  const asks: [string, string, object?][] = [
    ['POST', ofGame('/keys'), {}],
    ['POST', ofGame(`/keys/${keys.data[0]!.id}/reveal`), {}],
    ['POST', ofGame('/webhooks'), { url: 'https://evil.example.com/', events: ['order.*'] }],
    ['PATCH', ofGame(`/webhooks/${webhook.body.id}`), { url: 'https://evil.example.com/' }],
    ['POST', ofGame(`/webhooks/${webhook.body.id}/rotate_secret`)],
    ['POST', ofGame(`/webhooks/${webhook.body.id}/reveal_secret`), {}],
    ['POST', ofCompany('/invitations'), { email: 'thief@evil.example', role: 'owner' }],
    ['PUT', ofCompany('/providers/stripe'), { secret_key: 'sk_live_12345678', publishable_key: 'pk_live_12345678' }],
    ['POST', '/me/totp', {}],
    ['POST', '/me/totp/disable', { code: '123456' }],
    ['POST', '/me/passkeys/begin'],
    ['POST', '/me/email', { email: 'thief@evil.example' }],
  ];
  for (const [method, path, body] of asks) {
    const { status, body: said } = await owner.call(method, path, body);
    expect({ path, status, code: said.code }).toEqual({ path, status: 403, code: 'confirmation_required' });
  }
  expect((await owner.call('POST', '/me/confirm', { password: PASSWORD })).status).toBe(204);
  expect((await owner.call('POST', ofGame('/keys'), { label: 'nightly' })).status).toBe(201);
  const mailed = () =>
    shop.mails.find(({ recipients, text }) => recipients[0] === OWNER && text?.includes('nightly'))?.text;
  await expect.poll(mailed, patience).toContain('192.0.2.1');
});
