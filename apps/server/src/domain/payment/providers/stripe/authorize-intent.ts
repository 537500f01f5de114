import type Stripe from 'stripe';
import { sha256 } from '../../../../kit/seal.ts';
import { findMethod } from '../../methods/method-table.ts';
import type { AuthorizeRequest, Charge, Refusal } from '../base/gateway.ts';
import { SHOP_PROBLEMS, type ShopProblem } from '../base/problems.ts';
import type { OpenedAccount } from '../base/provider.ts';
import {
  findCustomer,
  findProviderCharge,
  insertCustomer,
  insertProviderCharge,
  updateChargeNever,
  updateCustomerGone,
  updateCustomerRefused,
  upsertRefusedCharge,
} from '../base/provider-charge.sql.ts';
import { keptFor, methodOf, typeOf } from './account/stripe-abilities.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { STRIPE, TIMEOUTS_MS } from './stripe-client.ts';
import { type AccountClient, callStripe, contextOf, faultOf, readCharge, type StripeDeps } from './stripe-context.ts';
import { isStored, refusalOf, type StripeFault, shopProblemOf } from './stripe-problem.ts';

interface No {
  /** What the payment's record says: a bank's own word, or one of ours for what is the shop's. */
  code: string;
  refusal: Refusal;
}

/** Found here, before the provider was asked: never the bank's. */
const ours = (code: ShopProblem, more: Partial<Refusal> = {}): No => ({
  code,
  refusal: { whose: 'shop', code, reason: SHOP_PROBLEMS[code], param: null, requestId: null, isFinal: true, ...more },
});

function noOf(fault: StripeFault): No {
  const refusal = refusalOf(fault);
  return { refusal, code: refusal.whose === 'shop' ? shopProblemOf(fault) : refusal.code };
}

function declined({ amountMinor, currency }: AuthorizeRequest, { code, refusal }: No): Charge {
  return {
    status: 'declined',
    amountMinor,
    currency,
    brand: null,
    last4: null,
    country: null,
    responseCode: code,
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
  const generation = known?.generation ?? 0;
  const name = `${environmentId}:${sha256(playerId).toString('hex')}:${generation}`;
  try {
    const { id } = await client.client.customers.create(
      { metadata: { environment_id: environmentId, player_id: playerId } },
      { idempotencyKey: `customer:${name}`, timeout: TIMEOUTS_MS.ask },
    );
    return await insertCustomer(deps.db, key, id);
  } catch (error) {
    // A customer too many holds no money, so there is nothing to look up first.
    if (isStored(faultOf(error))) await updateCustomerRefused(deps.db, key, generation);
    throw error;
  }
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
        method: payWith.method,
        type: typeOf(payWith.method),
        params: {
          payment_method: payWith.token,
          allowed_payment_method_types: [typeOf(payWith.method)],
          // Without it a method that was kept by a mandate would send the player to its page again.
          ...(keptFor(payWith.method) === 'off_session' && { off_session: true }),
        },
      };
    case 'redirect': {
      const type = typeOf(payWith.method);
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

type Made = { intent: Stripe.PaymentIntent } | { no: No };

/** Detached or deleted there, or kept at an account that the company has left. Of a detached one the error names no part. */
async function isMethodGone(
  { client }: AccountClient,
  { payWith }: AuthorizeRequest,
  { customer }: Stripe.PaymentIntentCreateParams,
  { code }: No,
): Promise<boolean> {
  if (payWith.kind !== 'saved_method') return false;
  if (code !== 'provider_refused') return code === 'method_unavailable';
  try {
    const method = await client.paymentMethods.retrieve(payWith.token, {}, { timeout: TIMEOUTS_MS.ask });
    return method.customer !== customer;
  } catch (error) {
    return faultOf(error).code === 'resource_missing';
  }
}

async function create(
  deps: StripeDeps,
  client: AccountClient,
  request: AuthorizeRequest,
  body: Stripe.PaymentIntentCreateParams,
): Promise<Made> {
  const { environmentId, paymentId } = request;
  const where = { environmentId, accountId: client.account.accountId };
  try {
    const intent = await callStripe(deps, where, 'a payment', () =>
      client.client.paymentIntents.create(body, { idempotencyKey: paymentId, timeout: TIMEOUTS_MS.charge }),
    );
    return { intent };
  } catch (error) {
    const fault = faultOf(error);
    const intent = intentIn(error);
    // It was made, and the bank, the method or a check said no to it.
    if (intent?.metadata.payment_id === paymentId) return { intent };
    if (fault.statusCode === undefined) throw error;
    if (fault.code === 'resource_missing' && fault.param === 'customer' && request.playerId !== undefined) {
      await updateCustomerGone(deps.db, { ...where, playerId: request.playerId });
    }
    // Stripe refused before anything began: there is no charge, and this attempt is over.
    await updateChargeNever(deps.db, request);
    const no = noOf(fault);
    const isGone = await isMethodGone(client, request, body, no);
    return { no: isGone ? ours('saved_method_gone', { requestId: no.refusal.requestId }) : no };
  }
}

async function prepare(deps: StripeDeps, client: AccountClient, request: AuthorizeRequest) {
  const where = { environmentId: request.environmentId, accountId: client.account.accountId };
  try {
    return await callStripe(deps, where, 'who pays', async () => {
      const customer = await customerOf(deps, client, request);
      return { customer, means: await meansOf(client, request) };
    });
  } catch (error) {
    const fault = faultOf(error);
    // Nothing of this payment is at Stripe yet, so a clear no is the end of it.
    if (fault.statusCode === undefined) throw error;
    return { no: noOf(fault) };
  }
}

/** Kept beside the payment, so that a member reads the provider's code, parameter and request id there. */
async function refused(
  deps: StripeDeps,
  { accountId }: OpenedAccount,
  request: AuthorizeRequest,
  no: No,
): Promise<Charge> {
  await upsertRefusedCharge(deps.db, { ...request, provider: STRIPE, accountId, customerId: null }, no.refusal);
  deps.onRefusal(request, no.refusal);
  return declined(request, no);
}

/** One PaymentIntent, made and confirmed in one call under the payment's id. */
export async function authorizeIntent(
  deps: StripeDeps,
  request: AuthorizeRequest,
  lookUp: (ref: AuthorizeRequest) => Promise<Charge | null>,
): Promise<Charge> {
  const account = await deps.accounts.current(request.environmentId);
  if (!account) return declined(request, ours('provider_not_connected'));
  const amount = toStripeAmount(request.amountMinor, request.currency);
  if (amount === null) return declined(request, ours('amount_not_exact'));
  const client = await contextOf(deps, account);
  const ready = await prepare(deps, client, request);
  if ('no' in ready) return refused(deps, account, request, ready.no);
  if (!ready.means) return declined(request, ours('method_unavailable'));
  const { accountId } = account;
  const row = { ...request, provider: STRIPE, accountId, customerId: ready.customer };
  if (!(await insertProviderCharge(deps.db, row))) {
    const there = await findProviderCharge(deps.db, request);
    if (there?.status === 'never') return declined(request, ours('given_up'));
    if (there?.status === 'known') return (await lookUp(request)) ?? declined(request, ours('given_up'));
  }
  const made = await create(deps, client, request, paramsFor(request, amount, ready.customer, ready.means));
  if ('no' in made) return refused(deps, account, request, made.no);
  return readCharge(deps, client, { ...request, hasDispute: false, hasWarning: false }, made.intent);
}
