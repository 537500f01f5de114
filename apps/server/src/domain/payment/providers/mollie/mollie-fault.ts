import { reasonOf } from '@coinslot/texts/reasons';
import { type FaultFacts, type FaultRules, ProviderFault } from '../base/fault.ts';
import type { AccountProblem, PaymentProblem } from '../base/problems.ts';

function accountProblemOf({ statusCode }: FaultFacts): AccountProblem | null {
  if (statusCode === 401) return 'provider_key_invalid';
  return statusCode === 403 ? 'provider_permission_missing' : null;
}

/** Mollie names the field; for amounts only its sentence tells which of the two ends was passed. */
function paymentProblemOf({ param, said }: FaultFacts): PaymentProblem {
  const [field] = (param ?? '').split('.');
  if (field === 'method') return 'method_unavailable';
  if (field !== 'amount') return 'provider_refused';
  if (/currency/i.test(`${param} ${said}`)) return 'currency_unsupported';
  if (/lower than|minimum/i.test(said ?? '')) return 'amount_below_minimum';
  return /higher than|maximum/i.test(said ?? '') ? 'amount_above_maximum' : 'provider_refused';
}

const GONE: readonly (number | undefined)[] = [404, 410];

const RULES: FaultRules<FaultFacts> = {
  title: 'Mollie',
  // No answer, a fault of Mollie's, or another call is at it under the same key.
  isUncertain: ({ statusCode }) =>
    statusCode === undefined || statusCode >= 500 || statusCode === 409 || statusCode === 429,
  // A call that is still at work (409) has no answer to repeat: under another key it would be done a second time.
  isStored: ({ statusCode }) => statusCode !== undefined && statusCode !== 429 && statusCode !== 409,
  isMissing: ({ statusCode }) => GONE.includes(statusCode),
  accountProblemOf,
  paymentProblemOf,
  // A bank's no is a payment that failed, never an error of a call.
  declineOf: () => null,
  stepReasonOf: code => reasonOf('mollie.step', code),
  // Mollie's refusals have no codes, so none is known to be for good. A reservation that lapses ends the payment by itself.
  final: [],
  banks: [],
  areDeclinesFinal: false,
};

export const mollieFault = (facts: FaultFacts): ProviderFault => new ProviderFault(facts, RULES);

export const mollieFaultOf = (error: unknown): ProviderFault | null => (error instanceof ProviderFault ? error : null);
