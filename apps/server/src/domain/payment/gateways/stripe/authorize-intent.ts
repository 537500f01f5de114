import type Stripe from 'stripe';
import { sha256 } from '../../../../kit/seal.ts';
import { findMethod } from '../../method-table.ts';
import type { AuthorizeRequest, Charge, Refusal } from '../gateway.ts';
import { methodOf } from './charge-of-intent.ts';
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
import { type AccountClient, asking, contextOf, faultOf, readCharge, type StripeDeps } from './stripe-context.ts';
import { refusalOf } from './stripe-problem.ts';

/** Found here, before the provider was asked: never the bank's. */
const ours = (code: string, reason: string): Refusal => ({
  whose: 'shop',
  code,
  reason,
  param: null,
  requestId: null,
  isFinal: true,
});

const NOT_CONNECTED = ours('provider_not_connected', 'The studio has connected no payment provider yet.');
const NOT_EXACT = ours(
  'amount_not_exact',
  'The payment provider takes fewer decimals of this currency than the amount has.',
);
const NOT_OFFERED = ours('method_unavailable', 'The way to pay is not offered for this order.');
const SAVED_GONE = ours('saved_method_gone', 'The payment provider has the saved method no more.');
const GIVEN_UP = ours('given_up', 'This payment was given up before it reached the provider.');

function declined({ amountMinor, currency }: AuthorizeRequest, refusal: Refusal): Charge {
  return {
    status: 'declined',
    amountMinor,
    currency,
    brand: null,
    last4: null,
    country: null,
    responseCode: refusal.code,
    responseDescription: refusal.reason,
    challengeUrl: null,
    dispute: null,
    askAgainInSeconds: null,
    declinedBy: refusal.whose,
    refusal,
  };
}

/** The same player of the same game is the same customer, whichever process makes it first. */
async function customerOf(deps: StripeDeps, client: AccountClient, request: AuthorizeRequest): Promise<string | null> {
  const { environmentId, playerId } = request;
  if (playerId === undefined) return null;
  const key = { environmentId, playerId, accountId: client.account.accountId };
  const known = await findCustomer(deps.db, key);
  if (known?.customerId) return known.customerId;
  const name = `${environmentId}:${sha256(playerId).toString('hex')}:${known?.generation ?? 0}`;
  const { id } = await client.client.customers.create(
    { metadata: { environment_id: environmentId, player_id: playerId } },
    { idempotencyKey: `customer:${name}`, timeout: TIMEOUTS_MS.ask },
  );
  return insertCustomer(deps.db, key, id);
}

interface Means {
  /** Our word for the method; decides whether money can be reserved. */
  method: string;
  /** Stripe's. */
  type: string;
  params: Partial<Stripe.PaymentIntentCreateParams>;
}

/** What pays. The token is asked for its method, because a browser may say anything. */
async function meansOf({ client }: AccountClient, { payWith, email }: AuthorizeRequest): Promise<Means | null> {
  switch (payWith.kind) {
    case 'provider_token': {
      const token = await client.confirmationTokens.retrieve(payWith.token, {}, { timeout: TIMEOUTS_MS.ask });
      const preview = token.payment_method_preview;
      const type = preview?.type ?? 'card';
      const { token: id, offered = [type] } = payWith;
      // A browser may draw a form of its own: what was not offered is not taken.
      if (!offered.includes(type)) return null;
      const future = token.setup_future_usage;
      return {
        method: methodOf(type, preview?.card?.wallet?.type ?? null),
        type,
        params: {
          confirmation_token: id,
          // The token is bound to the list and the wish that the form was drawn with. Any other is refused.
          allowed_payment_method_types: [...offered],
          ...(future !== null && { setup_future_usage: future }),
        },
      };
    }
    case 'saved_method':
      return {
        method: 'card',
        type: 'card',
        params: { payment_method: payWith.token, allowed_payment_method_types: ['card'] },
      };
    case 'redirect': {
      const type = findMethod(payWith.method)?.stripe ?? payWith.method;
      const billing = email ? { billing_details: { email } } : {};
      return {
        method: payWith.method,
        type,
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

/**
 * Reserving is asked of the one method that pays. Asked of the whole intent it would take every method that cannot
 * reserve off the list, and the list must stay as the form had it.
 */
function optionsFor({ method, type }: Means): Stripe.PaymentIntentCreateParams.PaymentMethodOptions {
  if (findMethod(method)?.canReserve) return { [type]: { capture_method: 'manual' } };
  return type === 'wechat_pay' ? { wechat_pay: { client: 'web' } } : {};
}

function paramsFor(
  request: AuthorizeRequest,
  amount: number,
  customer: string | null,
  means: Means,
): Stripe.PaymentIntentCreateParams {
  const { orderId, paymentId, environmentId, currency, returnUrl } = request;
  return {
    amount,
    currency: currency.toLowerCase(),
    confirm: true,
    capture_method: 'automatic',
    payment_method_options: optionsFor(means),
    ...(customer !== null && { customer }),
    description: `Order ${orderId}`,
    metadata: { order_id: orderId, payment_id: paymentId, environment_id: environmentId },
    return_url: `${returnUrl}/return`,
    expand: ['latest_charge.balance_transaction', 'payment_method'],
    ...means.params,
  };
}

/** A decline comes as an error that carries the intent. */
const intentIn = (error: unknown): Stripe.PaymentIntent | null => {
  const { payment_intent: intent } = error as { payment_intent?: Stripe.PaymentIntent };
  return intent?.id ? intent : null;
};

type Made = { intent: Stripe.PaymentIntent } | { refusal: Refusal };

async function create(
  deps: StripeDeps,
  client: AccountClient,
  request: AuthorizeRequest,
  body: Stripe.PaymentIntentCreateParams,
): Promise<Made> {
  const { environmentId, paymentId } = request;
  const where = { environmentId, accountId: client.account.accountId };
  try {
    const intent = await asking(deps, where, 'a payment', () =>
      client.client.paymentIntents.create(body, { idempotencyKey: paymentId, timeout: TIMEOUTS_MS.charge }),
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
    const refusal = refusalOf(fault);
    // Detached or deleted there, or kept at an account that the company has left.
    const isGone = request.payWith.kind === 'saved_method' && refusal.code === 'method_unavailable';
    return { refusal: isGone ? { ...SAVED_GONE, requestId: refusal.requestId } : refusal };
  }
}

async function prepare(deps: StripeDeps, client: AccountClient, request: AuthorizeRequest) {
  const where = { environmentId: request.environmentId, accountId: client.account.accountId };
  try {
    return await asking(deps, where, 'who pays', async () => {
      const customer = await customerOf(deps, client, request);
      return { customer, means: await meansOf(client, request) };
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
  const client = await contextOf(deps, account);
  const ready = await prepare(deps, client, request);
  if ('refusal' in ready) return declined(request, ready.refusal);
  if (!ready.means) return declined(request, NOT_OFFERED);
  const { accountId } = account;
  const row = { ...request, accountId, customerId: ready.customer };
  if (!(await insertProviderCharge(deps.db, row))) {
    const there = await findProviderCharge(deps.db, request);
    if (there?.status === 'never') return declined(request, GIVEN_UP);
    if (there?.status === 'known') return (await lookUp(request)) ?? declined(request, GIVEN_UP);
  }
  const made = await create(deps, client, request, paramsFor(request, amount, ready.customer, ready.means));
  if ('refusal' in made) return declined(request, made.refusal);
  return readCharge(deps, client, { ...request, hasDispute: false }, made.intent);
}
