import type { Tx } from '../../../db/db.ts';
import { unlockedFirst } from '../../../db/unlocked-first.ts';
import { insertJob } from '../../../jobs/jobs.sql.ts';
import { orderIs } from '../../order/order.ts';
import { recordDisputes } from '../../payment/disputes/record-disputes.ts';
import type { Payment } from '../../payment/payment.ts';
import { SAVE_METHOD_JOB } from '../../payment/saved-methods/save-method.ts';
import { type DeliveryTarget, findItemTarget } from '../../webhook/endpoints/delivery-target.sql.ts';
import { withHiddenRemoval } from '../refund/removal-attention.ts';
import { revokeItems } from '../refund/revoke-items.ts';
import { providerStateOf } from '../table/provider-state.ts';
import { nextAction, nextCheckInSeconds, stepsFor } from '../table/purchase-rules.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import { type AppliedCharge, applyCharge } from './apply-charge.ts';
import type { ProviderAnswer } from './ask-provider.ts';
import type { Followup, LockedPurchase, Purchase, PurchaseShop } from './purchase.ts';
import { askEvent, queueItemEvent, queueItemEventFor } from './queue-item-event.ts';
import { expectPurchase, lockPurchaseOf, markUnanswered, NO_ENDPOINT, savePurchase } from './save-purchase.ts';

export type PaymentRef = Pick<Payment, 'environmentId' | 'id' | 'orderId'>;
/** The payment as it stood when the provider was asked. */
export type AskedPayment = PaymentRef & Pick<Payment, 'version'>;
/** What a member's act writes beside the change that it led to: the log never says less than the record. */
export type NoteWriter = (tx: Tx) => void;

export interface Recording {
  note?: NoteWriter | undefined;
  /** The purchase as this process saved it a moment ago. */
  known?: LockedPurchase | undefined;
  /** The claim that an `item.add` gets if one follows. */
  claimId?: string | undefined;
}

/** No player sees the difference, and a busy shop keeps methods by the dozen. */
const JOBS_WITHIN_MS = 100;

/** The saved method, queued once by the step that makes it due. */
function queueSaving(tx: Tx, signals: PurchaseShop['signals'], after: AppliedCharge): void {
  const { environmentId, id: paymentId, saveMethod } = after.payment;
  if (!after.askGame || !saveMethod) return;
  insertJob(tx, { name: SAVE_METHOD_JOB, environmentId, payload: { paymentId } });
  tx.afterCommit(() => signals.announceWithin('jobs', JOBS_WITHIN_MS));
}

type Holds = Extract<ProviderAnswer, { kind: 'holds' }>;

/** What was asked back is revoked when the provider has taken the refund, and not before: a refused one takes nothing. */
const isReturning = (before: Purchase, after: AppliedCharge, { isRefundTaken }: Holds): boolean =>
  before.order.status === 'refund_requested' && (isRefundTaken === true || after.order.status === 'refunded');

/**
 * A refund is due, and one has failed at the bank. The provider is asked at once, not at the next check, whether it was this
 * one.
 */
const isRefundInDoubt = (after: Purchase, { charge, isRefundTaken }: Holds): boolean =>
  !isRefundTaken &&
  providerStateOf(charge) === 'refund_failed' &&
  nextAction(after) === 'void_or_refund' &&
  !after.payment.attention?.isFinal;

/** One answer can hold two steps: a refund failed, and the bank has disputed the payment since. */
const hasMoreToSay = (before: Purchase, after: Purchase, { charge }: Holds): boolean =>
  before.payment.status === 'refunded' &&
  after.payment.status === 'succeeded' &&
  Boolean(stepsFor(after, charge)?.length);

/** When a worker looks again. The process that asks the game captures right after its yes: the date is there already. */
function dateAfter(before: Purchase, after: AppliedCharge, answer: Holds): number | null {
  if (after.askGame) return LEASE_SECONDS;
  return hasMoreToSay(before, after, answer) ? 0 : nextCheckInSeconds(after, answer.charge);
}

/** What the way of nearly every payment changes: order and payment, both of which compare their versions, and nothing besides. */
const isPlain = (before: LockedPurchase, after: AppliedCharge): boolean =>
  orderIs(before.order.status, 'open') &&
  after.order !== before.order &&
  after.payment !== before.payment &&
  before.payment.attention === null &&
  after.payment.attention === null &&
  after.revokeItems === null;

/** The same on the purchase as it was saved last, without a lock. Null: it takes a look under the lock. */
function recordPlainly(
  tx: Tx,
  signals: PurchaseShop['signals'],
  known: LockedPurchase,
  answer: Holds,
  target: DeliveryTarget | null,
  claimId: string | undefined,
): Followup | null {
  const { charge } = answer;
  const before = expectPurchase(known);
  if (charge === 'absent' || charge.disputes.length > 0) return null;
  const after = applyCharge(before, charge, before.now);
  const isAskable = target !== null && !target.playerContextEnabled;
  if (!isPlain(before, after) || (after.askGame && !isAskable) || isRefundInDoubt(after, answer)) return null;
  const saved = savePurchase(tx, before, after, {
    nextCheckInSeconds: dateAfter(before, after, answer),
    events: after.events,
    signals,
  });
  queueSaving(tx, signals, after);
  if (!after.askGame) return {};
  const { toSend } = queueItemEventFor(tx, saved, { ...askEvent(saved, saved.now), claimId }, target!);
  return { toSend: toSend && { ...toSend, of: saved } };
}

/**
 * Brings our record in line with what the provider holds. The first of callback, browser and worker makes the change. What
 * this process has saved itself a moment ago it need not read again.
 */
export async function recordCharge(
  { db, signals }: PurchaseShop,
  ref: AskedPayment,
  answer: Holds,
  { note, known, claimId }: Recording = {},
): Promise<Followup> {
  const { charge } = answer;
  const isPlainWay = known !== undefined && !note && known.payment.id === ref.id;
  const target =
    isPlainWay && charge !== 'absent' && charge.status === 'authorized' && known.order.status === 'pending'
      ? await findItemTarget(db, ref.environmentId)
      : null;
  const plainly = (tx: Tx) => (isPlainWay ? recordPlainly(tx, signals, known, answer, target, claimId) : null);
  const underLock = async (tx: Tx): Promise<Followup> => {
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
    queueSaving(tx, signals, after);
    if (after.askGame) return { toSend: await askGame(tx, signals, saved, claimId) };
    const isFraud = charge !== 'absent' && charge.warning?.kind === 'fraud_warning';
    const revocation = after.revokeItems ?? (isReturning(before, after, answer) ? 'refund' : null);
    const isToAsk = isRefundInDoubt(saved, answer) || hasMoreToSay(before, saved, answer);
    if (!revocation) return { toAsk: isToAsk ? saved : null };
    const code = revocation === 'refund' && isFraud ? 'fraud' : revocation;
    return { toSend: await revokeItems(tx, saved, code, now, saved.payment.refundReason ?? undefined) };
  };
  return db.shared(ref.orderId, unlockedFirst(plainly, underLock));
}

/** Queues `item.add`. If no endpoint takes it, the purchase needs attention from the first moment; one that fails is tried later. */
async function askGame(
  tx: Tx,
  signals: PurchaseShop['signals'],
  purchase: LockedPurchase,
  claimId: string | undefined,
): Promise<Followup['toSend']> {
  const { toSend, isHeld } = await queueItemEvent(tx, purchase, { ...askEvent(purchase, purchase.now), claimId });
  if (isHeld) markUnanswered(tx, signals, purchase, NO_ENDPOINT, null);
  return toSend && { ...toSend, of: purchase };
}
