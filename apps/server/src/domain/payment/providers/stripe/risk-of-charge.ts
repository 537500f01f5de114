import type Stripe from 'stripe';
import type { ChargeRisk, RiskCheck } from '../base/charge-shape.ts';

const LEVELS: Readonly<Record<string, ChargeRisk['level']>> = {
  normal: 'normal',
  elevated: 'elevated',
  highest: 'highest',
};

const RESULTS: Readonly<Record<string, RiskCheck['result']>> = {
  pass: 'passed',
  fail: 'failed',
  unavailable: 'unchecked',
  unchecked: 'unchecked',
  authenticated: 'passed',
  failed: 'failed',
};

function checksOf(card: Stripe.Charge.PaymentMethodDetails.Card | undefined): RiskCheck[] {
  const said: [RiskCheck['what'], string | null | undefined][] = [
    ['security_code', card?.checks?.cvc_check],
    ['postal_code', card?.checks?.address_postal_code_check],
    ['address', card?.checks?.address_line1_check],
    ['three_d_secure', card?.three_d_secure?.result],
  ];
  return said.flatMap(([what, word]) => {
    const result = RESULTS[word ?? ''];
    return result ? [{ what, result }] : [];
  });
}

/** What Radar and the bank said of the payer, in our words; a word that is not known here is left out. */
export function riskOfCharge(charge: Stripe.Charge | null): ChargeRisk | null {
  if (!charge) return null;
  const level = LEVELS[charge.outcome?.risk_level ?? ''] ?? null;
  const score = charge.outcome?.risk_score ?? null;
  const checks = checksOf(charge.payment_method_details?.card);
  return level === null && score === null && checks.length === 0 ? null : { level, score, checks };
}
