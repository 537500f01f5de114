import { describe, expect, it } from 'vitest';
import { stripeFault } from './stripe-fault.ts';

describe('an answer that is no', () => {
  it.each([
    [{ statusCode: 401 }, 'provider_key_invalid'],
    [{ statusCode: 401, code: 'api_key_expired' }, 'provider_key_revoked'],
    [{ statusCode: 403 }, 'provider_permission_missing'],
    [
      {
        statusCode: 404,
        message: "No such token: 'x'; a similar object exists in test mode, but a live mode key was used",
      },
      'provider_key_wrong_mode',
    ],
    [{ statusCode: 400, code: 'testmode_charges_only' }, 'provider_account_not_active'],
  ])('%j is about the account: %s', (error, code) => {
    const fault = stripeFault(error);
    expect(fault.accountProblem).toBe(code);
    expect(fault.problem).toBe(code);
    expect(fault.refusal).toMatchObject({ whose: 'shop', isFinal: false });
    expect(fault.isUncertain).toBe(false);
  });

  it.each([
    [{ statusCode: 400, code: 'amount_too_small' }, 'amount_below_minimum'],
    [{ statusCode: 400, code: 'amount_too_large' }, 'amount_above_maximum'],
    [{ statusCode: 400, param: 'currency' }, 'currency_unsupported'],
    [{ statusCode: 400, code: 'payment_method_unactivated' }, 'method_unavailable'],
    [{ statusCode: 400, param: 'payment_method_data[type]' }, 'method_unavailable'],
    [{ statusCode: 429 }, 'provider_busy'],
    [{ statusCode: 400 }, 'provider_refused'],
  ])('%j is about the payment: %s', (error, code) => {
    const fault = stripeFault(error);
    expect(fault.accountProblem).toBeNull();
    expect(fault.problem).toBe(code);
    expect(fault.refusal.whose).toBe('shop');
  });

  it.each([
    [{ statusCode: 402, code: 'card_declined', decline_code: 'lost_card' }, 'lost_card'],
    [{ statusCode: 400, code: 'payment_intent_authentication_failure' }, 'payment_intent_authentication_failure'],
    [{ statusCode: 400, code: 'payment_method_provider_decline' }, 'payment_method_provider_decline'],
  ])('%j is the bank’s: %s', (error, code) => {
    const fault = stripeFault(error);
    expect(fault.refusal).toMatchObject({ whose: 'bank', code });
  });

  it('of the shop keeps the provider’s code, parameter and request id, and none of its words (row 99)', () => {
    const { refusal } = stripeFault({
      statusCode: 400,
      code: 'parameter_unknown',
      param: 'payment_method_options[card]',
      requestId: 'req_1',
      message: 'Received unknown parameter from sk_live_secret',
    });
    expect(refusal).toMatchObject({
      whose: 'shop',
      code: 'parameter_unknown',
      param: 'payment_method_options[card]',
      requestId: 'req_1',
    });
    expect(JSON.stringify(refusal)).not.toContain('sk_live');
  });
});

describe('a step that was refused', () => {
  it.each([
    ['capture_charge_authorization_expired', 'bank', true],
    ['charge_not_refundable', 'bank', true],
    ['amount_too_large', 'shop', true],
    ['charge_disputed', 'bank', false],
    ['balance_insufficient', 'shop', false],
    ['some_code_of_tomorrow', 'shop', false],
  ])('%s is of the %s; final: %s', (code, whose, isFinal) => {
    expect(stripeFault({ statusCode: 400, code }).stepRefusal).toMatchObject({ whose, code, isFinal });
  });
});

describe('an answer that says nothing', () => {
  it.each([
    [{}],
    [{ statusCode: 500 }],
    [{ statusCode: 503 }],
    [{ statusCode: 409 }],
    [{ statusCode: 400, rawType: 'idempotency_error' }],
  ])('%j may mean anything', error => {
    expect(stripeFault(error).isUncertain).toBe(true);
  });
});

describe('what was asked for by its name', () => {
  it.each([
    [{ statusCode: 404, code: 'resource_missing' }, true],
    [{ statusCode: 400, code: 'resource_missing', param: 'payment_intent' }, true],
    [{ statusCode: 404 }, false],
    [{ statusCode: 404, rawType: 'invalid_request_error' }, false],
  ])('%j says that Stripe does not have it: %s', (error, isMissing) => {
    expect(stripeFault(error).isMissing).toBe(isMissing);
  });
});
