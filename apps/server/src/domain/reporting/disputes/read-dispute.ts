import type { DisputeDetail, DisputeList, EvidencePreview } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { AppError, foundOr } from '../../../kit/app-error.ts';
import { onWire } from '../../../kit/on-wire.ts';
import { findCompany } from '../../company/company.sql.ts';
import { hasRole } from '../../company/manage-members.ts';
import { sellerOf } from '../../company/seller.ts';
import { findAppearance } from '../../game/game.sql.ts';
import { readOrder } from '../../order/read-order.ts';
import { type DisputeRecord, findDispute, listDisputes } from '../../payment/disputes/dispute.sql.ts';
import { listDisputeFiles } from '../../payment/disputes/dispute-file.sql.ts';
import { namedFiles } from '../../payment/disputes/evidence-files.ts';
import type { Payment } from '../../payment/payment.ts';
import type { PaymentShop } from '../../payment/payment-shop.ts';
import { readPayment } from '../../payment/payment-view.ts';
import type { Evidence, FileRules } from '../../payment/providers/base/gateway.ts';
import { findChargeDetails } from '../../payment/providers/base/provider-charge.sql.ts';
import { whyNotAcceptable } from '../../purchase/member-actions/accept-dispute.ts';
import { whyNotAnswerable } from '../../purchase/member-actions/answer-dispute.ts';
import type { Viewer } from '../timeline/order-detail.ts';
import { readTimeline } from '../timeline/read-timeline.ts';
import { listPaymentsOfPlayer } from '../timeline/timeline.sql.ts';
import { composeEvidence } from './compose-evidence.ts';

const OTHER_PAYMENTS = 100;

type DisputeReader = Pick<PaymentShop, 'db' | 'gateways'>;

const rulesOnWire = (rules: FileRules | undefined): DisputeDetail['file_rules'] =>
  rules
    ? {
        types: [...rules.types],
        file_bytes: rules.fileBytes,
        total_bytes: rules.totalBytes,
        files: rules.files,
        one_of_each_kind: rules.oneOfEachKind,
      }
    : null;

/** Written from the records as they are now. */
async function compose(
  db: Queryable,
  { environment }: Viewer,
  payment: Payment,
  dispute: DisputeRecord,
  refundId: string | null,
): Promise<Evidence> {
  const { order } = await readOrder(db, environment.id, payment.orderId);
  const [facts, others, company, game] = await Promise.all([
    readTimeline(db, environment, order),
    listPaymentsOfPlayer(db, environment.id, payment.playerId, OTHER_PAYMENTS),
    findCompany(db, environment.companyId),
    findAppearance(db, environment.gameId),
  ]);
  const grant = facts.deliveries.find(({ kind }) => kind === 'item.add') ?? null;
  return composeEvidence({
    gameName: game?.name ?? company.name,
    sellerName: sellerOf(company).legal_name ?? company.name,
    order,
    payment,
    grant,
    attempts: facts.log.attempts.filter(({ deliveryId }) => deliveryId === grant?.id),
    receipt: facts.receipts.find(({ paymentId }) => paymentId === payment.id) ?? null,
    others: others.filter(({ id }) => id !== payment.id),
    disputeReason: dispute.reason,
    refundId,
  });
}

/** What the bank says, until when, and the studio's side: as a member left it, else from the records. */
async function detailOf(
  { db, gateways }: DisputeReader,
  viewer: Viewer,
  payment: Payment,
  dispute: DisputeRecord,
): Promise<DisputeDetail> {
  const whyNot = whyNotAnswerable(dispute);
  const gateway = gateways[payment.gateway];
  const isSupport = hasRole(viewer.role, 'support');
  const files = await listDisputeFiles(db, { ...dispute, disputeId: dispute.id });
  const details = await findChargeDetails(db, dispute);
  return {
    dispute_id: dispute.id,
    payment_id: payment.id,
    ...onWire(payment, 'order_id, player_id'),
    amount: dispute.amountMinor,
    payment_amount: payment.amountMinor,
    payment_currency: payment.currency,
    payment_status: payment.status,
    fee: dispute.feeMinor,
    provider: payment.gateway,
    reference: details?.intentId ?? null,
    ...onWire(dispute, 'currency, fee_currency, status, reason, network_code, opened_at, evidence_due_at'),
    ...onWire(dispute, 'evidence_status, evidence_by, evidence_at, settled_at'),
    evidence: dispute.evidence ?? (await compose(db, viewer, payment, dispute, details?.lastRefundId ?? null)),
    is_composed: dispute.evidence === null,
    refusal: dispute.refusal && onWire(dispute.refusal, 'code, reason, request_id'),
    files: files.map(file => ({
      file_id: file.id,
      bytes: file.sizeBytes,
      ...onWire(file, 'kind, name, type, added_by, added_at'),
    })),
    file_rules: rulesOnWire(gateway?.fileRules),
    can_answer: whyNot === null && isSupport,
    can_accept: isSupport && whyNotAcceptable(dispute, gateway) === null,
    why_not: whyNot,
  };
}

export async function readDispute(
  reader: DisputeReader,
  viewer: Viewer,
  { paymentId, disputeId }: { paymentId: string; disputeId: string },
): Promise<DisputeDetail> {
  const environmentId = viewer.environment.id;
  const payment = await readPayment(reader.db, environmentId, paymentId);
  const dispute = await foundOr('dispute_not_found', findDispute(reader.db, { environmentId, paymentId, disputeId }));
  return detailOf(reader, viewer, payment, dispute);
}

export async function readDisputes(reader: DisputeReader, viewer: Viewer, paymentId: string): Promise<DisputeList> {
  const environmentId = viewer.environment.id;
  const payment = await readPayment(reader.db, environmentId, paymentId);
  const disputes = await listDisputes(reader.db, { environmentId, paymentId });
  if (disputes.length === 0) throw new AppError('dispute_not_found');
  return { data: await Promise.all(disputes.toReversed().map(dispute => detailOf(reader, viewer, payment, dispute))) };
}

/** The evidence as the provider would be given it now, with the files that are there. */
export async function previewEvidence(
  { db, gateways }: DisputeReader,
  environmentId: string,
  { paymentId, disputeId, evidence }: { paymentId: string; disputeId: string; evidence: Evidence },
): Promise<EvidencePreview> {
  const payment = await readPayment(db, environmentId, paymentId);
  const ref = { environmentId, paymentId, disputeId };
  await foundOr('dispute_not_found', findDispute(db, ref));
  const files = namedFiles(await listDisputeFiles(db, ref));
  const parts = gateways[payment.gateway]?.previewEvidence?.(evidence, files) ?? [];
  return {
    provider: payment.gateway,
    parts: parts.filter(({ text, files: names }) => text !== '' || names.length > 0),
  };
}
