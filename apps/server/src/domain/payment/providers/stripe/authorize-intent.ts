import type Stripe from 'stripe';
import { sha256 } from '../../../../kit/seal.ts';
import type { Charge } from '../base/charge-shape.ts';
import { type Decline, shopDecline } from '../base/charges.ts';
import { ProviderFault } from '../base/fault.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';
import type { ShopProblem } from '../base/problems.ts';
import {
  findCustomer,
  insertCustomer,
  updateCustomerGone,
  updateCustomerRefused,
} from '../base/provider-customer.sql.ts';
import { type Prepared, paramsFor, sourceOf } from './intent-params.ts';
import { readIntent, type StripeSession } from './read-intent.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { ASK, CHARGE, type StripeClient } from './stripe-client.ts';
import { stripeFaultOf } from './stripe-fault.ts';

/** The same player of the same game is the same customer, whichever process makes it first. */
async function customerOf({ db, client, account }: StripeSession, request: AuthorizeRequest): Promise<string | null> {
  const { environmentId, playerId } = request;
  if (playerId === undefined) return null;
  const key = { environmentId, playerId, accountId: account.accountId };
  const known = await findCustomer(db, key);
  if (known?.customerId) return known.customerId;
  const generation = known?.generation ?? 0;
  const name = `${environmentId}:${sha256(playerId).toString('hex')}:${generation}`;
  try {
    const { id } = await client.customers.create(
      { metadata: { environment_id: environmentId, player_id: playerId } },
      { idempotencyKey: `customer:${name}`, ...ASK },
    );
    return await insertCustomer(db, key, id);
  } catch (error) {
    // A customer too many holds no money, so there is nothing to look up first.
    if (stripeFaultOf(error)?.isStored) await updateCustomerRefused(db, key, generation);
    throw error;
  }
}

/** A decline comes as an error that carries the intent: it was made, and the bank, the method or a check said no to it. */
function declinedIntent(error: unknown, { paymentId }: AuthorizeRequest): Stripe.PaymentIntent {
  const { payment_intent: intent } = error as { payment_intent?: Stripe.PaymentIntent };
  if (intent?.id && intent.metadata.payment_id === paymentId && !stripeFaultOf(error)?.isUncertain) return intent;
  throw error;
}

/** Detached or deleted there, or kept at an account that the company has left. Of a detached one the error names no part. */
async function isMethodGone(
  client: StripeClient,
  { payWith }: AuthorizeRequest,
  { customerId }: Prepared,
  { decline: { code } }: ProviderFault,
): Promise<boolean> {
  if (payWith.kind !== 'saved_method') return false;
  if (code !== 'provider_refused') return code === 'method_unavailable';
  try {
    const method = await client.paymentMethods.retrieve(payWith.token, {}, ASK);
    return method.customer !== customerId;
  } catch (error) {
    return stripeFaultOf(error)?.isMissing ?? false;
  }
}

export async function prepareCharge(
  session: StripeSession,
  request: AuthorizeRequest,
): Promise<Prepared | ShopProblem> {
  const amount = toStripeAmount(request.amountMinor, request.currency);
  if (amount === null) return 'amount_not_exact';
  return session.call('who pays', async client => {
    const customerId = await customerOf(session, request);
    const source = await sourceOf(client, request);
    return source ? { amount, customerId, source } : 'method_unavailable';
  });
}

/** One PaymentIntent, made and confirmed in one call under the payment's id. */
export async function createCharge(
  session: StripeSession,
  request: AuthorizeRequest,
  prepared: Prepared,
): Promise<Charge | { declined: Decline }> {
  const { environmentId, paymentId, playerId } = request;
  const options = { idempotencyKey: paymentId, ...CHARGE };
  try {
    const intent = await session.call('a payment', client =>
      client.paymentIntents
        .create(paramsFor(request, prepared), options)
        .catch((error: unknown) => declinedIntent(error, request)),
    );
    return await readIntent(session, { ...request, hasDispute: false, hasWarning: false }, intent);
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    const { code, facts, refusal } = error;
    if (code === 'resource_missing' && facts.param === 'customer' && playerId !== undefined) {
      await updateCustomerGone(session.db, { environmentId, accountId: session.account.accountId, playerId });
    }
    const isGone = await isMethodGone(session.client, request, prepared, error);
    return { declined: isGone ? shopDecline('saved_method_gone', { requestId: refusal.requestId }) : error.decline };
  }
}
