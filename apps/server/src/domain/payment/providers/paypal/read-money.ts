import type { Charge } from '../base/charge-shape.ts';
import { OutcomeUnknown } from '../base/gateway.ts';
import { updateChargeCapture, updateChargeHold, updateChargeRefundSeen } from '../base/provider-charge.sql.ts';
import { askDisputes, getAuthorization, getOrder, getOrderIfThere, getRefund } from './ask-payment.ts';
import { chargeOfAuthorization, chargeOfCapture, isInHand, voidedCharge } from './charge-of-payment.ts';
import { factsOf, get, type PaypalCharge } from './paypal-charge.ts';
import { laterRisk, riskOfPayment } from './risk-of-payment.ts';
import { type PaypalAuthorization, type PaypalCapture, type PaypalOrder, paymentsOf } from './wire/paypal-objects.ts';

const keepWithRisk = (found: PaypalCharge, charge: Charge, risk: Charge['risk']): Promise<Charge> =>
  found.keep(found.row, { ...charge, risk: laterRisk(found.row.risk, risk ?? null) });

/** PayPal's own word, which its support and the account's pages use too. */
export const pendingWarning = ({ status_details: details }: PaypalCapture): Charge['warning'] => ({
  kind: 'review',
  reason: details?.reason ?? 'PENDING',
});

/** Captured money, with what became of it since. */
export async function readCaptured(found: PaypalCharge, capture: PaypalCapture): Promise<Charge> {
  const { row } = found;
  const known = row.refundId ?? row.lastRefundId;
  const isUnknown = capture.status === 'REFUNDED' && known === null;
  const order = isUnknown || capture.status === 'PARTIALLY_REFUNDED' ? await getOrderIfThere(found) : null;
  const refunds = order && (paymentsOf(order).refunds ?? []);
  // A person refunded it there. If that fails at the bank, PayPal says so of the refund alone, and not of the capture.
  const seen = (isUnknown && refunds?.at(-1)?.id) || null;
  if (seen !== null) await updateChargeRefundSeen(found.db, row, seen);
  const refundId = known ?? seen;
  const charge = chargeOfCapture(factsOf(found), {
    capture,
    refund: refundId === null ? null : await getRefund(found, refundId),
    refunds,
    disputes: row.hasDispute ? await askDisputes(found, capture.id) : [],
    hasDispute: row.hasDispute,
  });
  return keepWithRisk(found, charge, riskOfPayment({ money: capture }));
}

/** Null: the capture came to nothing, and the reservation tells where the money is. */
export async function readCapture(found: PaypalCharge, captureId: string): Promise<Charge | null> {
  const capture = await get<PaypalCapture>(found, `/v2/payments/captures/${captureId}`);
  if (isInHand(capture)) return readCaptured(found, capture);
  if (capture.status === 'DECLINED' || capture.status === 'FAILED') {
    await updateChargeCapture(found.db, found.row, null);
    found.row.captureId = null;
    return null;
  }
  if (capture.status !== 'PENDING')
    throw new OutcomeUnknown(`PayPal answered with a capture that is ${capture.status}.`);
  // PayPal reviews it or waits for a bank: the money is reserved, and not ours yet.
  const pending: Charge = { ...voidedCharge(factsOf(found)), status: 'authorized', warning: pendingWarning(capture) };
  return found.keep(found.row, pending);
}

/** What the reservation says; if it was captured, by us or there, what the capture says. */
export async function readHold(
  found: PaypalCharge,
  hold: PaypalAuthorization,
  order: PaypalOrder | null = null,
): Promise<Charge> {
  const charge = chargeOfAuthorization(factsOf(found), hold);
  if (charge) return keepWithRisk(found, charge, riskOfPayment({ order, money: hold }));
  const capture = paymentsOf(await getOrder(found)).captures?.at(-1);
  if (!capture) throw new OutcomeUnknown('PayPal has captured the payment and does not name the capture yet.');
  await updateChargeCapture(found.db, found.row, capture.id);
  const read = await readCapture(found, capture.id);
  if (!read) throw new OutcomeUnknown('PayPal says both that the payment was captured and that it was not.');
  return read;
}

/** A reservation that was renewed is void, and the order names the one in its place: its name may have got lost with an answer. */
export async function currentHold(found: PaypalCharge, holdId: string): Promise<PaypalAuthorization> {
  const hold = await getAuthorization(found, holdId);
  if (hold.status !== 'VOIDED') return hold;
  const order = await getOrderIfThere(found);
  const renewed = (order && paymentsOf(order).authorizations)?.find(
    ({ id, status }) => id !== holdId && status !== 'VOIDED',
  );
  if (!renewed || !(await updateChargeHold(found.db, found.row, renewed.id))) return hold;
  found.row.holdId = renewed.id;
  return renewed;
}
