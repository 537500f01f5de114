import type { Db } from '../../../../db/db.ts';
import type { Charge, DisputeStatus } from '../base/charge-shape.ts';
import {
  CHARGE_MISSING,
  declinedCharge,
  disputedRefusal,
  isHeldByBank,
  leadingDispute,
  refused,
} from '../base/charges.ts';
import {
  type AuthorizeRequest,
  type ChargeRef,
  NothingKept,
  type RefundAnswer,
  type SavedMethod,
  type StepAnswer,
} from '../base/gateway.ts';
import {
  findCharge,
  insertCharge,
  insertTombstone,
  type Move,
  updateCharge,
  updateChargeArrived,
  updateChargeRefunded,
  updateRefundFailed,
} from './charges.sql.ts';
import { insertSimulatedEntries, insertSimulatedMethod } from './entries.sql.ts';
import { denial, newCharge } from './new-charge.ts';
import { afterChallenge, canBeReturned } from './other-methods.ts';
import { declineOf, disputesOf, GIVEN_UP, type Rules, toCharge } from './simulated-charge.ts';

/** The provider was asked for what this charge can no longer, or not yet, do. Asking again changes nothing. */
export class ChargeRefusal extends Error {}

const CHALLENGE_FAILED = denial('2065');

export type ChallengeAnswer = 'complete' | 'fail';

export async function simulateAuthorize(db: Db, rules: Rules, request: AuthorizeRequest): Promise<Charge> {
  const { paymentId, orderId, amountMinor, currency } = request;
  const wanted = await newCharge(db, rules, request);
  const row = (await db.shared(paymentId, tx => insertCharge(tx, wanted))) ?? (await findCharge(db, request));
  if (!row) throw new ChargeRefusal(`The charge ${paymentId} could not be made.`);
  const charge = toCharge(request, row, rules);
  if (!charge) return declinedCharge({ amountMinor, currency }, declineOf(GIVEN_UP));
  const isMeant = row.orderId === orderId && charge.amountMinor === amountMinor && charge.currency === currency;
  if (!isMeant) throw new ChargeRefusal(`The charge ${paymentId} exists for another order or amount.`);
  return charge;
}

const DISPUTE_ENTRIES: Readonly<Record<DisputeStatus, readonly string[]>> = {
  inquiry: [],
  open: ['disputed'],
  won: ['disputed', 'dispute_won'],
  lost: ['disputed', 'charged_back'],
  prevented: ['disputed', 'charged_back'],
  unclear: [],
};

/** The ledger learns of a dispute with the first answer that names it, so before a studio member can act on it. */
async function enterDispute(db: Db, ref: ChargeRef, charge: Charge | null): Promise<void> {
  for (const { status } of charge?.disputes ?? []) await insertSimulatedEntries(db, ref, [...DISPUTE_ENTRIES[status]]);
}

/** Moves the charge, or answers it as it stands. Refused: it was never made, or it is of another amount. */
export async function simulateStep(db: Db, rules: Rules, ref: ChargeRef, move: Move): Promise<StepAnswer> {
  const moved = await db.shared(ref.paymentId, tx => updateCharge(tx, ref, move));
  const row = moved ?? (await findCharge(db, ref));
  const charge = row && toCharge(ref, row, rules);
  if (!charge) return CHARGE_MISSING;
  await enterDispute(db, ref, charge);
  const { amountMinor = charge.amountMinor, currency = charge.currency } = move;
  if (amountMinor !== charge.amountMinor || currency !== charge.currency) {
    return refused('shop', 'amount_differs', { param: 'amount' });
  }
  return { kind: 'charge', charge };
}

export async function simulateRefund(db: Db, rules: Rules, ref: ChargeRef): Promise<RefundAnswer> {
  const there = await findCharge(db, ref);
  if (there?.status === 'captured' && !canBeReturned(there.method)) return refused('bank', 'charge_not_refundable');
  const seen = there?.status === 'captured' ? disputesOf(ref, there, rules) : null;
  if (seen && isHeldByBank(seen)) return disputedRefusal(leadingDispute(seen)?.status === 'lost');
  const row = (await updateChargeRefunded(db, ref)) ?? (await findCharge(db, ref));
  const charge = row && toCharge(ref, row, rules);
  if (!charge) return CHARGE_MISSING;
  return charge.status === 'refunded' ? { kind: 'charge', charge } : refused('shop', 'charge_not_captured');
}

export async function simulateLookUp(db: Db, rules: Rules, ref: ChargeRef): Promise<Charge | null> {
  const found = (await findCharge(db, ref)) ?? (await insertTombstone(db, ref));
  const arrived =
    found.status === 'processing'
      ? await updateChargeArrived(db, ref)
      : found.behavior === 'refund_fails'
        ? await updateRefundFailed(db, ref, rules)
        : null;
  const charge = toCharge(ref, arrived ?? found, rules);
  await enterDispute(db, ref, charge);
  return charge;
}

export async function simulateSavedMethod(db: Db, ref: ChargeRef & { playerId: string }): Promise<SavedMethod> {
  const saved = await insertSimulatedMethod(db, ref);
  if (!saved) throw new NothingKept(`The charge ${ref.paymentId} holds no money, so its method is not kept.`);
  return saved;
}

export async function simulateChallenge(
  db: Db,
  rules: Rules,
  ref: ChargeRef,
  answer: ChallengeAnswer,
): Promise<Charge> {
  const found = await findCharge(db, ref);
  if (found?.behavior !== 'challenge') throw new ChargeRefusal(`The charge ${ref.paymentId} has no challenge.`);
  const to =
    answer === 'complete' ? { to: afterChallenge(found.method) } : ({ to: 'declined', ...CHALLENGE_FAILED } as const);
  const settled = await simulateStep(db, rules, ref, { from: ['requires_action'], ...to });
  if (settled.kind === 'refused') throw new ChargeRefusal(settled.refusal.reason);
  return settled.charge;
}
