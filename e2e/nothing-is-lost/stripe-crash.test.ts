import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { paymentRows } from '@coinslot/testing/order-rows';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeal } from '../../apps/server/src/kit/seal.ts';
import type { CrashPlan } from './crash-plan.ts';
import { type HonestGame, startHonestGame } from './honest-game.ts';
import { type BuiltProgram, buildProgramForPlayers, type ProgramProcess, startProcess } from './program-process.ts';

const PAST_ALL_LEASES_SECONDS = 60;
const WAIT = { timeout: 60_000, interval: 50 };

let built: BuiltProgram;
let database: TestDatabase;
let stripe: StripeDouble;
let game: HonestGame;
let key: string;
let running: ProgramProcess;
let aheadSeconds = 0;

async function start(plan: CrashPlan | null): Promise<void> {
  running = startProcess(built, {
    databaseUrl: database.url,
    plan,
    env: {
      STRIPE_API_BASE: stripe.url,
      STRIPE_SECRET_KEY: TEST_KEYS.secret,
      STRIPE_PUBLISHABLE_KEY: TEST_KEYS.publishable,
      STRIPE_WEBHOOK_SECRET: TEST_KEYS.callback,
    },
  });
  await running.settled;
  stripe.callBack({ url: `${running.url}/gateways/stripe`, secret: TEST_KEYS.callback }, { auto: true });
}

async function end(): Promise<void> {
  running.signal('SIGKILL');
  await running.ended;
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

async function pay(checkoutUrl: string): Promise<void> {
  const form = { method: 'card', provider_token: stripe.token(), email: 'player@example.com' };
  const url = `${running.url}${new URL(checkoutUrl).pathname}/pay`;
  await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }).catch(() => null);
}

const statusOf = async (orderId: string): Promise<string | undefined> =>
  (await call('GET', `/s2s/v1/orders/${orderId}`))?.status;

async function advance(): Promise<void> {
  aheadSeconds += PAST_ALL_LEASES_SECONDS;
  await database.advance(PAST_ALL_LEASES_SECONDS);
}

beforeAll(async () => {
  [built, database, game] = await Promise.all([buildProgramForPlayers(), testDatabase(), startHonestGame()]);
  stripe = await startStripeDouble({ nowSeconds: () => Math.floor(Date.now() / 1000) + aheadSeconds });
  ({ s2sKey: key } = (await registerTestAccount(database.db, createSeal(MASTER_KEY))).live);
  await start(null);
  const hook = { url: game.url, events: ['item.add', 'item.remove'] };
  expect(await call('POST', '/s2s/v1/webhooks', hook)).toHaveProperty('id');
  await end();
});

afterAll(async () => {
  await end();
  await stripe.settle();
  await stripe.close();
  await game.close();
  await database.drop();
});

interface Journey {
  mood: 'well' | 'decline';
  refund: boolean;
}

const PAYS: Journey = { mood: 'well', refund: false };
const IS_REJECTED: Journey = { mood: 'decline', refund: false };
const IS_REFUNDED: Journey = { mood: 'well', refund: true };

const POINTS: [string, Journey][] = [
  ['before authorize at Stripe', PAYS],
  ['after authorize at Stripe', PAYS],
  ['before capture at Stripe', PAYS],
  ['after capture at Stripe', PAYS],
  ['after void at Stripe', IS_REJECTED],
  ['before refund at Stripe', IS_REFUNDED],
  ['after refund at Stripe', IS_REFUNDED],
];

/** What must be true of the money and the items, whichever process died. */
async function judge(orderId: string, { mood, refund }: Journey): Promise<void> {
  const payments = await paymentRows(database.db, orderId);
  const moved = payments.flatMap(({ id }) => stripe.movementsOf(id));
  const status = await statusOf(orderId);
  const isGranted = game.granted.has(orderId);
  expect(moved.filter(kind => kind === 'captured').length).toBeLessThanOrEqual(1);
  expect(moved.filter(kind => kind === 'refunded').length).toBeLessThanOrEqual(1);
  if (status === 'created') expect([moved, isGranted]).toEqual([[], false]);
  else if (mood === 'decline')
    expect([status, moved, isGranted]).toEqual(['rejected', ['authorized', 'canceled'], false]);
  else if (refund) {
    expect([status, moved, isGranted]).toEqual(['refunded', ['authorized', 'captured', 'refunded'], false]);
  } else expect([status, moved, isGranted]).toEqual(['paid', ['authorized', 'captured'], true]);
}

const IS_OVER = ['created', 'paid', 'rejected', 'refunded'];

test.each(POINTS)(
  'killed %s, the program loses nothing',
  async (point, journey) => {
    await start({ point, passing: 1 });
    const order = (await call('POST', '/s2s/v1/orders', {
      player_id: 'player_1',
      items: [{ sku: 'gems' }],
      price_decimal: 4.99,
      currency: 'USD',
      metadata: { mood: journey.mood },
    }))!;
    const orderId = order.order_id!;
    await pay(order.checkout_url!);
    if (journey.refund) {
      await expect.poll(() => statusOf(orderId), WAIT).toBe('paid');
      await call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
    }
    await running.ended;
    await start(null);
    await advance();
    await expect.poll(async () => IS_OVER.includes((await statusOf(orderId)) ?? ''), WAIT).toBe(true);
    if (journey.refund) await expect.poll(() => game.granted.has(orderId), WAIT).toBe(false);
    await judge(orderId, journey);
    await end();
  },
  180_000,
);
