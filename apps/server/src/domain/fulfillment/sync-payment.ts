import type { ChargeRef } from '../payment/gateways/gateway.ts';
import { findPayment } from '../payment/payment.sql.ts';
import { deliverItem } from './deliver-item.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { recordCharge } from './record-charge.ts';

/**
 * The provider has news, or the player came back from it. What the news is, the provider is asked: so the order in which
 * callbacks, the browser and the janitor come never matters, and a forged hint changes nothing.
 */
export async function syncPayment(deps: FulfillmentDeps, ref: ChargeRef): Promise<void> {
  const { environmentId, paymentId } = ref;
  const payment = await findPayment(deps.db, environmentId, paymentId);
  const gateway = payment && deps.gateways[payment.gateway];
  if (!payment || !gateway) return;
  const charge = await gateway.lookUp({ environmentId, paymentId });
  const { orderId } = payment;
  const { toSend } = await recordCharge(deps, { environmentId, paymentId, orderId }, charge ?? 'absent');
  if (toSend) await deliverItem(deps, toSend.delivery, toSend.target);
}
