import { backoffSeconds } from '../../../kit/clock.ts';
import { findPayment } from '../../payment/payment.sql.ts';
import { type PaymentToCheck, updatePaymentNextCheckAt } from '../../payment/payment-checks.sql.ts';
import { advanceFromRow } from './advance-purchase.ts';
import type { PurchaseShop } from './purchase.ts';
import { recordSilence } from './record-refusal.ts';
import { releaseIfLost } from './release-lost.ts';

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3_600;
/** After about twenty minutes without an answer a studio member should know. */
const SILENT_TRIES = 8;

/** The worker's turn with a payment: an outcome that is not known is asked for again, ever more rarely, and never charged again. */
export async function checkPayment(shop: PurchaseShop, due: PaymentToCheck): Promise<void> {
  try {
    await advanceFromRow(shop, { environmentId: due.environmentId, paymentId: due.id });
  } catch (error) {
    const payment = await releaseIfLost(shop, { payment: due }, findPayment(shop.db, due.environmentId, due.id));
    const wait = backoffSeconds(due.tries, shop.random(), FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
    await updatePaymentNextCheckAt(shop.db, payment!, wait);
    if (due.tries >= SILENT_TRIES) await recordSilence(shop, payment!, wait);
    throw error;
  }
}
