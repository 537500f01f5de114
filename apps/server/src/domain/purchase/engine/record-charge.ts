import type { Tx } from '../../../db/db.ts';
import { insertJob } from '../../../jobs/jobs.sql.ts';
import { recordDisputes } from '../../payment/disputes/record-disputes.ts';
import type { Payment } from '../../payment/payment.ts';
import { SAVE_METHOD_JOB } from '../../payment/saved-methods/save-method.ts';
import { withHiddenRemoval } from '../refund/removal-attention.ts';
import { revokeItems } from '../refund/revoke-items.ts';
import { providerStateOf } from '../table/provider-state.ts';
import { nextAction, nextCheckInSeconds, stepsFor } from '../table/purchase-rules.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import { type AppliedCharge, applyCharge } from './apply-charge.ts';
import type { Answer } from './ask-provider.ts';
import type { Followup, Purchase, PurchaseShop } from './purchase.ts';
import { askEvent, queueItemEvent } from './queue-item-event.ts';
import { type LockedPurchase, lockPurchaseOf, markUnanswered, NO_ENDPOINT, savePurchase } from './save-purchase.ts';

export type PaymentRef = Pick<Payment, 'environmentId' | 'id' | 'orderId'>;
/** The payment as it stood when the provider was asked. */
export type AskedPayment = PaymentRef & Pick<Payment, 'version'>;
/** What a member's act writes beside the change that it led to: the log never says less than the record. */
export type Note = (tx: Tx) => void;

/** No player sees the difference, and a busy shop writes its receipts by the dozen. */
const JOBS_WITHIN_MS = 100;

/** The receipt and the saved method, each queued once by the step that makes it due. */
function queueJobs(tx: Tx, signals: PurchaseShop['signals'], after: AppliedCharge): void {
  const { environmentId, id: paymentId, saveMethod } = after.payment;
  const names = [
    ...(after.sendReceipt ? ['receipt.send'] : []),
    ...(after.askGame && saveMethod ? [SAVE_METHOD_JOB] : []),
  ];
  for (const name of names) insertJob(tx, { name, environmentId, payload: { paymentId } });
  if (names.length > 0) tx.afterCommit(() => signals.announceWithin('jobs', JOBS_WITHIN_MS));
}

type Holds = Extract<Answer, { kind: 'holds' }>;

/** What was asked back is revoked when the provider has taken the refund, and not before: a refused one takes nothing. */
const isReturning = (before: Purchase, after: AppliedCharge, { isRefundTaken }: Holds): boolean =>
  before.order.status === 'refund_requested' && (isRefundTaken === true || after.order.status === 'refunded');

/** A refund that is due here failed at the bank: the provider is asked at once which one, and not at the next check. */
const isRefundInDoubt = (after: Purchase, { charge, isRefundTaken }: Holds): boolean =>
  !isRefundTaken &&
  providerStateOf(charge) === 'refund_failed' &&
  nextAction(after) === 'void_or_refund' &&
  !after.payment.attention?.isFinal;

/** The same answer says more: a refund failed, and the bank has questioned the money since. */
const hasMoreToSay = (before: Purchase, after: Purchase, { charge }: Holds): boolean =>
  before.payment.status === 'refunded' &&
  after.payment.status === 'succeeded' &&
  Boolean(stepsFor(after, charge)?.length);

/** When a worker looks again. The process that asks the game captures right after its yes: the date is there already. */
function dateAfter(before: Purchase, after: AppliedCharge, answer: Holds): number | null {
  if (after.askGame) return LEASE_SECONDS;
  return hasMoreToSay(before, after, answer) ? 0 : nextCheckInSeconds(after, answer.charge);
}

/** Brings our record in line with what the provider holds. The first of callback, browser and worker makes the change. */
export function recordCharge(
  { db, signals }: PurchaseShop,
  ref: AskedPayment,
  answer: Holds,
  note?: Note,
): Promise<Followup> {
  const { charge } = answer;
  return db.shared(ref.orderId, async tx => {
    const before = await lockPurchaseOf(tx, ref);
    const { now } = before;
    note?.(tx);
    // Another answer was recorded while this one was on its way, and may be the newer of the two.
    if (before.payment.version !== ref.version) return { isOvertaken: true };
    const asked = { environmentId: ref.environmentId, paymentId: ref.id };
    const needsNotice = charge !== 'absent' && (await recordDisputes(tx, asked, charge.disputes));
    const after = await withHiddenRemoval(tx, before, applyCharge(before, charge, now, needsNotice), now);
    if (!after.changed && nextCheckInSeconds(after, charge) === null) return {};
    const saved = savePurchase(tx, before, after, {
      nextCheckInSeconds: dateAfter(before, after, answer),
      events: after.events,
      signals,
    });
    queueJobs(tx, signals, after);
    if (after.askGame) return { toSend: await askGame(tx, signals, saved) };
    const isFraud = charge !== 'absent' && charge.warning?.kind === 'fraud_warning';
    const revocation = after.revokeItems ?? (isReturning(before, after, answer) ? 'refund' : null);
    const isToAsk = isRefundInDoubt(saved, answer) || hasMoreToSay(before, saved, answer);
    if (!revocation) return { toAsk: isToAsk ? saved : null };
    const code = revocation === 'refund' && isFraud ? 'fraud' : revocation;
    return { toSend: await revokeItems(tx, saved, code, now, saved.payment.refundReason ?? undefined) };
  });
}

/** Queues `item.add`. If no endpoint takes it, the purchase needs attention from the first moment; one that fails is tried later. */
async function askGame(
  tx: Tx,
  signals: PurchaseShop['signals'],
  purchase: LockedPurchase,
): Promise<Followup['toSend']> {
  const { toSend, isHeld } = await queueItemEvent(tx, purchase, askEvent(purchase, purchase.now));
  if (isHeld) markUnanswered(tx, signals, purchase, NO_ENDPOINT, null);
  return toSend;
}
