import { endpoint } from './endpoint.ts';
import { PAYMENT_STATUSES } from './payment-statuses.ts';
import { playerId } from './players.ts';
import { createdBetween, named, nullable, oneOf, opaqueId, page, paging, time } from './shape.ts';
import { type Static, Type } from './type.ts';

export const ATTENTION_CODES = [
  'grant_unanswered',
  'removal_unanswered',
  'capture_refused',
  'refund_refused',
  'refund_failed',
  'amount_differs',
  'dispute_open',
  'dispute_unclear',
  'fraud_warning',
  'provider_error',
] as const;
export type AttentionCode = (typeof ATTENTION_CODES)[number];

export const Attention = named(
  'Attention',
  {
    code: oneOf(
      ATTENTION_CODES,
      'What a studio member should look at: `grant_unanswered`, `removal_unanswered` (the game does not answer), `capture_refused`, `refund_refused`, `refund_failed`, `amount_differs`, `dispute_open`, `dispute_unclear`, `fraud_warning` (a refund can still prevent a dispute), `provider_error`.',
    ),
    since: time('Since when.'),
    detail: Type.String({ description: 'What happened, in plain words.' }),
    next_check_at: nullable(time('When Coinslot tries or asks again by itself; null when a studio member must act.')),
  },
  'Why money waits for a person.',
);
export type Attention = Static<typeof Attention>;

export const attentionFilter = {
  attention: Type.Optional(oneOf(['true'], 'Only what needs attention.')),
};

const paymentId = () => opaqueId('pay', 'Identifier of the payment.');
const orderId = () => opaqueId('ord', 'Order it belongs to.');
const status = () => oneOf(PAYMENT_STATUSES, 'Status of the payment.');

export const DISPUTE_STATUSES = ['inquiry', 'open', 'won', 'lost', 'prevented', 'unclear'] as const;
const EVIDENCE_STAGES = ['needed', 'submitted', 'closed'] as const;

export const Dispute = named(
  'Dispute',
  {
    id: Type.String({ description: 'What the provider calls the dispute.', examples: ['dp_1N'] }),
    status: oneOf(
      DISPUTE_STATUSES,
      'Where it stands. `inquiry`: the bank only asks, and a refund ends it. `prevented`: the money went back in time.',
    ),
    amount: Type.Integer({ description: 'What the bank disputes, in minor units. It can be a part of the payment.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    fee: nullable(Type.Integer({ description: 'What the provider charged for it, in minor units.' })),
    fee_currency: nullable(Type.String({ description: 'Currency of the fee, ISO 4217.', examples: ['USD'] })),
    reason: Type.String({ description: 'Why, in the provider’s word.', examples: ['fraudulent'] }),
    evidence: oneOf(EVIDENCE_STAGES, 'Whether the bank takes evidence.'),
    respond_by: nullable(time('Until when the bank takes evidence.')),
    opened_at: time('When it was first heard of.'),
  },
  'A dispute: a bank questions a payment or a part of it.',
);
export type Dispute = Static<typeof Dispute>;

export const Payment = named(
  'Payment',
  {
    payment_id: paymentId(),
    order_id: orderId(),
    player_id: playerId(),
    status: status(),
    gateway: Type.String({ description: 'The gateway that processes the payment.', examples: ['simulator'] }),
    method: Type.String({ description: 'Payment method.', examples: ['card'] }),
    brand: nullable(Type.String({ description: 'Brand of the card.', examples: ['visa'] })),
    last4: nullable(Type.String({ description: 'Last four digits of the card.', examples: ['4242'] })),
    country: nullable(Type.String({ description: 'Country of the card, ISO 3166-1 alpha-2.' })),
    email: nullable(Type.String({ description: 'Email address entered on the form.' })),
    amount: Type.Integer({ description: 'In minor units.', examples: [499] }),
    currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
    price_decimal: Type.Number({ description: 'The same amount in major units.', examples: [4.99] }),
    refunded_amount: nullable(
      Type.Integer({
        description: 'What was refunded, in minor units. A part only if that was done at the provider itself.',
      }),
    ),
    response_code: nullable(Type.String({ description: 'Response code from the provider.', examples: ['16'] })),
    response_description: nullable(Type.String({ description: 'The code in words.', examples: ['Payment declined'] })),
    refund_reason: nullable(Type.String({ description: 'Reason for the refund.' })),
    dispute_reason: nullable(Type.String({ description: 'Reason for the dispute, from the bank.' })),
    disputes: Type.Array(Dispute, { description: 'Every dispute about it, oldest first.' }),
    problem: nullable(
      Type.String({ description: 'What studio members should look at, such as a refund that the provider refused.' }),
    ),
    in_review: Type.Boolean({
      description: 'True while a studio member must decide, because what the provider holds does not fit.',
    }),
    attention: nullable(Attention),
    sandbox: Type.Boolean({ description: 'True when no real money moved.' }),
    created_at: time('When the attempt began.'),
    updated_at: time('When it last changed.'),
    authorized_at: nullable(time('When the money was reserved.')),
    captured_at: nullable(time('When the money was captured.')),
    refunded_at: nullable(time('When the money was refunded.')),
  },
  'A transaction record: one attempt to pay an order, successful or not.',
);
export type Payment = Static<typeof Payment>;

export const listPayments = endpoint({
  name: 'list_payments',
  tag: 'Payments',
  method: 'GET',
  path: '/s2s/v1/payments',
  summary: 'List payments',
  description: 'Lists payments, newest first, including unsuccessful ones.',
  query: Type.Object({
    ...paging,
    order_id: Type.Optional(orderId()),
    player_id: Type.Optional(playerId()),
    status: Type.Optional(status()),
    ...attentionFilter,
    ...createdBetween,
  }),
  response: { status: 200, description: 'One page of payments.', schema: page('PaymentPage', Payment) },
  errors: [],
});

export const getPayment = endpoint({
  name: 'get_payment',
  tag: 'Payments',
  method: 'GET',
  path: '/s2s/v1/payments/{payment_id}',
  summary: 'Read a payment',
  description: 'Reads one payment.',
  params: Type.Object({ payment_id: paymentId() }),
  response: { status: 200, description: 'The payment.', schema: Payment },
  errors: ['payment_not_found'],
});
