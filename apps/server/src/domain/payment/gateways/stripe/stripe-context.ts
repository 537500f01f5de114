import type Stripe from 'stripe';
import type { Db } from '../../../../db/db.ts';
import type { Seal } from '../../../../kit/seal.ts';
import { type Charge, type ChargeRef, OutcomeUnknown } from '../gateway.ts';
import { chargeOfIntent } from './charge-of-intent.ts';
import { type ProviderCharge, updateChargeSeen } from './provider-charge.sql.ts';
import type { StripeAccount, StripeAccounts } from './stripe-account.ts';
import { type StripeClient, type StripeClients, TIMEOUTS_MS } from './stripe-client.ts';
import { accountProblemOf, isUncertain, type StripeFault } from './stripe-problem.ts';

export interface StripeDeps {
  /** The provider's own connections. It must never be given the shop's transaction. */
  db: Db;
  seal: Seal;
  clients: StripeClients;
  accounts: StripeAccounts;
}

/** The keys that took a payment were taken out of Coinslot: what it asks cannot be known here any more. */
export class AccountGone extends OutcomeUnknown {}

/** Stripe was asked by its own name for the payment and has none: another account, another mode, or deleted there. */
export class IntentMissing extends OutcomeUnknown {}

export interface AccountClient {
  account: StripeAccount;
  client: StripeClient;
}

export async function contextOf(deps: StripeDeps, account: StripeAccount): Promise<AccountClient> {
  return { account, client: await deps.clients(account.secretKey) };
}

/** The account that took the payment, whoever takes new ones by now. */
export async function contextFor(
  deps: StripeDeps,
  { environmentId, accountId }: ProviderCharge,
): Promise<AccountClient> {
  const account = await deps.accounts.byId(environmentId, accountId);
  if (!account) throw new AccountGone(`The account ${accountId} that took this payment is not connected any more.`);
  return contextOf(deps, account);
}

export const faultOf = (error: unknown): StripeFault => (typeof error === 'object' && error !== null ? error : {});

/**
 * Stripe's errors may quote what they were given, so none is passed on: what is thrown says what was asked and the kind
 * of answer. A refusal that concerns the account is shown to the studio's people.
 */
export async function asking<T>(
  deps: StripeDeps,
  where: { environmentId: string; accountId: string },
  what: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const fault = faultOf(error);
    const problem = accountProblemOf(fault);
    if (problem) await deps.accounts.report(where.environmentId, where.accountId, problem);
    if (!isUncertain(fault)) throw error;
    throw new OutcomeUnknown(
      `Stripe gave no answer to ${what}: ${fault.statusCode ?? fault.rawType ?? 'no connection'}.`,
    );
  }
}

/** For a question that changes nothing: whatever it throws, ask again later. */
export function unknownFrom(error: unknown, what: string): OutcomeUnknown {
  if (error instanceof OutcomeUnknown) return error;
  const { statusCode, code } = faultOf(error);
  if (code === 'resource_missing') return new IntentMissing('Stripe has no such payment.');
  return new OutcomeUnknown(`Stripe answered ${what} with ${statusCode ?? 'an error'} ${code ?? ''}`.trim());
}

const EXPANDED = ['latest_charge.balance_transaction', 'latest_charge.refunds', 'payment_method', 'review'];

export const retrieveIntent = ({ client }: AccountClient, intentId: string): Promise<Stripe.PaymentIntent> =>
  client.paymentIntents.retrieve(intentId, { expand: EXPANDED }, { timeout: TIMEOUTS_MS.ask });

const isDisputed = (intent: Stripe.PaymentIntent): boolean =>
  typeof intent.latest_charge === 'object' && intent.latest_charge?.disputed === true;

/** The intent as we read it, with its disputes, and kept in the row for pages and people. */
export async function readCharge(
  deps: StripeDeps,
  client: AccountClient,
  row: ChargeRef & Pick<ProviderCharge, 'hasDispute'>,
  intent: Stripe.PaymentIntent,
): Promise<Charge> {
  const disputes =
    row.hasDispute || isDisputed(intent)
      ? (await client.client.disputes.list({ payment_intent: intent.id, limit: 20 }, { timeout: TIMEOUTS_MS.ask })).data
      : [];
  const charge = chargeOfIntent(intent, disputes);
  const secret = charge.nextAction?.clientSecret ?? null;
  await updateChargeSeen(deps.db, row, {
    intentId: intent.id,
    isCaptured: intent.status === 'succeeded',
    fee: charge.fee ?? null,
    evidenceDueAt: charge.dispute?.evidenceDueAt ?? null,
    nextAction: charge.nextAction ?? null,
    clientSecretSealed: secret === null ? null : deps.seal.seal(secret, secretContext(row)),
  });
  return charge;
}

export const secretContext = ({ environmentId, paymentId }: ChargeRef): string =>
  `provider_charges.client_secret ${environmentId} ${paymentId}`;
