import type { ChargeRef } from '../payment/gateways/gateway.ts';
import type { ChallengeAnswer, Simulator } from '../payment/gateways/simulator/simulator.ts';
import { continuePayment } from './attend-payment.ts';
import type { FulfilmentDeps } from './fulfilment-deps.ts';

/** The player answered the bank's challenge, at the simulator as at a real bank. What came of it, the provider is asked. */
export async function answerChallenge(
  deps: FulfilmentDeps,
  simulator: Pick<Simulator, 'answerChallenge'>,
  ref: ChargeRef,
  answer: ChallengeAnswer,
): Promise<void> {
  await simulator.answerChallenge(ref, answer);
  await continuePayment(deps, ref);
}
