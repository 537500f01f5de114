/**
 * The program is killed around each of PayPal's calls, on the wire: before PayPal did what was asked, and after.
 * `npm test` strikes where money moves; `npm run lab -- crash-paypal` at every call.
 */
import type { BulkRun, DisputeList } from '@coinslot/contract';
import { newBrowser, PASSWORD, signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { paymentRows } from '@coinslot/testing/order-rows';
import { type PaypalDouble, startPaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeal } from '../../apps/server/src/kit/seal.ts';
import { type HonestGame, startHonestGame } from './honest-game.ts';
import { type BuiltProgram, buildCrashingProgram, type ProgramProcess, startProcess } from './program-process.ts';

const PAST_ALL_LEASES_SECONDS = 60;
/** Longer than PayPal promises the money for without being asked again. */
const PAST_HONOR_SECONDS = 3 * 86_400 + 3_600;
const LOOKS_BEFORE_LATER = 40;
const LATER_SECONDS = 300;
const WAIT = { timeout: 60_000, interval: 50 };

let built: BuiltProgram;
let database: TestDatabase;
let paypal: PaypalDouble;
let game: HonestGame;
let account: Awaited<ReturnType<typeof registerTestAccount>>;
let key: string;
let running: ProgramProcess;
let aheadSeconds = 0;

async function start(): Promise<void> {
  running = startProcess(built, {
    databaseUrl: database.url,
    env: {
      PAYPAL_API_BASE: paypal.url,
      PAYPAL_MODE: 'sandbox',
      PAYPAL_CLIENT_ID: paypal.keys.clientId,
      PAYPAL_CLIENT_SECRET: paypal.keys.secret,
      PAYPAL_WEBHOOK_ID: 'WEBHOOK1',
    },
  });
  await running.settled;
  paypal.callBack(`${running.url}/gateways/paypal`, 'WEBHOOK1', { auto: true });
}

/** Null when the program died on the way. */
async function call(method: string, path: string, body?: object): Promise<Record<string, string> | null> {
  try {
    const response = await fetch(`${running.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, string>;
  } catch {
    return null;
  }
}

const statusOf = async (orderId: string): Promise<string | undefined> =>
  (await call('GET', `/s2s/v1/orders/${orderId}`))?.status;

async function advance(seconds = PAST_ALL_LEASES_SECONDS): Promise<void> {
  aheadSeconds += seconds;
  await database.advance(seconds);
}

beforeAll(async () => {
  [built, database, game] = await Promise.all([buildCrashingProgram(), testDatabase(), startHonestGame()]);
  paypal = await startPaypalDouble({ nowSeconds: () => Math.floor(Date.now() / 1000) + aheadSeconds });
  account = await registerTestAccount(database.db, createSeal(MASTER_KEY));
  key = account.live.s2sKey;
  await start();
  const hook = { url: game.url, events: ['item.add', 'item.remove'] };
  expect(await call('POST', '/s2s/v1/webhooks', hook)).toHaveProperty('id');
}, 180_000);

afterAll(async () => {
  running?.signal('SIGKILL');
  await running?.ended;
  await paypal?.settle();
  await paypal?.close();
  await game?.close();
  await database?.drop();
});

const CALLS = {
  order: /^POST \/v2\/checkout\/orders$/,
  authorize: /^POST \/v2\/checkout\/orders\/\w+\/authorize$/,
  capture: /^POST \/v2\/payments\/authorizations\/\w+\/capture$/,
  reauthorize: /^POST \/v2\/payments\/authorizations\/\w+\/reauthorize$/,
  void: /^POST \/v2\/payments\/authorizations\/\w+\/void$/,
  refund: /^POST \/v2\/payments\/captures\/\w+\/refund$/,
  evidence: /^POST \/v1\/customer\/disputes\/[\w-]+\/provide-evidence$/,
};

type When = 'before' | 'after';

/** The next such call is the program's last: it is killed while PayPal has the request in hand. */
function strike(name: keyof typeof CALLS, when: When): void {
  const { take } = paypal.faults;
  paypal.faults.take = (request, body) => {
    if (!CALLS[name].test(request)) return take(request, body);
    paypal.faults.take = take;
    running.signal('SIGKILL');
    return { kind: when === 'before' ? 'lose_request' : 'lose_answer' };
  };
}

async function restart(seconds?: number): Promise<void> {
  await running.ended;
  await advance(seconds);
  await start();
}

interface Journey {
  mood: 'well' | 'decline';
  refund: boolean;
}

const PAYS: Journey = { mood: 'well', refund: false };
const IS_REJECTED: Journey = { mood: 'decline', refund: false };
const IS_REFUNDED: Journey = { mood: 'well', refund: true };

interface CreatedOrder {
  orderId: string;
  path: string;
}

async function newOrder({ mood }: Journey): Promise<CreatedOrder> {
  const order = (await call('POST', '/s2s/v1/orders', {
    player_id: 'player_1',
    items: [{ sku: 'gems' }],
    price_decimal: 4.99,
    currency: 'USD',
    metadata: { mood },
  }))!;
  return { orderId: order.order_id!, path: new URL(order.checkout_url!).pathname };
}

const post = (path: string, fields: Record<string, string>) =>
  fetch(`${running.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'player@example.com', ...fields }),
    redirect: 'manual',
  }).catch(() => null);

/** The player begins, and says yes at PayPal if the program lived long enough to send them there. */
async function pay({ orderId, path }: CreatedOrder, fields: Record<string, string> = {}): Promise<void> {
  await post(`${path}/pay`, { method: 'paypal', ...fields });
  if (running.hasEnded) return;
  const away = await fetch(`${running.url}${path}/continue`, { redirect: 'manual' }).catch(() => null);
  if (!away?.headers.get('location')) return;
  paypal.approve((await paymentRows(database.db, orderId)).at(-1)!.id);
  await fetch(`${running.url}${path}/return`, { redirect: 'manual' }).catch(() => null);
}

const movesOf = async (orderId: string): Promise<string[]> =>
  (await paymentRows(database.db, orderId)).flatMap(({ id }) => paypal.movementsOf(id));

/** What must be true of the money and the items, whichever call the program died in. */
async function judge(orderId: string, { mood, refund }: Journey): Promise<void> {
  const moved = await movesOf(orderId);
  const status = await statusOf(orderId);
  const isGranted = game.granted.has(orderId);
  if (status === 'created') expect([moved, isGranted]).toEqual([[], false]);
  else if (mood === 'decline')
    expect([status, moved, isGranted]).toEqual(['rejected', ['authorized', 'voided'], false]);
  else if (refund)
    expect([status, moved, isGranted]).toEqual(['refunded', ['authorized', 'captured', 'refunded'], false]);
  else expect([status, moved, isGranted]).toEqual(['paid', ['authorized', 'captured'], true]);
}

const IS_OVER = ['created', 'paid', 'rejected', 'refunded'];

async function untilOver(orderId: string, { refund }: Journey): Promise<void> {
  let looks = 0;
  const isOver = async (): Promise<boolean> => {
    // What a callback to the dead program would have told is learned at the next check, which may be minutes away.
    if (++looks % LOOKS_BEFORE_LATER === 0) await advance(LATER_SECONDS);
    return IS_OVER.includes((await statusOf(orderId)) ?? '');
  };
  await expect.poll(isOver, WAIT).toBe(true);
  if (refund) await expect.poll(() => game.granted.has(orderId), WAIT).toBe(false);
  if ((await statusOf(orderId)) === 'rejected') {
    await expect.poll(async () => (await movesOf(orderId)).length, WAIT).toBe(2);
  }
}

type Point = [When, keyof typeof CALLS, Journey];

const WHERE_MONEY_MOVES: Point[] = [
  ['after', 'authorize', PAYS],
  ['after', 'capture', PAYS],
  ['after', 'refund', IS_REFUNDED],
];
const THE_OTHERS: Point[] = [
  ['before', 'order', PAYS],
  ['after', 'order', PAYS],
  ['before', 'authorize', PAYS],
  ['before', 'capture', PAYS],
  ['before', 'void', IS_REJECTED],
  ['after', 'void', IS_REJECTED],
  ['before', 'refund', IS_REFUNDED],
];
const isEvery = process.env.CRASH_POINTS === 'all';

test.each(isEvery ? [...WHERE_MONEY_MOVES, ...THE_OTHERS] : WHERE_MONEY_MOVES)(
  'killed %s PayPal’s %s, the program loses nothing',
  async (when, name, journey) => {
    const order = await newOrder(journey);
    if (!journey.refund) strike(name, when);
    await pay(order);
    if (journey.refund) {
      await expect.poll(() => statusOf(order.orderId), WAIT).toBe('paid');
      strike(name, when);
      await call('POST', `/s2s/v1/orders/${order.orderId}/refund`, {});
    }
    await restart();
    await untilOver(order.orderId, journey);
    await judge(order.orderId, journey);
  },
);

/** A member's browser, wherever the program listens by now. */
async function openDashboard(cookie: string): Promise<TestBrowser> {
  const browser = newBrowser(running.url!, cookie);
  await browser.open();
  return browser;
}

async function paidOrder(): Promise<string> {
  const order = await newOrder(PAYS);
  await pay(order);
  await expect.poll(() => statusOf(order.orderId), WAIT).toBe('paid');
  return order.orderId;
}

test('killed in the middle of a bulk refund, the run goes on and returns each payment once', async () => {
  const orders = [await paidOrder(), await paidOrder(), await paidOrder()];
  const { browser } = await signedInMember({ database, account, url: running.url! }, 'owner');
  const at = `/games/${account.gameId}/live/bulk`;
  strike('refund', 'after');
  const body = { action: 'refund', order_ids: orders, reason: 'The event was canceled.', password: PASSWORD };
  expect((await browser.call('POST', at, body)).status).toBe(201);
  await restart();
  for (const order of orders) await untilOver(order, IS_REFUNDED);
  for (const order of orders) await judge(order, IS_REFUNDED);
  const again = await openDashboard(browser.cookie!);
  const runs = async () => (await again.call<{ data: BulkRun[] }>('GET', at)).body.data;
  await expect.poll(async () => (await runs())[0]?.status, WAIT).toBe('done');
  expect(await runs()).toMatchObject([{ done: 3, refused: [] }]);
});

test('killed while evidence is sent, the program finds that PayPal has it, and sends it once', async () => {
  const order = await paidOrder();
  const paymentId = (await paymentRows(database.db, order)).at(-1)!.id;
  const { browser } = await signedInMember({ database, account, url: running.url! }, 'owner');
  const at = `/games/${account.gameId}/live/transactions/${paymentId}/disputes`;
  const dispute = paypal.dispute(paymentId, {
    status: 'WAITING_FOR_SELLER_RESPONSE',
    dispute_life_cycle_stage: 'CHARGEBACK',
  });
  await expect.poll(() => statusOf(order), WAIT).toBe('disputed');
  const { evidence } = (await browser.call<DisputeList>('GET', at)).body.data[0]!;
  strike('evidence', 'after');
  await browser.call('POST', `${at}/${dispute}/answer`, evidence).catch(() => null);
  await restart();
  const again = await openDashboard(browser.cookie!);
  const state = async () => (await again.call<DisputeList>('GET', at)).body.data[0]!.evidence_status;
  await expect.poll(state, WAIT).toBe('taken');
  expect(paypal.requests.filter(name => CALLS.evidence.test(name))).toHaveLength(1);
  expect(paypal.store.disputes.get(dispute)?.evidences?.length).toBeGreaterThan(0);
});

if (isEvery) {
  test.each<When>(['before', 'after'])(
    'killed %s the reservation was renewed for a late capture, the program captures once',
    async when => {
      const order = await newOrder(PAYS);
      strike('capture', 'before');
      await pay(order);
      await running.ended;
      strike('reauthorize', when);
      await restart(PAST_HONOR_SECONDS);
      await restart();
      await untilOver(order.orderId, PAYS);
      expect(await statusOf(order.orderId)).toBe('paid');
      expect((await movesOf(order.orderId)).filter(kind => kind === 'captured')).toHaveLength(1);
    },
  );

  test.each<When>(['before', 'after'])('killed %s a saved PayPal paid, the program loses nothing', async when => {
    const first = await newOrder(PAYS);
    await pay(first, { save_method: 'on' });
    await expect.poll(() => statusOf(first.orderId), WAIT).toBe('paid');
    const order = await newOrder(PAYS);
    let saved: string | undefined;
    await expect
      .poll(async () => {
        const page = await (await fetch(`${running.url}${order.path}`)).text();
        saved = /name="saved" value="(svm_\w+)"/.exec(page)?.[1];
        return saved;
      }, WAIT)
      .toBeDefined();
    strike('authorize', when);
    await post(`${order.path}/pay`, { saved: saved! });
    await restart();
    await untilOver(order.orderId, PAYS);
    await judge(order.orderId, PAYS);
  });
}
