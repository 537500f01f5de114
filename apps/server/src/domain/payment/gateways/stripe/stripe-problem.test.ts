import { describe, expect, it } from 'vitest';
import { accountProblemOf, isUncertain, refusalOf } from './stripe-problem.ts';

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
  ])('%j is about the account: %s', (fault, code) => {
    expect(accountProblemOf(fault)).toBe(code);
    expect(refusalOf(fault).code).toBe(code);
    expect(isUncertain(fault)).toBe(false);
  });

  it.each([
    [{ statusCode: 400, code: 'amount_too_small' }, 'amount_below_minimum'],
    [{ statusCode: 400, code: 'amount_too_large' }, 'amount_above_maximum'],
    [{ statusCode: 400, param: 'currency' }, 'currency_unsupported'],
    [{ statusCode: 400, code: 'payment_method_unactivated' }, 'method_unavailable'],
    [{ statusCode: 400, param: 'payment_method_data[type]' }, 'method_unavailable'],
    [{ statusCode: 429 }, 'provider_busy'],
    [{ statusCode: 400 }, 'provider_refused'],
    [{ statusCode: 402, code: 'card_declined', decline_code: 'lost_card' }, 'lost_card'],
  ])('%j is about the payment: %s', (fault, code) => {
    expect(accountProblemOf(fault)).toBeNull();
    expect(refusalOf(fault).code).toBe(code);
  });
});

describe('an answer that says nothing', () => {
  it.each([
    [{}],
    [{ statusCode: 500 }],
    [{ statusCode: 503 }],
    [{ statusCode: 409 }],
    [{ statusCode: 400, rawType: 'idempotency_error' }],
  ])('%j may mean anything', fault => {
    expect(isUncertain(fault)).toBe(true);
  });
});
