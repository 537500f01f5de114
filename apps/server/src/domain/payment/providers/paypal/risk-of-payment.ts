import type { ChargeRisk, RiskCheck } from '../base/charge-shape.ts';
import type { PaypalAuthorization, PaypalCapture, PaypalOrder } from './wire/paypal-objects.ts';

type Result = RiskCheck['result'];

const ACCOUNTS: Readonly<Record<string, Result>> = { VERIFIED: 'passed', UNVERIFIED: 'failed' };

/** Whether PayPal would bear the loss of a dispute. Virtual goods are often not covered. */
const PROTECTIONS: Readonly<Record<string, Result>> = {
  ELIGIBLE: 'passed',
  PARTIALLY_ELIGIBLE: 'partly',
  NOT_ELIGIBLE: 'failed',
};

/** Which codes say that the address, and that the postal code matched. Maestro counts in digits: 0 is all, 1 is nothing. */
const COMPARED = 'A B C D F M N P W X Y Z 0 1'.split(' ');
const ADDRESS_MATCHED = 'A B D F M X Y 0'.split(' ');
const POSTAL_MATCHED = 'D F M P W X Y Z 0'.split(' ');

const avsResult = (code: string | undefined, matched: readonly string[]): Result | undefined => {
  if (code === undefined) return undefined;
  if (!COMPARED.includes(code)) return 'unchecked';
  return matched.includes(code) ? 'passed' : 'failed';
};

const CVV_RESULTS: Readonly<Record<string, Result>> = { M: 'passed', 0: 'passed', N: 'failed', 1: 'failed' };

interface Said {
  order?: PaypalOrder | null;
  /** The reservation or the capture: both carry the same signs. */
  money: Pick<PaypalAuthorization & PaypalCapture, 'seller_protection' | 'processor_response'>;
}

/** What PayPal and the card's bank said of the payer, in our words; a word that is not known here is left out. */
export function riskOfPayment({ order, money }: Said): ChargeRisk | null {
  const { avs_code: avs, cvv_code: cvv } = money.processor_response ?? {};
  const said: [RiskCheck['what'], Result | undefined][] = [
    ['payer_account', ACCOUNTS[order?.payment_source?.paypal?.account_status ?? '']],
    ['seller_protection', PROTECTIONS[money.seller_protection?.status ?? '']],
    ['security_code', cvv === undefined ? undefined : (CVV_RESULTS[cvv] ?? 'unchecked')],
    ['postal_code', avsResult(avs, POSTAL_MATCHED)],
    ['address', avsResult(avs, ADDRESS_MATCHED)],
  ];
  const checks = said.flatMap(([what, result]) => (result ? [{ what, result }] : []));
  return checks.length === 0 ? null : { level: null, score: null, checks };
}

/** The capture does not repeat what the order said of the payer: a later result replaces only the earlier one of its kind. */
export function laterRisk(before: ChargeRisk | null, now: ChargeRisk | null): ChargeRisk | null {
  if (!before || !now) return now ?? before;
  const repeated = new Set(now.checks.map(({ what }) => what));
  return { ...now, checks: [...before.checks.filter(({ what }) => !repeated.has(what)), ...now.checks] };
}
