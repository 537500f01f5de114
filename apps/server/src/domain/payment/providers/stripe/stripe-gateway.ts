import type Stripe from 'stripe';
import {
  type Charge,
  type ChargeRef,
  type ForgetMethod,
  type ForgetPlayer,
  type Gateway,
  OutcomeUnknown,
  type SavedMethod,
  type StepAnswer,
} from '../base/gateway.ts';
import {
  findCustomer,
  findProviderCharge,
  insertNeverCharge,
  type ProviderCharge,
} from '../base/provider-charge.sql.ts';
import { answerDispute } from './answer-dispute.ts';
import { authorizeIntent } from './authorize-intent.ts';
import { findLostIntent } from './find-intent.ts';
import { refundIntent } from './refund-intent.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { STRIPE, TIMEOUTS_MS } from './stripe-client.ts';
import {
  type AccountClient,
  callStripe,
  contextFor,
  contextOf,
  faultOf,
  readCharge,
  refuse,
  retrieveIntent,
  type StripeDeps,
  unknownFrom,
} from './stripe-context.ts';
import { stepRefusalOf } from './stripe-problem.ts';

/** The row and the intent of a payment; null when Stripe has none and never will. */
interface Found {
  row: ProviderCharge & { intentId: string };
  client: AccountClient;
  intent: Stripe.PaymentIntent | null;
}

async function find(deps: StripeDeps, ref: ChargeRef): Promise<Found | null> {
  const row = await findProviderCharge(deps.db, ref);
  if (!row) {
    // Never asked from here. A process that stalled before asking finds this row and gives up.
    if (await insertNeverCharge(deps.db, STRIPE, ref)) return null;
    return find(deps, ref);
  }
  if (row.status === 'never') return null;
  const client = await contextFor(deps, row);
  if (row.intentId !== null) return { row: { ...row, intentId: row.intentId }, client, intent: null };
  const intent = await findLostIntent(deps, client, row);
  return intent && { row: { ...row, intentId: intent.id }, client, intent };
}

const missing = ({ paymentId }: ChargeRef): StepAnswer & { kind: 'refused' } => ({
  kind: 'refused',
  refusal: {
    whose: 'shop',
    code: 'charge_missing',
    reason: `Stripe has no payment ${paymentId}.`,
    param: null,
    requestId: null,
    isFinal: true,
  },
});

async function found(deps: StripeDeps, ref: ChargeRef): Promise<Found> {
  const there = await find(deps, ref);
  if (!there) throw new OutcomeUnknown(`Stripe has no payment ${ref.paymentId}.`);
  return there;
}

/** It said no, but a browser that holds its secret could try again. Ended, it cannot be charged any more. */
async function endDeclined({ client }: AccountClient, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  if (intent.status !== 'requires_payment_method') return intent;
  try {
    const ended = await client.paymentIntents.cancel(intent.id, {}, { timeout: TIMEOUTS_MS.ask });
    // Whatever changes an intent may clear why it was declined, and that is what the player is told.
    return { ...ended, last_payment_error: ended.last_payment_error ?? intent.last_payment_error };
  } catch (error) {
    throw unknownFrom(error, 'the end of a declined payment');
  }
}

async function lookUp(deps: StripeDeps, ref: ChargeRef): Promise<Charge | null> {
  const there = await find(deps, ref);
  if (!there) return null;
  const { row, client } = there;
  try {
    const intent =
      there.intent ?? (await callStripe(deps, row, 'a payment', () => retrieveIntent(client, row.intentId)));
    return await readCharge(deps, client, row, await endDeclined(client, intent));
  } catch (error) {
    throw unknownFrom(error, 'a payment');
  }
}

/** Stripe says that the intent stands elsewhere: where it stands is the answer. */
const STANDS_ELSEWHERE: readonly string[] = ['payment_intent_unexpected_state', 'charge_already_captured'];

/** Not now: nothing was done, and the same call may be made again at once. */
const TOO_MANY = 429;

/** A step that Stripe takes once, so it needs no key: an error that is stored under one cannot come back. */
async function step(
  deps: StripeDeps,
  { row, client }: Found,
  what: string,
  call: () => Promise<Stripe.PaymentIntent>,
): Promise<StepAnswer> {
  try {
    const charge = await readCharge(deps, client, row, await callStripe(deps, row, what, call));
    return { kind: 'charge', charge };
  } catch (error) {
    const fault = faultOf(error);
    if (error instanceof OutcomeUnknown || fault.statusCode === undefined || fault.statusCode === TOO_MANY) {
      throw unknownFrom(error, what);
    }
    if (!STANDS_ELSEWHERE.includes(fault.code ?? '')) return refuse(deps, row, stepRefusalOf(fault));
  }
  const charge = await lookUp(deps, row);
  return charge ? { kind: 'charge', charge } : missing(row);
}

async function capture(
  deps: StripeDeps,
  ref: ChargeRef & { amountMinor: number; currency: string },
): Promise<StepAnswer> {
  const there = await find(deps, ref);
  if (!there) return missing(ref);
  const { row, client } = there;
  // Paid by a method that cannot reserve: it was captured at once.
  if (row.isCaptured) return { kind: 'charge', charge: (await lookUp(deps, ref))! };
  const amount = toStripeAmount(ref.amountMinor, ref.currency);
  const answer = await step(deps, there, 'a capture', () =>
    client.client.paymentIntents.capture(
      row.intentId,
      { ...(amount !== null && { amount_to_capture: amount }), expand: ['latest_charge.balance_transaction'] },
      { timeout: TIMEOUTS_MS.charge },
    ),
  );
  if (answer.kind === 'charge' && answer.charge.status === 'authorized') {
    throw new OutcomeUnknown('Stripe has not captured the payment.');
  }
  return answer;
}

async function saveMethod(deps: StripeDeps, ref: ChargeRef): Promise<SavedMethod> {
  const { row, client } = await found(deps, ref);
  const intent = await retrieveIntent(client, row.intentId);
  const method = typeof intent.payment_method === 'object' ? intent.payment_method : null;
  if (!method?.customer) throw new Error(`The payment ${ref.paymentId} has no method that was kept.`);
  const { card } = method;
  const account = method.sepa_debit ?? method.us_bank_account ?? method.bacs_debit ?? method.au_becs_debit;
  return {
    token: method.id,
    accountId: row.accountId,
    brand: card?.brand ?? method.type,
    last4: card?.last4 ?? account?.last4 ?? '',
    expiryMonth: card?.exp_month ?? 0,
    expiryYear: card?.exp_year ?? 0,
  };
}

async function forgetMethod(
  deps: StripeDeps,
  { environmentId, playerId, token, accountId: holder }: ForgetMethod,
): Promise<void> {
  const account = await (holder ? deps.accounts.byId(environmentId, holder) : deps.accounts.current(environmentId));
  if (!account) return;
  const { client } = await contextOf(deps, account);
  const { accountId } = account;
  try {
    const method = await client.paymentMethods.retrieve(token, {}, { timeout: TIMEOUTS_MS.ask });
    // Only the player's own: a token from anywhere else is left alone.
    const owner = await findCustomer(deps.db, { environmentId, playerId, accountId });
    if (!owner?.customerId || method.customer !== owner.customerId) return;
    await client.paymentMethods.detach(token, {}, { timeout: TIMEOUTS_MS.ask });
  } catch (error) {
    if (faultOf(error).code !== 'resource_missing') throw unknownFrom(error, 'a saved method');
  }
}

/** Stripe detaches the methods of a customer that is deleted. */
async function forgetPlayer(
  deps: StripeDeps,
  { environmentId, accountId, customerId }: ForgetPlayer,
): Promise<boolean> {
  const account = await deps.accounts.byId(environmentId, accountId);
  if (!account) return false;
  const { client } = await contextOf(deps, account);
  try {
    await client.customers.del(customerId, {}, { timeout: TIMEOUTS_MS.ask });
  } catch (error) {
    if (faultOf(error).code !== 'resource_missing') throw unknownFrom(error, 'a customer');
  }
  return true;
}

/** Stripe behind the port. Which account, the environment's company decides; card data never comes by here. */
export function createStripeGateway(deps: StripeDeps): Gateway {
  return {
    name: STRIPE,
    authorize: request => authorizeIntent(deps, request, ref => lookUp(deps, ref)),
    capture: ref => capture(deps, ref),
    async void(ref) {
      const there = await find(deps, ref);
      if (!there) return missing(ref);
      const { row, client } = there;
      return step(deps, there, 'a release', () =>
        client.client.paymentIntents.cancel(row.intentId, {}, { timeout: TIMEOUTS_MS.ask }),
      );
    },
    async refund(ref) {
      const there = await find(deps, ref);
      return there ? refundIntent(deps, there.client, there.row) : missing(ref);
    },
    lookUp: ref => lookUp(deps, ref),
    saveMethod: ref => saveMethod(deps, ref),
    forgetMethod: request => forgetMethod(deps, request),
    forgetPlayer: request => forgetPlayer(deps, request),
    dispute: async ref => (await lookUp(deps, ref))?.dispute ?? null,
    async answerDispute({ evidence, ...ref }) {
      const there = await find(deps, ref);
      return there ? answerDispute(deps, there.client, there.row, evidence) : missing(ref);
    },
  };
}
