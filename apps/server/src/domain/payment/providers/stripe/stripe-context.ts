import type Stripe from 'stripe';
import type { Db } from '../../../../db/db.ts';
import type { Seal } from '../../../../kit/seal.ts';
import { chargeSecretContext } from '../../merchant-accounts/account-secrets.ts';
import { type Charge, ChargeMissing, type ChargeRef, OutcomeUnknown, type Refusal } from '../base/gateway.ts';
import type { Accounts, OpenedAccount } from '../base/provider.ts';
import { type ProviderCharge, updateChargeRefusal, updateChargeSeen } from '../base/provider-charge.sql.ts';
import { chargeOfIntent } from './charge-of-intent.ts';
import { type StripeClient, type StripeClients, TIMEOUTS_MS } from './stripe-client.ts';
import { accountProblemOf, isUncertain, type StripeFault } from './stripe-problem.ts';

export interface StripeDeps {
  /** The provider's own connections. It must never be given the shop's transaction. */
  db: Db;
  seal: Seal;
  clients: StripeClients;
  accounts: Accounts;
  /** For the log: the refusal carries no secret. */
  onRefusal: (ref: ChargeRef, refusal: Refusal) => void;
}

/** The keys that took a payment were taken out of Coinslot: what it asks cannot be known here any more. */
export class AccountGone extends OutcomeUnknown {}

export interface AccountClient {
  account: OpenedAccount;
  client: StripeClient;
}

export async function contextOf(deps: StripeDeps, account: OpenedAccount): Promise<AccountClient> {
  return { account, client: await deps.clients(account.secretKey) };
}

/** The account that took the payment, even if another one takes new payments by now. */
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
export async function callStripe<T>(
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
  if (code === 'resource_missing') return new ChargeMissing('Stripe has no such payment.');
  return new OutcomeUnknown(`Stripe answered ${what} with ${statusCode ?? 'an error'} ${code ?? ''}`.trim());
}

const EXPANDED = ['latest_charge.balance_transaction', 'latest_charge.refunds', 'payment_method', 'review'];

export const retrieveIntent = ({ client }: AccountClient, intentId: string): Promise<Stripe.PaymentIntent> =>
  client.paymentIntents.retrieve(intentId, { expand: EXPANDED }, { timeout: TIMEOUTS_MS.ask });

const isDisputed = (intent: Stripe.PaymentIntent): boolean =>
  typeof intent.latest_charge === 'object' && intent.latest_charge?.disputed === true;

/** A key that may not read them must not hold up the money: the members are told which permission is missing. */
async function listWarnings(
  deps: StripeDeps,
  { account, client }: AccountClient,
  { environmentId }: ChargeRef,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.Radar.EarlyFraudWarning[]> {
  try {
    const cut = { payment_intent: intent.id, limit: 1 };
    return (await client.radar.earlyFraudWarnings.list(cut, { timeout: TIMEOUTS_MS.ask })).data;
  } catch (error) {
    const problem = accountProblemOf(faultOf(error));
    if (problem !== 'provider_permission_missing') throw error;
    await deps.accounts.report(environmentId, account.accountId, problem);
    return [];
  }
}

/** The intent as we read it, with its disputes, and kept in the row for pages and people. */
export async function readCharge(
  deps: StripeDeps,
  client: AccountClient,
  row: ChargeRef & Pick<ProviderCharge, 'hasDispute' | 'hasWarning'>,
  intent: Stripe.PaymentIntent,
): Promise<Charge> {
  const disputes =
    row.hasDispute || isDisputed(intent)
      ? (await client.client.disputes.list({ payment_intent: intent.id, limit: 20 }, { timeout: TIMEOUTS_MS.ask })).data
      : [];
  const charge = chargeOfIntent(intent, disputes, row.hasWarning ? await listWarnings(deps, client, row, intent) : []);
  const secret = charge.nextAction?.clientSecret ?? null;
  await updateChargeSeen(deps.db, row, {
    intentId: intent.id,
    isCaptured: intent.status === 'succeeded',
    isRefunded: charge.status === 'refunded',
    warning: charge.warning ?? null,
    risk: charge.risk ?? null,
    fee: charge.fee ?? null,
    evidenceDueAt: charge.dispute?.evidenceDueAt ?? null,
    nextAction: charge.nextAction ?? null,
    clientSecretSealed:
      secret === null ? null : deps.seal.seal(secret, chargeSecretContext(row.environmentId, row.paymentId)),
  });
  return charge;
}

/** A clear no to a step: kept beside the payment for its members, and told to the log. */
export async function refuse(
  deps: StripeDeps,
  ref: ChargeRef,
  refusal: Refusal,
): Promise<{ kind: 'refused'; refusal: Refusal }> {
  await updateChargeRefusal(deps.db, ref, refusal);
  deps.onRefusal(ref, refusal);
  return { kind: 'refused', refusal };
}
