import { describePort, type Step } from '@coinslot/testing/port-contract';
import { cardRequest } from '@coinslot/testing/simulator-books';
import { simulatorInTest } from '@coinslot/testing/simulator-in-test';
import { refusal, unreliableGateway } from '@coinslot/testing/unreliable-gateway';
import { sql } from '../../../../db/sql.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';

const { simulator, entriesOf, database } = await simulatorInTest();
const gateway = unreliableGateway(simulator);

const callOf = (step: Step) => (step === 'answer' ? 'answerDispute' : step === 'accept' ? 'acceptDispute' : step);
const DISPUTES = {
  inquiry: 'inquiry',
  open: 'dispute_evidence',
  unclear: 'dispute_unclear',
  lost: 'dispute_lost',
} as const;
const A_MINUTE = 60;
const A_MONTH = 30 * 86_400;

/** As if the player had paid with the card that does this. */
const becomes = ({ environmentId, paymentId }: AuthorizeRequest, behavior: string) =>
  database.db.query(sql('test_charge_becomes')`
    update simulator.charges set behavior = ${behavior} where environment_id = ${environmentId} and payment_id = ${paymentId}`);

/** The simulator itself never fails, so the line in front of it does. */
describePort('the simulator', {
  gateway: () => gateway,
  request: async () => cardRequest(),
  declinedRequest: async () => cardRequest('4832285061609015'),
  books: entriesOf,
  later: async () => {},
  async entries() {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const range = { fromSeconds: nowSeconds - 43_200, toSeconds: nowSeconds + 43_200 };
    return simulator.entries(cardRequest().environmentId, range);
  },
  trouble: {
    loseAnswer: (step: Step) => gateway.misbehave(callOf(step), { kind: 'time_out_after' }),
    loseRequest: (step: Step) => gateway.misbehave(callOf(step), { kind: 'time_out_before' }),
    storeFault: (step: Step) => gateway.misbehave(callOf(step), { kind: 'time_out_before' }),
    refuseForGood: step => gateway.misbehave(step, { kind: 'refuse', refusal: refusal({ isFinal: true }) }),
    refuseForBalance: () => gateway.misbehave('refund', { kind: 'refuse', refusal: refusal() }),
    refuseOurRequest: () =>
      gateway.misbehave('authorize', { kind: 'refuse', refusal: refusal({ param: 'payment_method_options' }) }),
    async failRefund(request) {
      await becomes(request, 'refund_fails');
      await simulator.advance(request, A_MINUTE);
    },
    async dispute(request, state) {
      await becomes(request, DISPUTES[state]);
      await simulator.advance(request, A_MINUTE);
    },
    returnThere: async request => void (await simulator.refund(request)),
    closeEvidence: request => simulator.advance(request, A_MONTH),
    async evidenceOf({ environmentId, paymentId }) {
      const [row] = await database.db.query<{ text: string | null }>(sql('test_evidence')`
        select evidence::text as text from simulator.charges
        where environment_id = ${environmentId} and payment_id = ${paymentId}`);
      return row!.text;
    },
  },
});
