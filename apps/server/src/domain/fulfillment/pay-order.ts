import type { Order } from '../order/order.ts';
import type { AuthorizeRequest, Charge, Gateway, PayWith } from '../payment/gateways/gateway.ts';
import { requestSaveMethod } from '../payment/save-method.ts';
import { startPayment } from '../payment/start-payment.ts';
import { deliverItem } from './deliver-item.ts';
import { type FulfillmentDeps, orderKey } from './fulfillment-deps.ts';
import { LEASE_SECONDS } from './next-step.ts';
import { recordCharge } from './record-charge.ts';
import { tell } from './save-purchase.ts';

export interface PayOrder {
  environmentId: string;
  orderId: string;
  gateway: Gateway;
  method: string;
  email: string | null;
  payWith: PayWith;
  returnUrl: string;
  saveMethod?: boolean;
  /** The attempt is on record: from here on the page tells what becomes of it. */
  onBegun?: () => void;
}

/** Null: the provider did not say. The row keeps its date, and a worker asks. */
async function authorize(deps: FulfillmentDeps, gateway: Gateway, request: AuthorizeRequest): Promise<Charge | null> {
  try {
    return await gateway.authorize(request);
  } catch (error) {
    deps.background(Promise.reject(error), 'authorize');
    return null;
  }
}

/**
 * Authorize, ask, collect. Resolves when the first round is through: paid, declined, challenged, or asked without an
 * answer yet. Whatever happens to this process on the way, a worker goes on from the rows.
 */
export async function payOrder(deps: FulfillmentDeps, input: PayOrder): Promise<Order> {
  const { environmentId, orderId, gateway } = input;
  const started = await startPayment(
    deps,
    { leaseSeconds: LEASE_SECONDS, signalKey: orderKey(orderId), ...input, gateway: gateway.name },
    (tx, order, payment) => {
      tell(tx, { order, payment }, ['payment.pending']);
      if (input.saveMethod) requestSaveMethod(tx, payment);
    },
  );
  input.onBegun?.();
  if (started.kind === 'refused') return started.order;
  const { payment } = started;
  const charge = await authorize(deps, gateway, {
    environmentId,
    paymentId: payment.id,
    orderId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    payWith: input.payWith,
    returnUrl: input.returnUrl,
    playerId: payment.playerId,
    email: input.email,
    saveMethod: input.saveMethod ?? false,
  });
  if (!charge) return started.order;
  const recorded = await recordCharge(deps, { environmentId, paymentId: payment.id, orderId }, charge);
  if (recorded.toSend) await deliverItem(deps, recorded.toSend.delivery, recorded.toSend.target);
  return recorded.order;
}
