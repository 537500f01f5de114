import type Stripe from 'stripe';
import type { Charge } from '../base/charge-shape.ts';
import type { CaptureRequest, GatewayDriver } from '../base/driver.ts';
import { stripeDisputes } from './answer-dispute.ts';
import { createCharge, prepareCharge } from './authorize-intent.ts';
import { findLostIntent } from './find-intent.ts';
import type { Prepared } from './intent-params.ts';
import { readCharge, readIntent, retrieveIntent, type StripeCharge } from './read-intent.ts';
import { isUnderWay, refundOf } from './refund-failure.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { ASK, CHARGE, type StripeClient, type StripeClients } from './stripe-client.ts';
import { stripeFaultOf } from './stripe-fault.ts';

/** Capture and release are taken once by Stripe, so they need no key: an error that is stored under one cannot come back. */
async function capture(charge: StripeCharge, { amountMinor, currency }: CaptureRequest): Promise<Charge> {
  const { row } = charge;
  // Paid by a method that cannot reserve: it was captured at once.
  if (row.isCaptured) return readCharge(charge);
  const amount = toStripeAmount(amountMinor, currency);
  const params = {
    ...(amount !== null && { amount_to_capture: amount }),
    expand: ['latest_charge.balance_transaction'],
  };
  const intent = await charge.call('a capture', client => client.paymentIntents.capture(row.intentId, params, CHARGE));
  return readIntent(charge, row, intent);
}

/** Their money goes back by a transfer, for which Stripe asks the player by mail. */
const BY_INSTRUCTIONS: readonly string[] = ['konbini', 'multibanco', 'promptpay'];

function instructionsIn(intent: Stripe.PaymentIntent, { method }: Charge): { instructions_email?: string } {
  const { payment_method: used, latest_charge: charge } = intent;
  const email =
    (typeof used === 'object' && used?.billing_details?.email) ||
    (typeof charge === 'object' && charge?.billing_details?.email);
  return BY_INSTRUCTIONS.includes(method ?? '') && email ? { instructions_email: email } : {};
}

/** One that the bank works on, where nothing is left to return beside it. A part may have been returned by a person. */
function underWayIn({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Refund | undefined {
  const isWhole = typeof charge === 'object' && charge?.refunded === true;
  return isWhole ? charge.refunds?.data.find(isUnderWay) : undefined;
}

const refunds: GatewayDriver<StripeClient, Prepared>['refunds'] = {
  alreadyDone: ['charge_already_refunded'],
  find: async ({ ask }, id) => refundOf(await ask('a refund', client => client.refunds.retrieve(id, {}, ASK))),
  async create(charge, held, send) {
    const { paymentId, environmentId } = charge.row;
    const intent = await retrieveIntent(charge);
    const underWay = underWayIn(intent);
    if (underWay) return refundOf(underWay);
    const params: Stripe.RefundCreateParams = {
      payment_intent: intent.id,
      reason: 'requested_by_customer',
      metadata: { payment_id: paymentId, environment_id: environmentId },
      ...instructionsIn(intent, held),
    };
    return refundOf(
      await send((client, idempotencyKey) => client.refunds.create(params, { idempotencyKey, ...CHARGE })),
    );
  },
};

const idOf = (value: string | { id: string } | null): string | null =>
  typeof value === 'object' ? (value?.id ?? null) : value;

const savedMethods: GatewayDriver<StripeClient, Prepared>['savedMethods'] = {
  async find(charge) {
    const { payment_method: used } = await retrieveIntent(charge);
    const method = typeof used === 'object' ? used : null;
    if (!method?.customer) throw new Error(`The payment ${charge.row.paymentId} has no method that was kept.`);
    const { card } = method;
    const account = method.sepa_debit ?? method.us_bank_account ?? method.bacs_debit ?? method.au_becs_debit;
    return {
      token: method.id,
      brand: card?.brand ?? method.type,
      last4: card?.last4 ?? account?.last4 ?? '',
      expiryMonth: card?.exp_month ?? 0,
      expiryYear: card?.exp_year ?? 0,
    };
  },
  ownerOf: async (client, token) => idOf((await client.paymentMethods.retrieve(token, {}, ASK)).customer),
  remove: (client, token) => client.paymentMethods.detach(token, {}, ASK),
  // Stripe detaches the methods of a customer that is deleted.
  removeCustomer: (client, customerId) => client.customers.del(customerId, {}, ASK),
};

export const stripeDriver = (clients: StripeClients): GatewayDriver<StripeClient, Prepared> => ({
  name: 'stripe',
  title: 'Stripe',
  connect: ({ secretKey }) => clients(secretKey),
  faultOf: stripeFaultOf,
  prepare: prepareCharge,
  create: createCharge,
  findLost: findLostIntent,
  read: readCharge,
  capture,
  async void(charge) {
    const { row } = charge;
    const intent = await charge.call('a release', client => client.paymentIntents.cancel(row.intentId, {}, ASK));
    return readIntent(charge, row, intent);
  },
  standsElsewhere: ['payment_intent_unexpected_state', 'charge_already_captured'],
  refunds,
  disputes: stripeDisputes,
  savedMethods,
});
