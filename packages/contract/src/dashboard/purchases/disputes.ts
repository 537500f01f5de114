import { PAYMENT_STATUSES } from '../../payment-statuses.ts';
import { DISPUTE_STATUSES } from '../../payments.ts';
import { named, nullable, oneOf, opaqueId, time } from '../../shape.ts';
import { type Static, Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';

export const EVIDENCE_STATUSES = ['none', 'draft', 'sending', 'taken', 'refused', 'accepting', 'accepted'] as const;

/** What a file shows; each provider has a place of its own for it. */
export const EVIDENCE_FILE_KINDS = ['receipt', 'delivery', 'communication', 'other'] as const;
export type EvidenceFileKind = (typeof EVIDENCE_FILE_KINDS)[number];

export const EVIDENCE_FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type EvidenceFileType = (typeof EVIDENCE_FILE_TYPES)[number];

/** The largest file that any provider takes. Which limits hold for a dispute, its `file_rules` say. */
export const EVIDENCE_FILE_BYTES = 10_000_000;

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

const fileKind = oneOf(EVIDENCE_FILE_KINDS, 'What the file shows.');

export const EvidenceFile = named(
  'EvidenceFile',
  {
    file_id: opaqueId('evf', 'Identifier of the file.'),
    kind: fileKind,
    name: Type.String({ description: 'Its name where it came from.' }),
    type: oneOf(EVIDENCE_FILE_TYPES, 'What it is, by its first bytes.'),
    bytes: Type.Integer({ description: 'Its size.' }),
    added_by: Type.String({ description: 'Who added it, by email address.' }),
    added_at: time('When.'),
  },
  'A file that goes to the bank with the texts.',
);
export type EvidenceFile = Static<typeof EvidenceFile>;

export const EvidenceFileRules = named(
  'EvidenceFileRules',
  {
    types: Type.Array(oneOf(EVIDENCE_FILE_TYPES, 'A type that the provider takes.')),
    file_bytes: Type.Integer({ description: 'The most bytes of one file.' }),
    total_bytes: Type.Integer({ description: 'The most bytes of all files of a dispute.' }),
    files: Type.Integer({ description: 'The most files of a dispute.' }),
    one_of_each_kind: Type.Boolean({ description: 'Whether the provider has one place for each kind.' }),
  },
  'Which files the provider of a dispute takes.',
);
export type EvidenceFileRules = Static<typeof EvidenceFileRules>;

export const EvidencePreview = named(
  'EvidencePreview',
  {
    provider: Type.String({ description: 'The provider that passes it on.' }),
    parts: Type.Array(
      Type.Object({
        field: Type.String({ description: 'What the provider calls the part.' }),
        text: Type.String({ description: 'The text as it is sent.' }),
        files: Type.Array(Type.String({ description: 'Name of a file as it is sent.' })),
      }),
    ),
  },
  'What would be sent now, part by part, in the order in which it is sent.',
);
export type EvidencePreview = Static<typeof EvidencePreview>;

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
    evidence_due_at: nullable(time('Until when the bank accepts evidence.')),
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
    files: Type.Array(EvidenceFile),
    file_rules: nullable(EvidenceFileRules),
    can_answer: Type.Boolean({ description: 'Whether the signed-in member can send evidence now.' }),
    can_accept: Type.Boolean({ description: 'Whether the signed-in member can accept the dispute as lost now.' }),
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
    confirms: 'always',
  }),
  previewEvidence: dashboardEndpoint({
    ...common,
    name: 'preview_evidence',
    role: 'viewer',
    method: 'POST',
    path: `${PATH}/{dispute_id}/preview`,
    summary: 'What the bank would read, as the provider is given it. Nothing is kept or sent.',
    body: DisputeEvidence,
    response: { status: 200, description: 'What would be sent.', schema: EvidencePreview },
    errors: ['payment_not_found', 'dispute_not_found'],
  }),
  acceptDispute: dashboardEndpoint({
    ...common,
    name: 'accept_dispute',
    role: 'support',
    method: 'POST',
    path: `${PATH}/{dispute_id}/accept`,
    summary: 'Accept the dispute as lost, for good: the player keeps the money. Accepting again has no effect.',
    errors: ['payment_not_found', 'dispute_not_found', 'dispute_not_answerable'],
    confirms: 'always',
  }),
  addEvidenceFile: dashboardEndpoint({
    ...common,
    name: 'add_evidence_file',
    role: 'support',
    method: 'POST',
    path: `${PATH}/{dispute_id}/files`,
    summary: 'Keep a file that goes with the evidence. The body is the file.',
    query: Type.Object({
      kind: fileKind,
      name: Type.String({ minLength: 1, maxLength: 200, description: 'Its name where it came from.' }),
    }),
    file: { types: EVIDENCE_FILE_TYPES, mostBytes: EVIDENCE_FILE_BYTES },
    errors: ['payment_not_found', 'dispute_not_found', 'dispute_not_answerable', 'body_too_large', 'validation_failed'],
  }),
  removeEvidenceFile: dashboardEndpoint({
    ...common,
    name: 'remove_evidence_file',
    role: 'support',
    method: 'DELETE',
    path: `${PATH}/{dispute_id}/files/{file_id}`,
    params: Type.Object({ ...params.properties, file_id: opaqueId('evf', 'Identifier of the file.') }),
    summary: 'Remove a file that was not sent yet. Removing it again has no effect.',
    errors: ['payment_not_found', 'dispute_not_found', 'dispute_not_answerable'],
  }),
};
