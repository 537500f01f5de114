import { type Charge, OutcomeUnknown, type RefundAnswer } from '../base/gateway.ts';
import { findProviderCharge, updateChargeRefund, updateRefundRefused } from '../base/provider-charge.sql.ts';
import { updateChargeRefundAsked } from '../base/provider-steps.sql.ts';
import { hasFailed, refusalOfRefund } from './charge-of-payment.ts';
import { callPaypal, type Found, type PaypalDeps, refuse } from './paypal-context.ts';
import { isAnswered, stepRefusalOf } from './paypal-problem.ts';
import { getRefund, readPayment } from './read-payment.ts';
import { PaypalFault, TIMEOUTS_MS } from './wire/paypal-client.ts';
import type { PaypalRefund } from './wire/paypal-objects.ts';

async function read(deps: PaypalDeps, found: Found): Promise<Charge> {
  const charge = await readPayment(deps, found);
  if (!charge) throw new OutcomeUnknown('PayPal has no payment to return.');
  return charge;
}

/** What became of the refund that was asked for. */
async function judge(deps: PaypalDeps, found: Found, refund: PaypalRefund): Promise<RefundAnswer> {
  const { row } = found;
  if (hasFailed(refund)) {
    await updateChargeRefund(deps.db, row, null);
    await updateRefundRefused(deps.db, row, row.refundGeneration);
    return refuse(deps, row, refusalOfRefund(refund));
  }
  row.refundId = refund.id;
  const charge = await read(deps, found);
  return charge.status === 'refunded' ? { kind: 'charge', charge } : { kind: 'pending', charge };
}

const ALREADY: readonly string[] = ['CAPTURE_FULLY_REFUNDED', 'REFUND_AMOUNT_EXCEEDED'];

/** The whole of what is left, so that PayPal itself refuses a second one, whatever its request id. */
async function askRefund(
  deps: PaypalDeps,
  found: Found,
  captureId: string,
  isAfterFailure: boolean,
): Promise<RefundAnswer> {
  const { row, account } = found;
  if (isAfterFailure) await updateRefundRefused(deps.db, row, row.refundGeneration);
  const generation = row.refundGeneration + (isAfterFailure ? 1 : 0);
  const requestId = `${row.paymentId}-refund-${generation}`;
  try {
    const refund = await callPaypal<PaypalRefund>(deps, { environmentId: row.environmentId, account }, 'a refund', {
      method: 'POST',
      path: `/v2/payments/captures/${captureId}/refund`,
      body: { custom_id: row.paymentId },
      requestId,
      timeoutMs: TIMEOUTS_MS.charge,
    });
    await updateChargeRefundAsked(deps.db, row, refund.id);
    return await judge(deps, { ...found, row: { ...row, refundGeneration: generation } }, refund);
  } catch (error) {
    const fault = error instanceof OutcomeUnknown ? error.cause : error;
    if (!(fault instanceof PaypalFault)) throw error;
    if (isAnswered(fault)) await updateRefundRefused(deps.db, row, generation);
    if (error instanceof OutcomeUnknown) throw error;
    if (ALREADY.includes(fault.issue)) {
      const charge = await read(deps, found);
      return charge.status === 'refunded' ? { kind: 'charge', charge } : { kind: 'pending', charge };
    }
    return refuse(deps, row, stepRefusalOf(fault));
  }
}

/** An inquiry ends with a refund; what PayPal or a bank has taken, or may have, is not returned a second time. */
const isHeldByBank = ({ dispute }: Charge): boolean =>
  dispute !== null && dispute.status !== 'won' && dispute.status !== 'inquiry';

export async function refundPayment(deps: PaypalDeps, found: Found): Promise<RefundAnswer> {
  const { row } = found;
  if (row.refundId !== null) return judge(deps, found, await getRefund(deps, found, row.refundId));
  const charge = await read(deps, found);
  if (charge.status !== 'captured') return { kind: 'charge', charge };
  if (isHeldByBank(charge)) {
    return refuse(deps, row, stepRefusalOf(new PaypalFault({ statusCode: 422, issue: 'TRANSACTION_DISPUTED' })));
  }
  // Reading may have found the capture whose answer got lost.
  const captureId = row.captureId ?? (await findProviderCharge(deps.db, row))?.captureId;
  if (!captureId) throw new OutcomeUnknown('PayPal has captured the payment and does not name the capture.');
  return askRefund(deps, found, captureId, charge.refundFailure != null);
}
