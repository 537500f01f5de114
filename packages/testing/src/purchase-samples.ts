import type { OrderStatus, PaymentStatus } from '@coinslot/contract';
import type { Order } from '../../../apps/server/src/domain/order/order.ts';
import { newPayment } from '../../../apps/server/src/domain/payment/payment.ts';
import type {
  Charge,
  ChargeStatus,
  Dispute,
  DisputeStatus,
} from '../../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import type { Purchase } from '../../../apps/server/src/domain/purchase/engine/purchase.ts';

const CREATED = new Date('2026-01-01T00:00:00Z');
const DAY_MS = 24 * 3_600_000;

const COMPLETE: readonly OrderStatus[] = ['paid', 'disputed', 'charged_back'];
const MAY_BE_CALLED_OFF: readonly OrderStatus[] = ['refund_requested', 'refunded'];

export const orderIn = (status: OrderStatus, grantedAt: Date | null = null): Order => ({
  environmentId: 'env_1',
  id: 'ord_1',
  playerId: 'player_1',
  status,
  amountMinor: 100,
  currency: 'USD',
  items: [],
  details: { country: null, locale: null, theme: 'auto', backToGameUrl: null, backToStoreUrl: null, metadata: {} },
  email: null,
  problem: null,
  attention: null,
  grantedAt,
  paidAt: COMPLETE.includes(status) ? CREATED : MAY_BE_CALLED_OFF.includes(status) ? grantedAt : null,
  createdAt: CREATED,
  expiresAt: new Date(CREATED.getTime() + DAY_MS),
  updatedAt: CREATED,
  version: 1,
});

export function purchaseIn(order: OrderStatus, payment: PaymentStatus, grantedAt: Date | null = null): Purchase {
  const given = { gateway: 'simulator', method: 'card', email: null };
  const sample = orderIn(order, grantedAt);
  return { order: sample, payment: { ...newPayment(sample, given, CREATED), status: payment } };
}

/** A dispute about the whole charge of `chargeIn`. */
export const disputeIn = (status: DisputeStatus, changes: Partial<Dispute> = {}): Dispute => ({
  id: 'dp_1',
  status,
  reason: 'fraudulent',
  amountMinor: 100,
  currency: 'USD',
  ...changes,
});

export const chargeIn = (status: ChargeStatus, changes: Partial<Charge> = {}): Charge => ({
  status,
  amountMinor: 100,
  currency: 'USD',
  brand: 'visa',
  last4: '4242',
  country: 'GB',
  responseCode: null,
  responseDescription: null,
  challengeUrl: null,
  disputes: [],
  askAgainInSeconds: null,
  ...changes,
});
