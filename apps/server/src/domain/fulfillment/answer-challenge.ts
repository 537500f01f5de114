import type { ChargeRef } from '../payment/gateways/gateway.ts';
import type { ChallengeAnswer, Simulator } from '../payment/gateways/simulator/simulator.ts';
import { updatePaymentNextCheckAt } from '../payment/payment.sql.ts';
import { continuePayment } from './check-payment.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { LEASE_SECONDS } from './next-step.ts';

/** The player answered the bank's challenge, at the simulator as at a real bank. What came of it, the provider is asked. */
export async function answerChallenge(
  deps: FulfillmentDeps,
  simulator: Pick<Simulator, 'answerChallenge'>,
  ref: ChargeRef,
  answer: ChallengeAnswer,
): Promise<void> {
  // From here on the outcome may exist without us: if this process does not come back, a worker asks soon.
  const waiting = { environmentId: ref.environmentId, id: ref.paymentId, status: 'requires_action' } as const;
  await updatePaymentNextCheckAt(deps.db, waiting, LEASE_SECONDS);
  await simulator.answerChallenge(ref, answer);
  await continuePayment(deps, ref);
}
