import { EVIDENCE_CHARS, type EvidenceFileKind } from '@coinslot/contract';
import { evidence as words } from '@coinslot/texts/evidence';
import type { DisputeDriver, ProviderDispute } from '../base/evidence.ts';
import type { Evidence, FileRules, NamedFile } from '../base/gateway.ts';
import { askDisputes } from './ask-payment.ts';
import { disputeOf } from './dispute-of-payment.ts';
import { type PaypalApi, TIMEOUTS_MS } from './wire/paypal-client.ts';
import type { PaypalDispute } from './wire/paypal-objects.ts';

interface PaypalEvidence {
  evidence_type: string;
  notes?: string;
  documents?: { name: string }[];
}

const FILE_TYPES = {
  receipt: 'PROOF_OF_RECEIPT_COPY',
  delivery: 'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
  communication: 'MERCHANT_RESPONSE',
  other: 'OTHER',
} as const satisfies Record<EvidenceFileKind, string>;

/** PayPal takes 10 MB for a file and 50 MB for all; what is held in memory for one answer stays below that. */
const FILE_RULES: FileRules = {
  types: ['application/pdf', 'image/png', 'image/jpeg'],
  fileBytes: 10_000_000,
  totalBytes: 20_000_000,
  files: 10,
  oneOfEachKind: false,
};

/** PayPal's words for each text, with the files that belong to it. */
function evidencesOf(
  { product, delivery, receipt, history, statement, email }: Evidence,
  files: readonly NamedFile[],
): PaypalEvidence[] {
  const account = [email && `E-mail of the player: ${email}`, history].filter(Boolean).join('\n');
  const texts = [
    ['PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED', delivery],
    ['ITEM_DESCRIPTION', product],
    ['PROOF_OF_RECEIPT_COPY', receipt],
    ['ORDER_DETAILS', account],
    ['MERCHANT_RESPONSE', statement],
    ['OTHER', ''],
  ] as const;
  return texts.flatMap(([type, text]) => {
    const documents = files.filter(({ kind }) => FILE_TYPES[kind] === type).map(({ name }) => ({ name }));
    if (text === '' && documents.length === 0) return [];
    return {
      evidence_type: type,
      ...(text !== '' && { notes: text.slice(0, EVIDENCE_CHARS) }),
      ...(documents.length > 0 && { documents }),
    };
  });
}

const disputeIn = (dispute: PaypalDispute): ProviderDispute => ({
  dispute: disputeOf(dispute, null),
  holds: (evidence, files) =>
    evidencesOf(evidence, files).every(({ evidence_type: type, notes, documents = [] }) =>
      dispute.evidences?.some(
        it =>
          it.source === 'SUBMITTED_BY_SELLER' &&
          it.evidence_type === type &&
          it.notes === notes &&
          documents.every(({ name }) => it.documents?.some(document => document.name === name)),
      ),
    ),
});

export const paypalDisputes: DisputeDriver<PaypalApi> = {
  list: async found => (found.row.captureId ? (await askDisputes(found, found.row.captureId)).map(disputeIn) : []),
  async submit({ call }, { disputeId, evidence, files }) {
    const path = `/v1/customer/disputes/${disputeId}/provide-evidence`;
    const form = { input: { evidences: evidencesOf(evidence, files) } };
    await call('evidence', api => api({ method: 'POST', path, form, files, timeoutMs: TIMEOUTS_MS.charge }));
  },
  accept: async ({ call }, disputeId) => {
    const path = `/v1/customer/disputes/${disputeId}/accept-claim`;
    const body = { note: words.in('en')('accepted'), accept_claim_type: 'REFUND' };
    await call('an acceptance', api => api({ method: 'POST', path, body, timeoutMs: TIMEOUTS_MS.charge }));
  },
  fileRules: FILE_RULES,
  preview: (evidence, files) =>
    evidencesOf(evidence, files).map(({ evidence_type: field, notes = '', documents = [] }) => ({
      field,
      text: notes,
      files: documents.map(({ name }) => name),
    })),
};
