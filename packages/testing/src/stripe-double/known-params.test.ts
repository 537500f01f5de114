import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from './stripe-double.ts';

let stripe: StripeDouble;
beforeAll(async () => {
  stripe = await startStripeDouble();
});
afterAll(() => stripe.close());

async function post(path: string, fields: Record<string, string>, key?: string) {
  const response = await fetch(stripe.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TEST_KEYS.secret}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: new URLSearchParams(fields),
  });
  const { error } = (await response.json()) as { error?: Record<string, string> };
  return { status: response.status, error };
}

const good = () => ({
  amount: '499',
  currency: 'usd',
  confirm: 'true',
  confirmation_token: stripe.token('pm_card_visa', { drawnWith: ['card'] }),
  'allowed_payment_method_types[0]': 'card',
  'payment_method_options[card][capture_method]': 'manual',
  return_url: 'https://shop.test/return',
});

describe('the double refuses what Stripe refuses', () => {
  it.each([
    ['an unknown parameter', { color: 'red' }, 'color'],
    [
      'an unknown parameter inside another',
      { 'payment_method_options[card][captured]': '1' },
      'payment_method_options[card][captured]',
    ],
    [
      'an option of a method that has none',
      { 'payment_method_options[oxxo][capture_method]': 'manual' },
      'payment_method_options[oxxo]',
    ],
    ['a value where names belong', { metadata: 'order' }, 'metadata'],
    ['a value where a list belongs', { expand: 'latest_charge' }, 'expand'],
    ['two ways to pay at once', { payment_method: 'pm_1' }, 'confirmation_token'],
    ['a wish to keep the method for no customer', { setup_future_usage: 'on_session' }, 'setup_future_usage'],
  ])('%s', async (_, more, param) => {
    const answer = await post('/v1/payment_intents', { ...good(), ...more });
    expect(answer).toMatchObject({ status: 400, error: { type: 'invalid_request_error', param } });
  });

  it('takes the same without it', async () => {
    expect(await post('/v1/payment_intents', good())).toEqual({ status: 200, error: undefined });
  });

  it('a refusal comes again under its key, and not under the next', async () => {
    stripe.faults.plan(/^POST \/v1\/customers$/, { kind: 'refuse', status: 500, type: 'api_error' });
    expect(await post('/v1/customers', {}, 'one')).toMatchObject({ status: 500 });
    expect(await post('/v1/customers', {}, 'one')).toMatchObject({ status: 500 });
    expect(await post('/v1/customers', {}, 'two')).toMatchObject({ status: 200 });
  });
});
