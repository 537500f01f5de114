import { describePort, entriesAround, type Step } from '@coinslot/testing/port-contract';
import { startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll } from 'vitest';
import { newId } from '../../../../kit/ids.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';

const shop = await startStripeShop();
afterAll(() => shop.close());

const CALLS: Record<Step, RegExp> = {
  authorize: /^POST \/v1\/payment_intents$/,
  capture: /^POST \/v1\/payment_intents\/\w+\/capture$/,
  void: /^POST \/v1\/payment_intents\/\w+\/cancel$/,
  refund: /^POST \/v1\/refunds$/,
  answer: /^POST \/v1\/disputes\/\w+$/,
  accept: /^POST \/v1\/disputes\/\w+\/close$/,
};

const FOR_GOOD: Record<Exclude<Step, 'authorize' | 'answer' | 'accept'>, string> = {
  capture: 'capture_charge_authorization_expired',
  void: 'charge_not_refundable',
  refund: 'charge_not_refundable',
};

const DISPUTES = {
  inquiry: 'warning_needs_response',
  open: 'needs_response',
  unclear: 'not_invented_yet',
  lost: 'lost',
} as const;

async function request(method = 'pm_card_visa'): Promise<AuthorizeRequest> {
  return {
    environmentId: shop.environmentId,
    paymentId: newId('pay'),
    orderId: newId('ord'),
    amountMinor: 1999,
    currency: 'EUR',
    payWith: { kind: 'provider_token', token: shop.stripe.token(method) },
    returnUrl: 'https://shop.test/c/token',
  };
}

const intentOf = ({ paymentId }: AuthorizeRequest) => shop.stripe.intentOf(paymentId);
const disputeOf = (asked: AuthorizeRequest) => {
  const { id } = intentOf(asked);
  return [...shop.stripe.store.disputes.values()].find(({ payment_intent: intent }) => intent === id)!;
};
const invalidRequest = 'invalid_request_error';

describePort('Stripe', {
  gateway: () => shop.program.parts.live.of('stripe')!.provider.gateway,
  request,
  declinedRequest: () => request('pm_card_chargeDeclined'),
  books: async ({ paymentId }) => shop.stripe.movementsOf(paymentId),
  later: () => shop.later(150),
  async entries() {
    const { provider, fromSettings } = shop.program.parts.live.of('stripe')!;
    return entriesAround(provider, fromSettings!, shop.stripe.store.nowSeconds());
  },
  trouble: {
    loseAnswer: step => shop.stripe.faults.plan(CALLS[step], { kind: 'lose_answer' }),
    loseRequest: step => shop.stripe.faults.plan(CALLS[step], { kind: 'lose_request' }),
    storeFault: step => shop.stripe.faults.plan(CALLS[step], { kind: 'refuse', status: 500, type: 'api_error' }),
    refuseForGood: step =>
      shop.stripe.faults.plan(CALLS[step], { kind: 'refuse', status: 400, type: invalidRequest, code: FOR_GOOD[step] }),
    refuseForBalance: () =>
      shop.stripe.faults.plan(CALLS.refund, {
        kind: 'refuse',
        status: 400,
        type: invalidRequest,
        code: 'balance_insufficient',
      }),
    refuseOurRequest: () =>
      shop.stripe.faults.plan(CALLS.authorize, {
        kind: 'refuse',
        status: 400,
        type: invalidRequest,
        code: 'parameter_unknown',
        param: 'payment_method_options[card][captured]',
      }),
    async failRefund(asked) {
      const { id } = intentOf(asked);
      const refund = [...shop.stripe.store.refunds.values()].find(({ payment_intent: intent }) => intent === id)!;
      shop.stripe.failRefund(refund);
    },
    async dispute(asked, state) {
      shop.stripe.dispute(intentOf(asked), DISPUTES[state]);
    },
    async returnThere(asked) {
      shop.stripe.refundThere(intentOf(asked));
    },
    async closeEvidence(asked) {
      disputeOf(asked).evidence_details.due_by = shop.stripe.store.nowSeconds() - 1;
    },
    async evidenceOf(asked) {
      const { evidence, evidence_details: details } = disputeOf(asked);
      const nameOf = (value: string) => shop.stripe.store.files.get(value)?.filename ?? value;
      return details.submission_count > 0 ? Object.values(evidence).map(nameOf).join('\n') : null;
    },
  },
});
