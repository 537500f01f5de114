import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import {
  MOLLIE_KEYS_OF_DOUBLE as KEYS,
  type MollieDouble,
  startMollieDouble,
} from '@coinslot/testing/mollie-double/mollie-double';
import { type PaypalDouble, startPaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import { MASTER_KEY } from '@coinslot/testing/program';
import {
  LIVE_KEY,
  REVOKED_KEY,
  type StripeDouble,
  startStripeDouble,
  TEST_KEYS,
} from '@coinslot/testing/stripe-double/stripe-double';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../db/sql.ts';
import type { AnsweredCall } from '../domain/payment/providers/base/provider.ts';
import { systemClock } from '../kit/clock.ts';
import { createSeal } from '../kit/seal.ts';
import { knownProviders } from '../program/known-providers.ts';
import { loadConfig } from '../settings/config.ts';
import { providerCommand } from './provider.ts';

let database: TestDatabase;
let stripe: StripeDouble;
let paypal: PaypalDouble;
let mollie: MollieDouble;
let lines: string[];

beforeAll(async () => {
  [database, stripe, paypal, mollie] = await Promise.all([
    testDatabase(),
    startStripeDouble(),
    startPaypalDouble(),
    startMollieDouble(),
  ]);
});
beforeEach(() => {
  lines = [];
});
afterAll(async () => {
  await database?.drop();
  await stripe?.close();
  await paypal?.close();
  await mollie?.close();
});

const write = (line: string): void => void lines.push(line);

/** The operator approves in a browser while the command waits. */
const approve = async (): Promise<void> => {
  const waiting = [...paypal.store.orders.values()].filter(({ status }) => status === 'PAYER_ACTION_REQUIRED');
  for (const { unit } of waiting) paypal.approve(unit.custom_id!);
  for (const { metadata } of mollie.store.payments.values()) mollie.decide(metadata.payment_id!, 'approves');
};

const STRIPE_KEYS = { STRIPE_SECRET_KEY: TEST_KEYS.secret, STRIPE_PUBLISHABLE_KEY: TEST_KEYS.publishable };

function run(argv: string[], env: Record<string, string>, pause = approve): Promise<number> {
  const config = loadConfig({
    NODE_ENV: 'test',
    STRIPE_API_BASE: stripe.url,
    PAYPAL_API_BASE: paypal.url,
    MOLLIE_API_BASE: mollie.url,
    PAYPAL_MODE: 'sandbox',
    ...env,
  });
  const answers: AnsweredCall[] = [];
  const seal = createSeal(MASTER_KEY);
  const { db } = database;
  const providers = knownProviders({
    config,
    version: 'test',
    db,
    seal,
    watchGateway: gateway => gateway,
    onRefusal: () => {},
    onAnswer: answered => void answers.push(answered),
  });
  return providerCommand.run(argv, {
    db,
    providers,
    nowMs: systemClock.nowMs,
    write,
    writeError: write,
    pause,
    pauseSeconds: 3,
    answers,
  });
}

const paypalKeys = () => ({ PAYPAL_CLIENT_ID: paypal.keys.clientId, PAYPAL_CLIENT_SECRET: paypal.keys.secret });
const steps = (): string[] => lines.map(line => line.split(/ {2,}/)[0]!);

describe('a trial of a provider', () => {
  it('walks from the reservation to the refund at Stripe, and leaves nothing here', async () => {
    expect(await run(['try', 'stripe'], STRIPE_KEYS)).toBe(0);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^authorize +authorized, 5\.00 USD, pi_/),
        expect.stringMatching(/^ask +authorized/),
        expect.stringMatching(/^capture +captured, 5\.00 USD, .*fee/),
        expect.stringMatching(/^refund +refunded/),
      ]),
    );
    expect(stripe.store.movements.map(({ kind }) => kind)).toEqual(['authorized', 'captured', 'refunded']);
    expect(await database.db.query(sql('test_trial_rows')`select 1 from provider_charges`)).toEqual([]);
  });

  it('waits for the operator who approves at PayPal, and takes every provider that has keys', async () => {
    expect(await run(['try'], { ...STRIPE_KEYS, ...paypalKeys() })).toBe(0);
    expect(steps()).toEqual(
      expect.arrayContaining(['Stripe', 'PayPal', 'approve', 'authorize', 'ask', 'capture', 'refund']),
    );
    expect(lines.find(line => line.startsWith('approve'))).toContain(`${paypal.url}/checkoutnow?token=`);
    expect(paypal.store.movements.map(({ kind }) => kind)).toEqual(['authorized', 'captured', 'refunded']);
  });

  it('prints each call below its step with the request id by which the provider’s support finds it, at all three', async () => {
    const mollieKeys = { MOLLIE_API_KEY: KEYS.test, MOLLIE_PROFILE_ID: KEYS.profile };
    expect(await run(['try'], { ...STRIPE_KEYS, ...paypalKeys(), ...mollieKeys })).toBe(0);
    const calls = lines.filter(line => line.startsWith(' ')).map(line => line.trim());
    expect(calls).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^POST \/v1\/payment_intents +200 +req_double$/),
        expect.stringMatching(/^POST \/v1\/refunds +200 +req_double$/),
        expect.stringMatching(/^POST \/v2\/checkout\/orders +201 +f00d00double$/),
        expect.stringMatching(/^POST \/v2\/payments\/captures\/\w+\/refund +201 +f00d00double$/),
        expect.stringMatching(/^POST \/v2\/payments +201 +tr_/),
        expect.stringMatching(/^POST \/v2\/payments\/tr_\w+\/captures +201 +cpt_/),
        expect.stringMatching(/^POST \/v2\/payments\/tr_\w+\/refunds +201 +re_/),
      ]),
    );
    expect(lines.find(line => line.startsWith('approve') && line.includes('/checkout/tr_'))).toBeTruthy();
    expect(lines.filter(line => line.startsWith('Every step was answered'))).toHaveLength(3);
    expect(lines.join('\n')).not.toMatch(/sk_test|Edouble|test_double/);
  });

  it('ends when the operator does not approve', async () => {
    expect(await run(['try', 'paypal', '--wait', '0.1'], paypalKeys(), async () => {})).toBe(1);
    expect(lines.at(-1)).toContain('expected authorized');
  });

  it('says what the provider answered otherwise', async () => {
    const param = 'payment_method_options[card][capture_method]';
    stripe.faults.plan(/capture$/, {
      kind: 'refuse',
      status: 400,
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      param,
    });
    expect(await run(['try', 'stripe'], STRIPE_KEYS)).toBe(1);
    expect(lines.find(line => line.startsWith('capture'))).toMatch(
      /refused \(shop\): parameter_unknown.*parameter payment_method_options.*request req_double/,
    );
    expect(lines.at(-1)).toContain('capture: expected captured');
  });

  it('refuses live keys before anything is asked, and never prints a key', async () => {
    const before = stripe.requests.length;
    const live = { STRIPE_SECRET_KEY: LIVE_KEY, STRIPE_PUBLISHABLE_KEY: 'pk_live_Double0001' };
    expect(await run(['try', 'stripe'], live)).toBe(1);
    expect(lines.at(-1)).toContain('live keys');
    expect(stripe.requests).toHaveLength(before);
    expect(await run(['try', 'stripe'], { ...STRIPE_KEYS, STRIPE_SECRET_KEY: REVOKED_KEY })).toBe(1);
    expect(await run(['try', 'paypal'], { ...paypalKeys(), PAYPAL_MODE: 'live' })).toBe(1);
    expect(lines.join('\n')).not.toMatch(/sk_live|sk_test|Edouble/);
  });

  it('says how it is used', async () => {
    expect(await run(['try', 'stripe'], {})).toBe(2);
    expect(await run(['walk'], STRIPE_KEYS)).toBe(2);
    expect(await run(['try', '--speed', 'fast'], STRIPE_KEYS)).toBe(2);
    expect(lines.at(-1)).toMatch(/Usage: .* provider .*<action>[\s\S]+provider try/);
  });
});
