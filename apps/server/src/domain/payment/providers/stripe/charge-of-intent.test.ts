import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { leadingDispute } from '../base/charges.ts';
import { methodOf } from './account/stripe-account.ts';
import { chargeOfIntent } from './charge-of-intent.ts';
import { disputeOf } from './dispute-of-charge.ts';

/** The fields that matter, with the values of Stripe's own fixtures where they are of no interest. */
const intent = (changes: Record<string, unknown>): Stripe.PaymentIntent =>
  ({
    id: 'pi_1PgafyB7WZ01zgkWSjxsAJo3',
    object: 'payment_intent',
    amount: 1099,
    amount_capturable: 0,
    amount_received: 0,
    client_secret: 'pi_1PgafyB7WZ01zgkWSjxsAJo3_secret_x',
    currency: 'usd',
    last_payment_error: null,
    latest_charge: null,
    metadata: {},
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    ...changes,
  }) as unknown as Stripe.PaymentIntent;

const charge = (changes: Record<string, unknown> = {}) => ({
  id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
  object: 'charge',
  amount: 1099,
  amount_captured: 1099,
  amount_refunded: 0,
  balance_transaction: 'txn_1PgaxNB7WZ01zgkWEV3TLf40',
  captured: true,
  currency: 'usd',
  disputed: false,
  payment_method_details: {
    type: 'card',
    card: { brand: 'visa', country: 'US', last4: '4242', wallet: null },
  },
  refunded: false,
  refunds: { data: [], has_more: false, object: 'list' },
  ...changes,
});

const dispute = (status: string, changes: Record<string, unknown> = {}): Stripe.Dispute =>
  ({
    id: 'dp_1Pgc71B7WZ01zgkWMevJiAUx',
    object: 'dispute',
    amount: 1999,
    currency: 'eur',
    balance_transactions: [],
    reason: 'general',
    status,
    evidence_details: { due_by: 1_723_679_999, has_evidence: false, past_due: false, submission_count: 0 },
    ...changes,
  }) as unknown as Stripe.Dispute;

const captured = (changes: Record<string, unknown> = {}) =>
  intent({ status: 'succeeded', amount_received: 1099, latest_charge: charge(changes) });

describe('where an intent stands', () => {
  it.each([
    ['requires_capture', {}, 'authorized'],
    ['succeeded', { amount_received: 1099 }, 'captured'],
    ['processing', {}, 'processing'],
    ['requires_action', { next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} } }, 'requires_action'],
    ['requires_confirmation', {}, 'requires_action'],
    ['requires_payment_method', { last_payment_error: { code: 'card_declined' } }, 'declined'],
    ['canceled', {}, 'voided'],
    ['canceled', { last_payment_error: { code: 'card_declined' } }, 'declined'],
  ])('%s %j is %s here', (status, changes, expected) => {
    expect(chargeOfIntent(intent({ status, ...changes })).status).toBe(expected);
  });

  it('tells what paid: brand, last four, country, wallet', () => {
    expect(chargeOfIntent(captured())).toMatchObject({ brand: 'visa', last4: '4242', country: 'US', method: 'card' });
    const wallet = {
      type: 'card',
      card: { brand: 'visa', country: 'US', last4: '4242', wallet: { type: 'google_pay' } },
    };
    expect(chargeOfIntent(captured({ payment_method_details: wallet }))).toMatchObject({ method: 'google_pay' });
    const debit = { type: 'sepa_debit', sepa_debit: { last4: '3000', country: 'DE' } };
    expect(chargeOfIntent(captured({ payment_method_details: debit }))).toMatchObject({
      method: 'sepa_debit',
      brand: null,
      last4: '3000',
      country: 'DE',
    });
    expect(methodOf('something_new')).toBe('something_new');
  });

  it('tells the fee when Stripe has booked it', () => {
    const booked = { id: 'txn_1', object: 'balance_transaction', currency: 'eur', fee: 62 };
    expect(chargeOfIntent(captured({ balance_transaction: booked })).fee).toEqual({ amountMinor: 62, currency: 'EUR' });
    expect(chargeOfIntent(captured()).fee).toBeNull();
  });

  it('tells how likely fraud is and what was compared, leaving out words that it does not know', () => {
    expect(chargeOfIntent(captured()).risk).toBeNull();
    const card = {
      brand: 'visa',
      checks: { cvc_check: 'fail', address_postal_code_check: 'pass', address_line1_check: 'unavailable' },
      three_d_secure: { result: 'authenticated' },
    };
    const outcome = { risk_level: 'elevated', risk_score: 71, reason: null };
    const seen = captured({ outcome, payment_method_details: { type: 'card', card } });
    expect(chargeOfIntent(seen).risk).toEqual({
      level: 'elevated',
      score: 71,
      checks: [
        { what: 'security_code', result: 'failed' },
        { what: 'postal_code', result: 'passed' },
        { what: 'address', result: 'unchecked' },
        { what: 'three_d_secure', result: 'passed' },
      ],
    });
    const unheard = captured({ outcome: { risk_level: 'not_assessed', reason: null } });
    expect(chargeOfIntent(unheard).risk).toBeNull();
  });

  it('counts what was captured, not what was asked for', () => {
    const less = intent({ status: 'succeeded', amount: 1099, amount_received: 1000, latest_charge: charge() });
    expect(chargeOfIntent(less).amountMinor).toBe(1000);
  });

  it('says why in plain words, the bank’s own code first', () => {
    const error = { code: 'card_declined', decline_code: 'insufficient_funds', type: 'card_error' };
    expect(chargeOfIntent(intent({ last_payment_error: error }))).toMatchObject({
      responseCode: 'insufficient_funds',
      responseDescription: 'Insufficient funds',
    });
    expect(chargeOfIntent(intent({ last_payment_error: { code: 'never_heard_of' } }))).toMatchObject({
      responseCode: 'never_heard_of',
      responseDescription: 'Payment declined',
    });
  });

  it('finds why it was declined in the charge that failed, when ending the intent has cleared its error', () => {
    const failed = { status: 'failed', failure_code: 'card_declined', outcome: { reason: 'insufficient_funds' } };
    const ended = intent({ status: 'canceled', last_payment_error: null, latest_charge: charge(failed) });
    expect(chargeOfIntent(ended)).toMatchObject({ status: 'declined', responseCode: 'insufficient_funds' });
    const plain = charge({ ...failed, outcome: null });
    expect(chargeOfIntent(intent({ status: 'canceled', latest_charge: plain })).responseCode).toBe('card_declined');
  });
});

describe('a refund', () => {
  it('is done when the bank has done it, not when it was asked for', () => {
    const refunded = { amount_refunded: 1099, refunded: true };
    expect(chargeOfIntent(captured(refunded)).status).toBe('refunded');
    const pending = captured({ ...refunded, refunds: { data: [{ status: 'pending' }] } });
    expect(chargeOfIntent(pending)).toMatchObject({ status: 'captured', askAgainInSeconds: 21_600 });
  });

  it('of a part is told, and is no refund', () => {
    expect(chargeOfIntent(captured({ amount_refunded: 99 }))).toMatchObject({ status: 'captured', refundedMinor: 99 });
  });
});

describe('a dispute', () => {
  it.each([
    ['needs_response', 'open'],
    ['under_review', 'open'],
    ['warning_needs_response', 'inquiry'],
    ['warning_under_review', 'inquiry'],
    ['appeal_needs_response', 'open'],
    ['won', 'won'],
    ['warning_closed', 'won'],
    ['prevented', 'prevented'],
    ['invented_tomorrow', 'unclear'],
    ['lost', 'lost'],
  ])('that is %s at Stripe is %s here, with its deadline', (status, expected) => {
    expect(disputeOf(dispute(status))).toMatchObject({
      status: expected,
      reason: 'general',
      evidenceDueAt: new Date(1_723_679_999_000),
    });
  });

  it('beside others: what was lost counts first, then what is open', () => {
    expect(leadingDispute({ disputes: [dispute('won'), dispute('needs_response')].map(disputeOf) })?.status).toBe(
      'open',
    );
    expect(leadingDispute({ disputes: [dispute('needs_response'), dispute('lost')].map(disputeOf) })?.status).toBe(
      'lost',
    );
    expect(leadingDispute({ disputes: [] })).toBeNull();
  });

  it('that is open is asked about once a day, should its callback get lost', () => {
    expect(chargeOfIntent(captured(), [dispute('needs_response')]).askAgainInSeconds).toBe(86_400);
    expect(chargeOfIntent(captured(), [dispute('won')]).askAgainInSeconds).toBeNull();
  });
});

describe('what the player does next', () => {
  it.each([
    [
      'redirect_to_url',
      { url: 'https://bank.test/a', return_url: 'https://shop.test' },
      { redirectUrl: 'https://bank.test/a' },
    ],
    ['alipay_handle_redirect', { url: 'https://alipay.test' }, { redirectUrl: 'https://alipay.test' }],
    [
      'pix_display_qr_code',
      { hosted_instructions_url: 'https://pay.test/pix', expires_at: 1_800_000_000 },
      { instructionsUrl: 'https://pay.test/pix', expiresAt: new Date(1_800_000_000_000) },
    ],
    ['use_stripe_sdk', { type: 'three_d_secure_redirect' }, { redirectUrl: null, instructionsUrl: null }],
  ])('%s', (type, details, expected) => {
    const waiting = intent({ status: 'requires_action', next_action: { type, [type]: details } });
    const { status, nextAction } = chargeOfIntent(waiting);
    expect(status).toBe('requires_action');
    expect(nextAction).toMatchObject({ clientSecret: 'pi_1PgafyB7WZ01zgkWSjxsAJo3_secret_x', ...expected });
  });

  it('with a voucher is to pay it somewhere: the money is on its way', () => {
    const details = { hosted_voucher_url: 'https://pay.test/oxxo', number: '123', expires_after: 1_800_000_000 };
    const waiting = intent({
      status: 'requires_action',
      next_action: { type: 'oxxo_display_details', oxxo_display_details: details },
    });
    expect(chargeOfIntent(waiting)).toMatchObject({
      status: 'processing',
      askAgainInSeconds: 3_600,
      nextAction: {
        instructionsUrl: 'https://pay.test/oxxo',
        reference: '123',
        expiresAt: new Date(1_800_000_000_000),
      },
    });
  });
});

describe('an action that the bank waits for', () => {
  const asked = (type: string, details: Record<string, unknown>) =>
    chargeOfIntent(intent({ status: 'requires_action', next_action: { type, [type]: details } }));

  it('leads to a page that works on a client and on a phone, where there is one', () => {
    const page = 'https://payments.stripe.com/qr/instructions/x';
    const swish = { hosted_instructions_url: page, mobile_auth_url: 'https://payments.stripe.com/swish/app' };
    expect(asked('swish_handle_redirect_or_display_qr_code', swish)).toMatchObject({
      status: 'requires_action',
      nextAction: { redirectUrl: page },
    });
  });

  it('takes days where the bank proves an account by small deposits, and is waited for', () => {
    const page = 'https://payments.stripe.com/microdeposit/x';
    expect(asked('verify_with_microdeposits', { hosted_verification_url: page })).toMatchObject({
      status: 'processing',
      nextAction: { instructionsUrl: page },
    });
  });
});

it('a released reservation returned nothing that was captured', () => {
  const released = charge({ captured: false, amount_captured: 0, amount_refunded: 1099, refunded: true });
  expect(chargeOfIntent(intent({ status: 'canceled', latest_charge: released }))).toMatchObject({
    status: 'voided',
    refundedMinor: 0,
  });
});
