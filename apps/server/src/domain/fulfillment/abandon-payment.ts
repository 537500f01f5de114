import { type ChargeRef, chargeIn } from '../payment/gateways/gateway.ts';
import { findPayment } from '../payment/payment.sql.ts';
import { deliverItem } from './deliver-item.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { recordCharge } from './record-charge.ts';

/**
 * The player wants to pay another way. What waits for them is ended at the provider first, so that it cannot succeed later;
 * if it has succeeded meanwhile, that is what is recorded.
 */
export async function abandonPayment(deps: FulfillmentDeps, ref: ChargeRef): Promise<void> {
  const payment = await findPayment(deps.db, ref.environmentId, ref.paymentId);
  const gateway = payment && deps.gateways[payment.gateway];
  if (!gateway) return;
  const held = await gateway.lookUp(ref);
  const isWaiting = held?.status === 'requires_action' || held?.status === 'processing';
  const charge = isWaiting ? chargeIn(await gateway.void(ref)) : held;
  const recorded = await recordCharge(deps, { ...ref, orderId: payment.orderId }, charge ?? 'absent');
  if (recorded.toSend) await deliverItem(deps, recorded.toSend.delivery, recorded.toSend.target);
}
