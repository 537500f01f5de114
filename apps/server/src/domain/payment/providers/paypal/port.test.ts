import { paypalInTest, withPlayer } from '@coinslot/testing/paypal-in-test';
import { describePort, entriesAround, type PortUnderTest, type Step } from '@coinslot/testing/port-contract';
import type { AuthorizeRequest } from '../base/gateway.ts';
import { updateChargeDisputed } from '../base/provider-charge.sql.ts';

const { database, paypal, provider, account, gateway, request, later } = await paypalInTest();

const CALLS: Record<Step, RegExp> = {
  authorize: /^POST \/v2\/checkout\/orders\/\w+\/authorize$/,
  capture: /^POST \/v2\/payments\/authorizations\/\w+\/capture$/,
  void: /^POST \/v2\/payments\/authorizations\/\w+\/void$/,
  refund: /^POST \/v2\/payments\/captures\/\w+\/refund$/,
  answer: /^POST \/v1\/customer\/disputes\/[\w-]+\/provide-evidence$/,
  accept: /^POST \/v1\/customer\/disputes\/[\w-]+\/accept-claim$/,
};

const FOR_GOOD: Record<Exclude<Step, 'authorize' | 'answer' | 'accept'>, string> = {
  capture: 'AUTHORIZATION_EXPIRED',
  void: 'CANNOT_BE_VOIDED',
  refund: 'REFUND_TIME_LIMIT_EXCEEDED',
};

const DISPUTES = {
  inquiry: { status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'INQUIRY' },
  open: { status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'CHARGEBACK' },
  unclear: {
    status: 'RESOLVED',
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_outcome: { outcome_code: 'NONE' },
  },
  lost: {
    status: 'RESOLVED',
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' },
  },
};

const disputeOf = ({ paymentId }: AuthorizeRequest) => {
  const { id } = paypal.captureOf(paymentId);
  return [...paypal.store.disputes.values()].find(({ captureId }) => captureId === id)!;
};

const trouble: PortUnderTest['trouble'] = {
  loseAnswer: step => paypal.faults.plan(CALLS[step], { kind: 'lose_answer' }),
  loseRequest: step => paypal.faults.plan(CALLS[step], { kind: 'lose_request' }),
  storeFault: step => paypal.faults.plan(CALLS[step], { kind: 'refuse', status: 500, code: 'INTERNAL_SERVER_ERROR' }),
  refuseForGood: step => paypal.faults.plan(CALLS[step], { kind: 'refuse', status: 422, code: FOR_GOOD[step] }),
  refuseForBalance: () =>
    paypal.faults.plan(CALLS.refund, { kind: 'refuse', status: 422, code: 'REFUND_FAILED_INSUFFICIENT_FUNDS' }),
  refuseOurRequest: () =>
    paypal.faults.plan(/^POST \/v2\/checkout\/orders$/, {
      kind: 'refuse',
      status: 400,
      code: 'INVALID_PARAMETER_SYNTAX',
      param: '/purchase_units/0/amount',
    }),
  failRefund: async ({ paymentId }) => paypal.failRefund(paymentId),
  async dispute({ environmentId, paymentId }, state) {
    paypal.dispute(paymentId, DISPUTES[state]);
    // As the callback does.
    await updateChargeDisputed(database.db, { environmentId, paymentId });
  },
  returnThere: async ({ paymentId }) => void paypal.refundThere(paymentId),
  async closeEvidence(asked) {
    disputeOf(asked).seller_response_due_date = '2020-01-01T00:00:00Z';
  },
  async evidenceOf(asked) {
    const { evidences } = disputeOf(asked);
    return evidences
      ? evidences.flatMap(it => [it.notes, ...(it.documents ?? []).map(({ name }) => name)]).join('\n')
      : null;
  },
};

const common = {
  books: async ({ paymentId }: AuthorizeRequest) => paypal.movementsOf(paymentId).filter(kind => kind !== 'voided'),
  later: () => later(150),
  trouble,
  entries: () => entriesAround(provider, account, paypal.store.nowSeconds()),
};

/** Which of the players has an empty account. */
const broke = new Set<string>();

describePort('PayPal, approved by the player', {
  ...common,
  gateway: () =>
    withPlayer(gateway, ({ paymentId }) => paypal.approve(paymentId, broke.has(paymentId) ? 'declines' : 'approves')),
  request: async () => request(),
  async declinedRequest() {
    const asked = request();
    broke.add(asked.paymentId);
    return asked;
  },
});

const savedRequest = (bank: 'approves' | 'declines'): AuthorizeRequest =>
  request({ payWith: { kind: 'saved_method', token: paypal.saved(bank), method: 'paypal' }, playerId: 'player_1' });

describePort('PayPal, saved before', {
  ...common,
  gateway: () => gateway,
  request: async () => savedRequest('approves'),
  declinedRequest: async () => savedRequest('declines'),
});
