import { type DashboardEndpoint, dashboardEndpoints, ROLES, type Role } from '@coinslot/contract';
import { type BrowserCall, newBrowser, PASSWORD, signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../kit/ids.ts';
import { createSeal } from '../../kit/seal.ts';

/**
 * Every route of the dashboard, from the list that mounts them: nothing without a session, nothing without the token, no role
 * below the least, and what belongs to another company looks like what does not exist.
 */

let shop: TestProgram;
let game: Game;
const members = {} as Record<Role, TestMember>;
let stranger: TestMember;
/** What each path parameter names: all of it real, in the sandbox of the first company. */
const mine: Record<string, string> = {};
/** Secrets that no answer may hold but those that are asked for them. */
const secrets: string[] = [];

const ABSENT: Record<string, string> = {
  company_id: 'cmp_00000000000000000000000000',
  game_id: 'game_00000000000000000000000000',
  mode: 'sandbox',
  order_id: 'ord_00000000000000000000000000',
  payment_id: 'pay_00000000000000000000000000',
  webhook_id: 'whk_00000000000000000000000000',
  delivery_id: 'dlv_00000000000000000000000000',
  key_id: 'key_00000000000000000000000000',
  user_id: 'usr_00000000000000000000000000',
  invitation_id: 'inv_00000000000000000000000000',
  session_id: 'ses_00000000000000000000000000',
  sku: 'no-such-sku',
  player_id: 'no-such-player',
  method: 'no-such-method',
};

const EVIDENCE = { statement: 'x', product: 'x', delivery: 'x', receipt: 'x', history: 'x', email: null };

/** What an endpoint needs to get past the check of its fields. */
const BODIES: Record<string, object> = {
  renamePasskey: { name: 'mine' },
  changeRole: { role: 'viewer' },
  revealKey: { password: PASSWORD },
  refundTransaction: { reason: 'asked', password: PASSWORD },
  releaseGrant: { reason: 'asked' },
  advanceDashboardOrder: { seconds: 60 },
  patchDashboardWebhook: { description: 'x' },
  revealDashboardSecret: { password: PASSWORD },
  checkSignature: { headers: '', body: '' },
  replayDashboardWebhook: { since: 0 },
  actOnAttention: { action: 'refund', password: PASSWORD },
  resolveDifference: { note: 'seen' },
  saveEvidence: EVIDENCE,
  answerDispute: EVIDENCE,
  previewEvidence: EVIDENCE,
  patchMethod: { enabled: true },
  putProvider: { secret_key: 'sk_test_1234567890', publishable_key: 'pk_test_1234567890' },
};

const QUERIES: Record<string, string> = {
  getReplayProgress: '?since=0',
  addEvidenceFile: '?kind=other&name=a.pdf',
};

const all = Object.entries(dashboardEndpoints) as [string, DashboardEndpoint][];
const closed = all.filter(([, { scope }]) => scope !== 'public');
const changing = all.filter(([, { method }]) => method !== 'GET');
const withRole = all.flatMap(([name, endpoint]) =>
  'role' in endpoint
    ? [{ name, endpoint, lower: ROLES.slice(0, ROLES.indexOf(endpoint.role)), least: endpoint.role }]
    : [],
);
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
/** A day belongs to no company; what a company had on it is read under its own id. */
const OUTER = ['company_id', 'game_id', 'mode', 'day'];
const withObject = all.flatMap(([name, endpoint]) => {
  const objects = namesIn(endpoint.path).filter(param => !OUTER.includes(param));
  // PUT of an item makes it where it is asked, in the caller's own environment.
  return objects.length > 0 && name !== 'putDashboardItem' ? [{ name, endpoint, object: objects[0]! }] : [];
});

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  for (const role of ROLES) members[role] = await signedInMember(shop, role);
  const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
  stranger = await signedInMember(shop, 'owner', other.companyId);
  await makeObjects();
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

async function makeObjects(): Promise<void> {
  const { companyId, gameId, sandbox, live } = shop.account;
  Object.assign(mine, {
    company_id: companyId,
    game_id: gameId,
    mode: 'sandbox',
    sku: 'my-sku',
    player_id: 'my-player',
  });
  secrets.push(sandbox.s2sKey, live.s2sKey);
  const hook = { url: game.url, events: ['item.add', 'item.remove'], secret: 'a-secret-of-its-own-1234' };
  const webhook = await shop.call('POST', '/s2s/v1/webhooks', hook);
  secrets.push(hook.secret);
  game.useSecret(hook.secret);
  mine.webhook_id = String(webhook.body.id);
  const order = await shop.createOrder({ player_id: 'my-player', items: [{ sku: 'my-sku' }] });
  await shop.pay(order.checkout_url);
  await shop.until(order.order_id, 'paid');
  mine.order_id = order.order_id;
  mine.payment_id = String((await shop.readOrder(order.order_id)).payment_id);
  const log = await shop.call<{ data: { id: string }[] }>('GET', `/s2s/v1/webhooks/${mine.webhook_id}/deliveries`);
  mine.delivery_id = log.body.data[0]!.id;
  const { browser } = members.owner;
  const at = `/games/${gameId}/sandbox`;
  mine.key_id = (await browser.call<{ data: { id: string }[] }>('GET', `${at}/keys`)).body.data[0]!.id;
  mine.user_id = members.viewer.userId;
  const invited = { email: 'invited@example.com', role: 'viewer' };
  mine.invitation_id = String((await browser.call('POST', `/companies/${companyId}/invitations`, invited)).body.id);
  const sessions = await members.support.browser.call<{ data: { id: string }[] }>('GET', '/me/sessions');
  mine.session_id = sessions.body.data[0]!.id;
}

const fillIn = (path: string, ids: Record<string, string>): string =>
  path
    .replace('/dashboard/api', '')
    .replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? newId('req')));

interface Seen {
  status: number;
  headers: [string, string][];
  text: string;
}

/** The whole answer, without what differs between any two requests. A stream is looked at and left. */
async function ask(
  [name, { method, path, body }]: [string, DashboardEndpoint],
  browser: TestMember['browser'],
  ids: Record<string, string>,
  options: BrowserCall = {},
): Promise<Seen> {
  const sent = body ? (BODIES[name] ?? {}) : undefined;
  const response = await browser.fetch(method, fillIn(path, ids) + (QUERIES[name] ?? ''), sent, options);
  const headers = [...response.headers].filter(([header]) => !['date', 'x-request-id'].includes(header));
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, headers, text: '' };
  }
  return { status: response.status, headers, text: (await response.text()).replaceAll(/req_\w+/g, 'req') };
}

const codeOf = ({ text }: Seen): unknown => (text.startsWith('{') ? JSON.parse(text).code : null);

it('every endpoint has a handler', async () => {
  const { browser } = members.owner;
  const missing: string[] = [];
  for (const entry of all) {
    const seen = await ask(
      entry,
      browser,
      { ...ABSENT, company_id: mine.company_id!, game_id: mine.game_id!, provider: 'stripe' },
      { csrf: 'x' },
    );
    if (codeOf(seen) === 'not_found' || codeOf(seen) === 'method_not_allowed') missing.push(entry[0]);
  }
  expect(missing).toEqual([]);
});

describe('without a session', () => {
  it.each(closed)('%s is closed', async (name, endpoint) => {
    for (const browser of [newBrowser(shop.url), newBrowser(shop.url, `s_${'x'.repeat(43)}`)]) {
      const seen = await ask([name, endpoint], browser, mine);
      expect([seen.status, codeOf(seen)]).toEqual([401, 'sign_in_required']);
    }
  });
});

describe('without the token of the session (row 70)', () => {
  it.each(changing)('%s changes nothing', async (name, endpoint) => {
    const { browser } = members.owner;
    const tries: BrowserCall[] = [
      { csrf: null },
      { csrf: 'wrong' },
      { csrf: stranger.browser.csrf },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { 'sec-fetch-site': 'same-site' } },
      { headers: { 'sec-fetch-site': 'none' } },
    ];
    for (const options of tries) {
      const seen = await ask([name, endpoint], browser, mine, options);
      expect([seen.status, codeOf(seen)]).toEqual([403, 'csrf_failed']);
    }
  });

  it('nor from another origin, where the browser is too old to say more', async () => {
    const token = members.owner.browser;
    const send = (headers: Record<string, string>) =>
      fetch(`${shop.url}/dashboard/api/me/sessions/end_others`, {
        method: 'POST',
        headers: { cookie: `coinslot=${token.cookie}`, 'x-csrf-token': token.csrf, ...headers },
      });
    expect((await send({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await send({ origin: 'null' })).status).toBe(403);
    expect((await send({})).status).toBe(403);
    expect((await send({ origin: shop.url })).status).toBe(200);
  });

  it('nor as a form that any page could send', async () => {
    const { cookie, csrf } = members.owner.browser;
    const response = await fetch(`${shop.url}/dashboard/api/me`, {
      method: 'PATCH',
      headers: { cookie: `coinslot=${cookie}`, 'x-csrf-token': csrf, origin: shop.url, 'content-type': 'text/plain' },
      body: '{"name":"x"}',
    });
    expect(response.status).toBe(415);
  });
});

describe('with a role', () => {
  it.each(withRole)('$name takes $least', async ({ name, endpoint, lower, least }) => {
    // The object does not exist, so that who is let in finds nothing to break.
    const ids = { ...ABSENT, company_id: mine.company_id!, game_id: mine.game_id! };
    for (const role of lower) {
      const seen = await ask([name, endpoint], members[role].browser, ids);
      expect([role, seen.status, codeOf(seen)]).toEqual([role, 403, 'role_too_low']);
    }
    if (endpoint.method !== 'GET' && namesIn(endpoint.path).every(param => OUTER.includes(param))) return;
    const seen = await ask([name, endpoint], members[least].browser, ids);
    expect(['sign_in_required', 'csrf_failed', 'role_too_low']).not.toContain(codeOf(seen));
    expect(seen.status).not.toBe(500);
  });
});

describe("another company's", () => {
  const scoped = all.filter(([, { scope }]) => scope === 'company' || scope === 'environment');

  it.each(scoped)('%s looks like one that does not exist', async (name, endpoint) => {
    const theirs = await ask([name, endpoint], stranger.browser, mine);
    const absent = await ask([name, endpoint], stranger.browser, {
      ...mine,
      company_id: ABSENT.company_id!,
      game_id: ABSENT.game_id!,
    });
    expect(theirs.status).toBe(404);
    expect(theirs).toEqual(absent);
    const malformed = { ...mine, company_id: "cmp_' or 1=1", game_id: '%00', mode: 'production' };
    expect(await ask([name, endpoint], stranger.browser, malformed)).toEqual(absent);
  });
});

describe('an object of another environment or company (rows 72, 73)', () => {
  it.each(withObject)('$name finds nothing', async ({ name, endpoint, object }) => {
    const isPersonal = endpoint.scope === 'user';
    const { browser } = endpoint.scope === 'company' ? stranger : members.owner;
    const companies = await stranger.browser.open();
    const where =
      endpoint.scope === 'company'
        ? { company_id: companies.companies[0]!.id }
        : { game_id: mine.game_id!, mode: 'live' };
    const ids = isPersonal ? {} : where;
    const theirs = await ask([name, endpoint], browser, { ...mine, ...ids });
    const absent = await ask([name, endpoint], browser, { ...mine, ...ids, [object]: ABSENT[object] ?? newId('req') });
    expect(theirs.status).toBe(404);
    expect(theirs).toEqual(absent);
  });
});

describe('secrets (row 74)', () => {
  it('stand in no answer that was not asked for them, and in no audit entry', async () => {
    const { browser } = members.owner;
    for (const entry of all.filter(([, { method }]) => method === 'GET')) {
      const { text, headers } = await ask(entry, browser, mine);
      for (const secret of secrets) expect([entry[0], text.includes(secret)]).toEqual([entry[0], false]);
      expect(text).not.toContain('argon2');
      expect(headers.find(([header]) => header === 'cache-control')?.[1]).toContain('no-store');
    }
    const entries = await shop.database.db.query<{ row: string }>({
      name: '',
      text: 'select row_to_json(a)::text as row from audit_entries a',
      values: [],
    });
    for (const secret of [...secrets, PASSWORD]) expect(entries.some(({ row }) => row.includes(secret))).toBe(false);
  });
});
