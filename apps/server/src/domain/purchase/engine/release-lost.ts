import { isDatabaseUnavailable, isSessionLost } from '../../../db/sessions/database-errors.ts';
import { AppError } from '../../../kit/app-error.ts';
import { steadyMs } from '../../../kit/clock.ts';
import type { Payment } from '../../payment/payment.ts';
import { updatePaymentCheckNow } from '../../payment/payment-checks.sql.ts';
import { type Delivery, updateDeliveryUnclaimed } from '../../webhook/delivery/delivery.sql.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import type { PurchaseShop } from './purchase.ts';

/** What a step has under a lease. */
interface Leased {
  payment?: Pick<Payment, 'environmentId' | 'id'> | undefined;
  delivery?: Pick<Delivery, 'environmentId' | 'orderId' | 'claimId'> | undefined;
}

const AGAIN_MS = 500;

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable';

async function release({ db, signals }: PurchaseShop, { payment, delivery }: Leased): Promise<void> {
  // By then the leases are over by themselves.
  const untilMs = steadyMs() + LEASE_SECONDS * 1_000;
  for (;;) {
    try {
      if (payment) await updatePaymentCheckNow(db, payment);
      if (delivery) await updateDeliveryUnclaimed(db, delivery);
      return signals.announce('deliveries');
    } catch (error) {
      const isAway = isDatabaseUnavailable(error) || isUnavailable(error);
      if (!isAway || steadyMs() > untilMs || signals.isEnding()) throw error;
    }
    await signals.wait('the database is back', AGAIN_MS);
  }
}

/**
 * The step failed because the database was away. Ends its leases as soon as the database is back, so that a worker may continue
 * from the rows.
 */
export function releaseWhenBack(shop: PurchaseShop, held: Leased, error: unknown): void {
  if (isSessionLost(error) || isUnavailable(error)) shop.background(release(shop, held), 'release of a lost step');
}

/**
 * Runs a step that has something under a lease. The lease is for a process that dies: one that lives, and has only lost its
 * connection to the database under the step, gives it back and need not wait for its end.
 */
export async function releaseIfLost<T>(shop: PurchaseShop, held: Leased, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    releaseWhenBack(shop, held, error);
    throw error;
  }
}
