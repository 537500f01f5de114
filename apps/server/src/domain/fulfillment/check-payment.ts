import { backoffSeconds } from '../../kit/clock.ts';
import type { ChargeRef } from '../payment/gateways/gateway.ts';
import { findPayment, type PaymentToCheck, updatePaymentNextCheckAt } from '../payment/payment.sql.ts';
import { advancePayment } from './advance-payment.ts';
import { deliverItem } from './deliver-item.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3_600;

/** Goes on with a payment: asks what is due, records it, and sends what follows. */
export async function continuePayment(deps: FulfillmentDeps, ref: ChargeRef): Promise<void> {
  const { toSend } = await advancePayment(deps, ref);
  if (toSend) await deliverItem(deps, toSend.delivery, toSend.target);
}

/** The janitor's turn: an outcome that is not known is asked for again, ever more rarely, and never charged again. */
export async function checkPayment(deps: FulfillmentDeps, due: PaymentToCheck): Promise<void> {
  try {
    await continuePayment(deps, { environmentId: due.environmentId, paymentId: due.id });
  } catch (error) {
    const payment = await findPayment(deps.db, due.environmentId, due.id);
    const wait = backoffSeconds(due.tries, deps.random(), FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
    await updatePaymentNextCheckAt(deps.db, payment!, wait);
    throw error;
  }
}
