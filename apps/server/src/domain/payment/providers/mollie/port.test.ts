import { mollieInTest } from '@coinslot/testing/mollie-in-test';
import { withPlayer } from '@coinslot/testing/paypal-in-test';
import { describePort, entriesAround, type PortUnderTest, type Step } from '@coinslot/testing/port-contract';

const { mollie, provider, account, gateway, request, later } = await mollieInTest();

const CALLS: Record<Exclude<Step, 'answer' | 'accept'>, RegExp> = {
  authorize: /^POST \/v2\/payments$/,
  capture: /^POST \/v2\/payments\/\w+\/captures$/,
  void: /^POST \/v2\/payments\/\w+\/release-authorization$/,
  refund: /^POST \/v2\/payments\/\w+\/refunds$/,
};

const callOf = (step: Step): RegExp => {
  if (step === 'answer' || step === 'accept') throw new Error('Mollie takes no evidence');
  return CALLS[step];
};

const refuse = (step: Step, param?: string): void =>
  mollie.faults.plan(callOf(step), { kind: 'refuse', status: 422, ...(param !== undefined && { param }) });

const trouble: PortUnderTest['trouble'] = {
  loseAnswer: step => mollie.faults.plan(callOf(step), { kind: 'lose_answer' }),
  loseRequest: step => mollie.faults.plan(callOf(step), { kind: 'lose_request' }),
  storeFault: step => mollie.faults.plan(callOf(step), { kind: 'refuse', status: 500 }),
  refuseForGood: step => refuse(step),
  refuseForBalance: () => refuse('refund'),
  refuseOurRequest: () => refuse('authorize', 'description'),
  async failRefund({ paymentId }) {
    const { id } = mollie.paymentOf(paymentId);
    for (const refund of mollie.store.ofPayment(mollie.store.refunds, id)) refund.status = 'failed';
  },
  dispute: async ({ paymentId }) => void mollie.store.chargeBack(mollie.paymentOf(paymentId)),
  async returnThere({ paymentId }) {
    const payment = mollie.paymentOf(paymentId);
    mollie.store.refund(payment, payment.amountMinor, 'By hand', null);
  },
  closeEvidence: async () => {},
  evidenceOf: async () => null,
};

/** Which of the players has an empty account. */
const broke = new Set<string>();

describePort('Mollie', {
  lacks: ['inquiry', 'evidence', 'request_id', 'final_refusals', 'open_disputes'],
  gateway: () =>
    withPlayer(gateway, ({ paymentId }) => mollie.decide(paymentId, broke.has(paymentId) ? 'declines' : 'approves')),
  request: async () => request(),
  async declinedRequest() {
    const asked = request();
    broke.add(asked.paymentId);
    return asked;
  },
  books: async ({ paymentId }) => mollie.movementsOf(paymentId),
  later: () => later(150),
  trouble,
  entries: () => entriesAround(provider, account, mollie.store.nowSeconds()),
});
