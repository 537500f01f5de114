import type { LockedOrder } from '../../order/order.sql.ts';
import type { Order } from '../../order/order.ts';
import type { Payment } from '../../payment/payment.ts';
import type { PaymentShop } from '../../payment/payment-shop.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import type { DeliveryTarget } from '../../webhook/endpoints/delivery-target.sql.ts';
import type { WebhookShop } from '../../webhook/sending/send.ts';

/** Taking money for an order needs both: a provider to ask, and the game to be reached. */
export interface PurchaseShop extends PaymentShop, WebhookShop {}

/** An order and the payment that holds, or may hold, its money. */
export interface Purchase {
  order: Order;
  payment: Payment;
}

/** A purchase that does not change while its order's lock is held, or whose write is refused if it did. Saving takes it. */
export interface LockedPurchase extends LockedOrder {
  payment: Payment;
}

/** What a transaction left to do once it is durable. Each part also has a date in its row, for a worker if this process dies. */
export interface Followup {
  /** A delivery that this process has claimed. Without a target, the enabled one is looked up; `of` is its purchase as it was saved. */
  toSend?: { delivery: Delivery; target?: DeliveryTarget; of?: LockedPurchase } | null | undefined;
  /** A purchase, read under its lock or saved, whose provider is asked for what is due. */
  toAsk?: LockedPurchase | null | undefined;
  /** Nothing was recorded: the payment had changed since the provider was asked. */
  isOvertaken?: boolean;
}
