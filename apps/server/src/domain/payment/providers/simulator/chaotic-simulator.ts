import { type IsChaotic, providerChaos } from '../../../game/chaos/chaos.ts';
import { aroundCalls, OutcomeUnknown } from '../base/gateway.ts';
import type { Simulator } from './simulator.ts';

/** The same provider, which now and then does not answer a sandbox that asked for it. It always says what it holds. */
export const chaoticSimulator = (simulator: Simulator, isChaotic: IsChaotic, random: () => number): Simulator =>
  aroundCalls(simulator, ['authorize', 'capture', 'void', 'refund', 'answerDispute'], async (ref, call) => {
    const strikes = await isChaotic(ref.environmentId).catch(() => false);
    const lost = strikes ? providerChaos(random) : null;
    if (lost === 'request') throw new OutcomeUnknown('chaos: the request to the provider was lost');
    const answer = await call();
    if (lost === 'answer') throw new OutcomeUnknown('chaos: the answer of the provider was lost');
    return answer;
  });
