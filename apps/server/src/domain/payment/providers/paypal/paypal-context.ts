import type { Db } from '../../../../db/db.ts';
import { type Charge, ChargeMissing, type ChargeRef, OutcomeUnknown, type Refusal } from '../base/gateway.ts';
import type { Accounts, OpenedAccount } from '../base/provider.ts';
import { type ProviderCharge, updateChargeRefusal, updateChargeSeen } from '../base/provider-charge.sql.ts';
import { updateChargeGeneration } from '../base/provider-steps.sql.ts';
import type { ChargeFacts } from './charge-of-payment.ts';
import { accountProblemOf, isAnswered, isUncertain } from './paypal-problem.ts';
import { laterRisk } from './risk-of-payment.ts';
import { type PaypalCall, type PaypalClient, PaypalFault } from './wire/paypal-client.ts';

export interface PaypalDeps {
  /** The provider's own connections. It must never be given the shop's transaction. */
  db: Db;
  client: PaypalClient;
  accounts: Accounts;
  /** For the log: the refusal carries no secret. */
  onRefusal: (ref: ChargeRef, refusal: Refusal) => void;
}

/** A payment that PayPal knows, and the account that took it. */
export interface Found {
  row: ProviderCharge & { intentId: string };
  account: OpenedAccount;
}

export const factsOf = ({ row }: Found): ChargeFacts => ({
  amountMinor: row.amountMinor,
  currency: row.currency,
  orderId: row.intentId,
});

/** The account that took the payment, even if another one takes new payments by now. */
export async function accountOf(
  deps: PaypalDeps,
  { environmentId, accountId }: ProviderCharge,
): Promise<OpenedAccount> {
  const account = await deps.accounts.byId(environmentId, accountId);
  if (!account) throw new OutcomeUnknown(`The account ${accountId} that took this payment is not connected any more.`);
  return account;
}

/**
 * A clear no comes back as the fault itself; what is not known is thrown as that. A refusal that concerns the account is
 * shown to the studio's members.
 */
export async function callPaypal<T>(
  deps: PaypalDeps,
  where: { environmentId: string; account: OpenedAccount },
  what: string,
  call: PaypalCall,
): Promise<T> {
  try {
    return await deps.client.call<T>(where.account, call);
  } catch (error) {
    if (!(error instanceof PaypalFault)) throw error;
    const problem = accountProblemOf(error);
    if (problem) await deps.accounts.report(where.environmentId, where.account.accountId, problem);
    if (!isUncertain(error)) throw error;
    throw new OutcomeUnknown(`PayPal gave no answer to ${what}: ${error.statusCode ?? error.issue}.`, { cause: error });
  }
}

const NOT_FOUND = 404;

export const isMissing = (error: unknown): boolean => error instanceof PaypalFault && error.statusCode === NOT_FOUND;

/** A question that changes nothing: whatever else it answers, ask again later. */
export async function ask<T>(deps: PaypalDeps, { row, account }: Found, path: string): Promise<T> {
  try {
    return await callPaypal<T>(deps, { environmentId: row.environmentId, account }, 'a question', {
      method: 'GET',
      path,
    });
  } catch (error) {
    if (isMissing(error)) throw new ChargeMissing('PayPal has no such payment.');
    if (error instanceof PaypalFault) throw new OutcomeUnknown(`PayPal answered a question with ${error.statusCode}.`);
    throw error;
  }
}

/**
 * A call that moves money. PayPal remembers the answer under the request id, so that a call whose answer got lost may be
 * made again as it was; after an answer that is an error the next call takes another.
 */
export async function move<T>(
  deps: PaypalDeps,
  { row, account }: Found,
  what: string,
  call: Omit<PaypalCall, 'method' | 'requestId'>,
): Promise<T> {
  const { paymentId, generation, environmentId } = row;
  const requestId = `${paymentId}-${what.replaceAll(' ', '-')}-${generation}`;
  try {
    return await callPaypal<T>(deps, { environmentId, account }, what, { method: 'POST', requestId, ...call });
  } catch (error) {
    const fault = error instanceof OutcomeUnknown ? error.cause : error;
    if (fault instanceof PaypalFault && isAnswered(fault)) await updateChargeGeneration(deps.db, row, generation);
    throw error;
  }
}

/** Kept in the row for pages and people. */
export async function keepSeen(deps: PaypalDeps, { row }: Found, charge: Charge): Promise<Charge> {
  await updateChargeSeen(deps.db, row, {
    intentId: row.intentId,
    isCaptured: charge.status === 'captured' || charge.status === 'refunded',
    isRefunded: charge.status === 'refunded',
    warning: null,
    risk: laterRisk(row.risk, charge.risk ?? null),
    fee: charge.fee ?? null,
    evidenceDueAt: charge.dispute?.evidenceDueAt ?? null,
    nextAction: charge.nextAction ?? null,
    clientSecretSealed: null,
  });
  return charge;
}

/** A clear no to a step: kept beside the payment for its members, and told to the log. */
export async function refuse(
  deps: PaypalDeps,
  ref: ChargeRef,
  refusal: Refusal,
): Promise<{ kind: 'refused'; refusal: Refusal }> {
  await updateChargeRefusal(deps.db, ref, refusal);
  deps.onRefusal(ref, refusal);
  return { kind: 'refused', refusal };
}
