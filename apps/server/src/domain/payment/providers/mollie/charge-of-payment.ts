import { reasonOf, reasons } from '@coinslot/texts/reasons';
import type { Charge, Dispute } from '../base/charge-shape.ts';
import { type Decline, declinedCharge, PLAIN_CHARGE, refusal } from '../base/charges.ts';
import type { ProviderRefund } from '../base/driver.ts';
import { OutcomeUnknown } from '../base/gateway.ts';
import type { ProviderCharge } from '../base/provider-charge.sql.ts';
import { methodOf } from './mollie-methods.ts';
import { fromMollieMoney } from './wire/mollie-amount.ts';
import type { MollieChargeback, MolliePayment, MollieRefund } from './wire/mollie-objects.ts';

const HOUR_SECONDS = 3_600;
const PENDING_REFUND_SECONDS = 6 * HOUR_SECONDS;

/** Labels of cards as Mollie writes them → our word. */
const BRANDS: Readonly<Record<string, string>> = {
  Visa: 'visa',
  Mastercard: 'mastercard',
  'American Express': 'amex',
  Discover: 'discover',
  JCB: 'jcb',
  'Diners Club': 'diners',
};

const plain = ({ id, amount, method, countryCode, details }: MolliePayment): Omit<Charge, 'status'> => ({
  ...PLAIN_CHARGE,
  amountMinor: fromMollieMoney(amount),
  currency: amount.currency,
  method: methodOf(method),
  providerId: id,
  brand: BRANDS[details?.cardLabel ?? ''] ?? null,
  last4: details?.cardNumber?.slice(-4) ?? null,
  country: details?.cardCountryCode ?? countryCode ?? null,
});

function declineOf({ statusReason, details }: MolliePayment): Decline {
  const code = statusReason?.code ?? details?.failureReason ?? 'failed';
  const reason = reasonOf('mollie.decline', code) ?? reasons.languages.en['mollie.decline.failed'];
  return { code, refusal: refusal('bank', code, reason) };
}

/** The player has not paid yet. */
export function waitingCharge(payment: MolliePayment): Charge {
  const { _links: links } = payment;
  const redirectUrl = links?.checkout?.href ?? null;
  const expiresAt = payment.expiresAt ? new Date(payment.expiresAt) : null;
  return {
    ...plain(payment),
    status: 'requires_action',
    challengeUrl: redirectUrl,
    nextAction: { clientSecret: null, redirectUrl, instructionsUrl: null, expiresAt },
  };
}

/** Mollie reports a chargeback when the money is gone, and takes no evidence by its API. */
const disputeOf = ({ id, amount, reason, reversedAt }: MollieChargeback): Dispute => ({
  id,
  status: reversedAt ? 'won' : 'lost',
  reason: reason?.code ?? 'chargeback',
  amountMinor: fromMollieMoney(amount),
  currency: amount.currency,
  networkCode: reason?.code ?? null,
  evidenceStage: 'closed',
});

const FAILED: Readonly<Record<string, readonly ['bank' | 'shop', string]>> = {
  failed: ['bank', reasons.languages.en['mollie.refund.failed']],
  canceled: ['shop', reasons.languages.en['mollie.refund.canceled']],
};

/** Nothing of it reached the payer. */
export const isUndone = (status: string): boolean => Object.hasOwn(FAILED, status);

/** `queued` waits for balance, `pending` and `processing` for the bank. */
export function refundOf({ id, status }: Pick<MollieRefund, 'id' | 'status'>): ProviderRefund {
  const failure = FAILED[status];
  if (!failure) return { id, failure: null };
  const [whose, reason] = failure;
  return { id, failure: refusal(whose, `refund_${status}`, reason, { isFinal: false }) };
}

const sumOf = (refunds: readonly MollieRefund[]): number =>
  refunds.reduce((sum, { amount }) => sum + fromMollieMoney(amount), 0);

const STANDS: readonly string[] = ['queued', 'pending', 'processing'];

/** What Mollie captured, with what became of it since. */
function paidCharge(payment: MolliePayment, row: Pick<ProviderCharge, 'refundId' | 'lastRefundId'>): Charge {
  const { _embedded: { refunds = [], chargebacks = [] } = {} } = payment;
  const charge = plain(payment);
  const refundedMinor = sumOf(refunds.filter(({ status }) => status === 'refunded'));
  const isWaiting = refunds.some(({ status }) => STANDS.includes(status));
  const known = row.refundId ?? row.lastRefundId;
  const last = refunds.find(({ id }) => id === known);
  const failure = last && refundedMinor === 0 && !isWaiting ? refundOf(last).failure : null;
  return {
    ...charge,
    status: refundedMinor >= charge.amountMinor ? 'refunded' : 'captured',
    disputes: chargebacks.map(disputeOf),
    askAgainInSeconds: isWaiting ? PENDING_REFUND_SECONDS : null,
    refundedMinor,
    refundFailure: failure && { reason: failure.reason, code: failure.code, refundId: last!.id },
  };
}

export const voidedCharge = (payment: MolliePayment): Charge => ({ ...plain(payment), status: 'voided' });

/** What Mollie holds, in our words. Pure: the same payment means the same, from every caller and by every way. */
export function chargeOfPayment(
  payment: MolliePayment,
  row: Pick<ProviderCharge, 'refundId' | 'lastRefundId'> = { refundId: null, lastRefundId: null },
): Charge {
  switch (payment.status) {
    case 'open':
      return waitingCharge(payment);
    case 'pending':
      return { ...plain(payment), status: 'processing', askAgainInSeconds: HOUR_SECONDS };
    case 'authorized':
      return { ...plain(payment), status: 'authorized' };
    case 'paid':
      return paidCharge(payment, row);
    case 'failed':
      return declinedCharge(plain(payment), declineOf(payment));
    case 'canceled':
    case 'expired':
      return voidedCharge(payment);
    default:
      throw new OutcomeUnknown(`Mollie answered with a payment that is ${payment.status}.`);
  }
}
