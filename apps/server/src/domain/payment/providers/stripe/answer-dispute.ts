import type { EvidenceFileKind } from '@coinslot/contract';
import type Stripe from 'stripe';
import type { DisputeDriver, ProviderDispute } from '../base/evidence.ts';
import type { Evidence, FileRules } from '../base/gateway.ts';
import { disputeOf } from './dispute-of-charge.ts';
import { askDisputes } from './read-intent.ts';
import { CHARGE, type StripeClient } from './stripe-client.ts';

/** Stripe's fields for it. What has none of its own goes into the text that Stripe passes on as it is. */
const evidenceParams = (evidence: Evidence) => ({
  product_description: evidence.product,
  access_activity_log: evidence.delivery,
  uncategorized_text: [evidence.statement, evidence.receipt, evidence.history].filter(Boolean).join('\n\n'),
  ...(evidence.email !== null && { customer_email_address: evidence.email }),
});

const COMPARED = ['product_description', 'access_activity_log', 'uncategorized_text'] as const;

/** Each takes one file. */
const FILE_FIELDS = {
  receipt: 'receipt',
  delivery: 'service_documentation',
  communication: 'customer_communication',
  other: 'uncategorized_file',
} as const satisfies Record<EvidenceFileKind, keyof Stripe.DisputeUpdateParams.Evidence>;

/** Stripe takes 5 MB for a file, and the card networks 4.5 MB for all of them. */
const FILE_RULES: FileRules = {
  types: ['application/pdf', 'image/png', 'image/jpeg'],
  fileBytes: 4_500_000,
  totalBytes: 4_500_000,
  files: Object.keys(FILE_FIELDS).length,
  oneOfEachKind: true,
};

const disputeIn = (dispute: Stripe.Dispute): ProviderDispute => ({
  dispute: disputeOf(dispute),
  holds(evidence, files) {
    const sent: Partial<Record<string, string>> = evidenceParams(evidence);
    return (
      COMPARED.every(field => (dispute.evidence?.[field] ?? '') === (sent[field] ?? '')) &&
      files.every(({ kind }) => Boolean(dispute.evidence?.[FILE_FIELDS[kind]]))
    );
  },
});

export const stripeDisputes: DisputeDriver<StripeClient> = {
  list: async charge => (await askDisputes(charge, charge.row.intentId)).map(disputeIn),
  async submit({ call }, { disputeId, evidence, files }) {
    const params: Stripe.DisputeUpdateParams.Evidence = evidenceParams(evidence);
    for (const { kind, name, type, content } of files) {
      const file = { data: content, name, type };
      const made = await call('a file', client => client.files.create({ purpose: 'dispute_evidence', file }, CHARGE));
      params[FILE_FIELDS[kind]] = made.id;
    }
    await call('evidence', client => client.disputes.update(disputeId, { evidence: params, submit: true }, CHARGE));
  },
  accept: async ({ call }, disputeId) => {
    await call('an acceptance', client => client.disputes.close(disputeId, {}, CHARGE));
  },
  fileRules: FILE_RULES,
  preview: (evidence, files) => [
    ...Object.entries(evidenceParams(evidence)).map(([field, text]) => ({ field, text, files: [] })),
    ...files.map(({ kind, name }) => ({ field: FILE_FIELDS[kind], text: '', files: [name] })),
  ],
};
