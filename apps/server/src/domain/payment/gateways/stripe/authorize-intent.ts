import type Stripe from 'stripe';
import { sha256 } from '../../../../kit/seal.ts';
import { findMethod } from '../../method-table.ts';
import type { AuthorizeRequest, Charge } from '../gateway.ts';
import { methodOf } from './charge-of-intent.ts';
import type { Decline } from './decline.ts';
import {
  findCustomer,
  findProviderCharge,
  insertCustomer,
  insertProviderCharge,
  updateChargeNever,
  updateCustomerGone,
} from './provider-charge.sql.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { TIMEOUTS_MS } from './stripe-client.ts';
import { asking, type Desk, deskOf, faultOf, readCharge, type StripeDeps } from './stripe-desk.ts';
import { refusalOf } from './stripe-problem.ts';

const NOT_CONNECTED = {
  code: 'provider_not_connected',
  description: 'The studio has connected no payment provider yet.',
};
const NOT_EXACT = {
  code: 'amount_not_exact',
  description: 'The payment provider takes fewer decimals of this currency than the amount has.',
};
const NO_CARD_DATA = { code: 'method_unavailable', description: 'Card data is given to the payment provider only.' };
const GIVEN_UP = { code: 'given_up', description: 'This payment was given up before it reached the provider.' };

function declined({ amountMinor, currency }: AuthorizeRequest, { code, description }: Decline): Charge {
  return {
    status: 'declined',
    amountMinor,
    currency,
    brand: null,
    last4: null,
    country: null,
    responseCode: code,
    responseDescription: description,
    challengeUrl: null,
    dispute: null,
    askAgainInSeconds: null,
  };
}

/** The same player of the same game is the same customer, whichever process makes it first. */
async function customerOf(deps: StripeDeps, desk: Desk, request: AuthorizeRequest): Promise<string | null> {
  const { environmentId, playerId } = request;
  if (playerId === undefined) return null;
  const key = { environmentId, playerId, accountId: desk.account.accountId };
  const known = await findCustomer(deps.db, key);
  if (known?.customerId) return known.customerId;
  const name = `${environmentId}:${sha256(playerId).toString('hex')}:${known?.generation ?? 0}`;
  const { id } = await desk.client.customers.create(
    { metadata: { environment_id: environmentId, player_id: playerId } },
    { idempotencyKey: `customer:${name}`, timeout: TIMEOUTS_MS.ask },
  );
  return insertCustomer(deps.db, key, id);
}

interface Means {
  /** Our word for the method; decides whether money can be reserved. */
  method: string;
  params: Partial<Stripe.PaymentIntentCreateParams>;
}

/** What pays. The token is asked for its method, because a browser may say anything. */
async function meansOf({ client }: Desk, { payWith, email }: AuthorizeRequest): Promise<Means | null> {
  switch (payWith.kind) {
    case 'provider_token': {
      const token = await client.confirmationTokens.retrieve(payWith.token, {}, { timeout: TIMEOUTS_MS.ask });
      const preview = token.payment_method_preview;
      const type = preview?.type ?? 'card';
      return {
        method: methodOf(type, preview?.card?.wallet?.type ?? null),
        params: {
          confirmation_token: payWith.token,
          allowed_payment_method_types: [type],
        },
      };
    }
    case 'saved_method':
      return {
        method: 'card',
        params: { payment_method: payWith.token, allowed_payment_method_types: ['card', 'link'] },
      };
    case 'redirect': {
      const type = findMethod(payWith.method)?.stripe ?? payWith.method;
      const billing = email ? { billing_details: { email } } : {};
      return {
        method: payWith.method,
        params: {
          allowed_payment_method_types: [type],
          payment_method_data: { type, ...billing },
        },
      };
    }
    case 'card':
      return null;
  }
}

function paramsFor(
  request: AuthorizeRequest,
  amount: number,
  customer: string | null,
  { method, params }: Means,
): Stripe.PaymentIntentCreateParams {
  const { orderId, paymentId, environmentId, currency, returnUrl, saveMethod } = request;
  const known = findMethod(method);
  return {
    amount,
    currency: currency.toLowerCase(),
    confirm: true,
    capture_method: known?.canReserve ? 'manual' : 'automatic',
    ...(customer !== null && { customer }),
    ...(saveMethod && known?.canSave && { setup_future_usage: 'on_session' as const }),
    description: `Order ${orderId}`,
    metadata: { order_id: orderId, payment_id: paymentId, environment_id: environmentId },
    return_url: `${returnUrl}/return`,
    expand: ['latest_charge.balance_transaction', 'payment_method'],
    ...params,
  };
}

/** A decline comes as an error that carries the intent. */
const intentIn = (error: unknown): Stripe.PaymentIntent | null => {
  const { payment_intent: intent } = error as { payment_intent?: Stripe.PaymentIntent };
  return intent?.id ? intent : null;
};

type Made = { intent: Stripe.PaymentIntent } | { refusal: Decline };

async function create(
  deps: StripeDeps,
  desk: Desk,
  request: AuthorizeRequest,
  body: Stripe.PaymentIntentCreateParams,
): Promise<Made> {
  const { environmentId, paymentId } = request;
  const where = { environmentId, accountId: desk.account.accountId };
  try {
    const intent = await asking(deps, where, 'a payment', () =>
      desk.client.paymentIntents.create(body, { idempotencyKey: paymentId, timeout: TIMEOUTS_MS.charge }),
    );
    return { intent };
  } catch (error) {
    const intent = faultOf(error).statusCode === 402 ? intentIn(error) : null;
    if (intent) return { intent };
    const fault = faultOf(error);
    if (fault.statusCode === undefined) throw error;
    if (fault.code === 'resource_missing' && fault.param === 'customer' && request.playerId !== undefined) {
      await updateCustomerGone(deps.db, { ...where, playerId: request.playerId });
    }
    // Stripe refused before anything began: there is no charge, and this attempt is over.
    await updateChargeNever(deps.db, request);
    return { refusal: refusalOf(fault) };
  }
}

async function prepare(deps: StripeDeps, desk: Desk, request: AuthorizeRequest) {
  const where = { environmentId: request.environmentId, accountId: desk.account.accountId };
  try {
    return await asking(deps, where, 'who pays', async () => {
      const customer = await customerOf(deps, desk, request);
      return { customer, means: await meansOf(desk, request) };
    });
  } catch (error) {
    const fault = faultOf(error);
    // Nothing of this payment is at Stripe yet, so a clear no is the end of it.
    if (fault.statusCode === undefined) throw error;
    return { refusal: refusalOf(fault) };
  }
}

/** One PaymentIntent, made and confirmed in one call under the payment's id. */
export async function authorizeIntent(
  deps: StripeDeps,
  request: AuthorizeRequest,
  lookUp: (ref: AuthorizeRequest) => Promise<Charge | null>,
): Promise<Charge> {
  const account = await deps.accounts.current(request.environmentId);
  if (!account) return declined(request, NOT_CONNECTED);
  const amount = toStripeAmount(request.amountMinor, request.currency);
  if (amount === null) return declined(request, NOT_EXACT);
  const desk = await deskOf(deps, account);
  const ready = await prepare(deps, desk, request);
  if ('refusal' in ready) return declined(request, ready.refusal);
  if (!ready.means) return declined(request, NO_CARD_DATA);
  const { accountId } = account;
  const row = { ...request, accountId, customerId: ready.customer };
  if (!(await insertProviderCharge(deps.db, row))) {
    const there = await findProviderCharge(deps.db, request);
    if (there?.status === 'never') return declined(request, GIVEN_UP);
    if (there?.status === 'known') return (await lookUp(request)) ?? declined(request, GIVEN_UP);
  }
  const made = await create(deps, desk, request, paramsFor(request, amount, ready.customer, ready.means));
  if ('refusal' in made) return declined(request, made.refusal);
  return readCharge(deps, desk, { ...request, hasDispute: false }, made.intent);
}
