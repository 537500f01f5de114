import { type IsChaotic, providerChaos } from '../../../game/chaos/chaos.ts';
import { type ChargeRef, OutcomeUnknown } from '../base/gateway.ts';
import type { Simulator } from './simulator.ts';

/** The same provider, which now and then does not answer a sandbox that asked for it. It always says what it holds. */
export function chaoticSimulator(simulator: Simulator, isChaotic: IsChaotic, random: () => number): Simulator {
  async function through<T>({ environmentId }: ChargeRef, work: () => Promise<T>): Promise<T> {
    const strikes = await isChaotic(environmentId).catch(() => false);
    const lost = strikes ? providerChaos(random) : null;
    if (lost === 'request') throw new OutcomeUnknown('chaos: the request to the provider was lost');
    const answer = await work();
    if (lost === 'answer') throw new OutcomeUnknown('chaos: the answer of the provider was lost');
    return answer;
  }
  return {
    ...simulator,
    authorize: request => through(request, () => simulator.authorize(request)),
    capture: ref => through(ref, () => simulator.capture(ref)),
    void: ref => through(ref, () => simulator.void(ref)),
    refund: ref => through(ref, () => simulator.refund(ref)),
    answerDispute: request => through(request, () => simulator.answerDispute(request)),
  };
}
