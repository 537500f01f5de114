import { describePort, type Step } from '../../../../testing/port-contract.ts';
import { cardRequest } from '../../../../testing/simulator-books.ts';
import { simulatorInTest } from '../../../../testing/simulator-in-test.ts';
import { refusal, unreliableGateway } from '../../../../testing/unreliable-gateway.ts';

const { simulator, entriesOf } = await simulatorInTest();
const gateway = unreliableGateway(simulator);

/** The simulator itself never fails, so the line in front of it does. */
describePort('the simulator', {
  gateway: () => gateway,
  request: async () => cardRequest(),
  declinedRequest: async () => cardRequest('4832285061609015'),
  books: entriesOf,
  later: async () => {},
  trouble: {
    loseAnswer: (step: Step) => gateway.misbehave(step, { kind: 'time_out_after' }),
    loseRequest: (step: Step) => gateway.misbehave(step, { kind: 'time_out_before' }),
    storeFault: (step: Step) => gateway.misbehave(step, { kind: 'time_out_before' }),
    refuseForGood: step => gateway.misbehave(step, { kind: 'refuse', refusal: refusal({ isFinal: true }) }),
    refuseForBalance: () => gateway.misbehave('refund', { kind: 'refuse', refusal: refusal() }),
    refuseOurRequest: () =>
      gateway.misbehave('authorize', { kind: 'refuse', refusal: refusal({ param: 'payment_method_options' }) }),
  },
});
