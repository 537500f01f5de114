import { PAYMENT_STATUSES } from '../../payment-statuses.ts';
import { DISPUTE_STATUSES } from '../../payments.ts';
import { named, nullable, oneOf, opaqueId, time } from '../../shape.ts';
import { type Static, Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';

export const EVIDENCE_STATUSES = ['none', 'draft', 'sending', 'taken', 'refused'] as const;

/** In the order in which the bank reads them. */
export const EVIDENCE_PARTS = ['statement', 'product', 'delivery', 'receipt', 'history'] as const;
export type EvidencePart = (typeof EVIDENCE_PARTS)[number];

/** Every provider accepts a text of this length. */
export const EVIDENCE_CHARS = 2_000;

const part = (description: string) => Type.String({ maxLength: EVIDENCE_CHARS, description });

const texts = {
  statement: part('What the studio says about it.'),
  product: part('What was sold.'),
  delivery: part('When the items were granted, with what the game answered.'),
  receipt: part('How it was paid, and what the player was sent.'),
  history: part('Earlier purchases of the player.'),
  email: nullable(Type.String({ maxLength: 320, description: 'Email address of the player.' })),
};

export const DisputeEvidence = named('DisputeEvidence', texts, 'The studio’s side of a dispute.');
export type DisputeEvidence = Static<typeof DisputeEvidence>;

export const DisputeDetail = named(
  'DisputeDetail',
  {
    dispute_id: Type.String({ description: 'What the provider calls the dispute.' }),
    payment_id: opaqueId('pay', 'The disputed payment.'),
    order_id: opaqueId('ord', 'Its order.'),
    player_id: Type.String({ description: 'The player.' }),
    amount: Type.Integer({ description: 'What the bank disputes, in minor units.' }),
    currency: Type.String(),
    payment_amount: Type.Integer({ description: 'Amount of the payment, in minor units.' }),
    payment_currency: Type.String(),
    payment_status: oneOf(PAYMENT_STATUSES, 'Status of the payment.'),
    fee: nullable(Type.Integer({ description: 'What the provider charged for it, in minor units.' })),
    fee_currency: nullable(Type.String()),
    provider: Type.String({ description: 'The provider that has the dispute.' }),
    reference: nullable(Type.String({ description: 'What the provider calls the payment.' })),
    status: oneOf(DISPUTE_STATUSES, 'Where the dispute stands. `inquiry`: the bank only asks, and a refund ends it.'),
    reason: Type.String({ description: 'Why the bank disputes it, in the provider’s word.' }),
    network_code: nullable(Type.String({ description: 'The card network’s code for the reason.' })),
    opened_at: time('When it was first heard of.'),
    evidence_due_at: nullable(time('Until when the bank hears evidence.')),
    evidence: DisputeEvidence,
    is_composed: Type.Boolean({
      description: 'Whether the evidence was written from the records now; false once a member saved or sent it.',
    }),
    evidence_status: oneOf(
      EVIDENCE_STATUSES,
      'How far the evidence is. `sending`: the provider is being asked; `taken`: the bank has it.',
    ),
    evidence_by: nullable(Type.String({ description: 'Who saved or sent it, by email address.' })),
    evidence_at: nullable(time('When.')),
    settled_at: nullable(time('When the provider accepted or refused it.')),
    refusal: nullable(
      Type.Object(
        {
          code: Type.String({ description: 'The provider’s code, or ours where the dispute itself tells why.' }),
          reason: Type.String({ description: 'The same in words.' }),
          request_id: nullable(Type.String({ description: 'How the provider’s support finds the call.' })),
        },
        { description: 'Why the provider did not take the evidence.' },
      ),
    ),
    can_answer: Type.Boolean({ description: 'Whether the signed-in member can send evidence now.' }),
    why_not: nullable(Type.String({ description: 'Why no evidence can be sent.' })),
  },
  'A dispute: what the bank says, until when, and the evidence against it.',
);
export type DisputeDetail = Static<typeof DisputeDetail>;

export const DisputeList = named('DisputeList', { data: Type.Array(DisputeDetail) }, 'Disputes about one payment.');
export type DisputeList = Static<typeof DisputeList>;

const PATH = '/dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/disputes';
const payment = { payment_id: opaqueId('pay', 'Identifier of the payment.') };
const params = Type.Object({
  ...payment,
  dispute_id: Type.String({ minLength: 1, maxLength: 255, description: 'What the provider calls the dispute.' }),
});
const response = { status: 200, description: 'The dispute.', schema: DisputeDetail };
const common = { scope: 'environment', params, response } as const;

export const disputeEndpoints = {
  listDisputes: dashboardEndpoint({
    name: 'list_disputes',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: PATH,
    summary: 'All disputes about a payment, the newest first, with evidence made from the records.',
    params: Type.Object(payment),
    response: { status: 200, description: 'The disputes.', schema: DisputeList },
    errors: ['payment_not_found', 'dispute_not_found'],
  }),
  saveEvidence: dashboardEndpoint({
    ...common,
    name: 'save_evidence',
    role: 'support',
    method: 'PUT',
    path: `${PATH}/{dispute_id}/evidence`,
    summary: 'Keep evidence for later. Nothing is sent.',
    body: DisputeEvidence,
    errors: ['payment_not_found', 'dispute_not_found', 'dispute_not_answerable'],
  }),
  answerDispute: dashboardEndpoint({
    ...common,
    name: 'answer_dispute',
    role: 'support',
    method: 'POST',
    path: `${PATH}/{dispute_id}/answer`,
    summary: 'Send the evidence to the bank, once and for good. Sending the same evidence again has no effect.',
    body: DisputeEvidence,
    errors: ['payment_not_found', 'dispute_not_found', 'dispute_not_answerable', 'validation_failed'],
  }),
};
