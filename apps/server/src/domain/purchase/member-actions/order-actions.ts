import type { GrantState, OrderAction, Role } from '@coinslot/contract';
import { AppError } from '../../../kit/app-error.ts';
import type { Actor } from '../../audit/audit.ts';
import { hasRole } from '../../company/manage-members.ts';
import type { Environment } from '../../game/environment.ts';
import type { OrderAt } from '../../order/order.sql.ts';
import { allowedCommands, isOver, phaseOf } from '../../order/order.ts';
import type { Payment } from '../../payment/payment.ts';
import type { Shop } from '../../shop.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import { retryDelivery } from '../../webhook/delivery/resend.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { mayRefund } from '../table/purchase-rules.ts';
import { listOpenGrants, type OpenGrant } from './open-grants.sql.ts';

export function grantState({ status, attemptsMade, lastError, isClaimed }: OpenGrant): GrantState {
  if (status === 'held') return 'no_endpoint';
  if (status === 'blocked') return 'blocked';
  return lastError !== null || attemptsMade > (isClaimed ? 1 : 0) ? 'failing' : 'waiting';
}

/** Without an endpoint it cannot be sent; only money that was not returned yet can be released. */
export const grantActions = ({ status, kind, orderStatus }: OpenGrant): ('retry' | 'release')[] => [
  ...(status === 'pending' ? (['retry'] as const) : []),
  ...(kind === 'item.add' && orderStatus === 'authorized' ? (['release'] as const) : []),
];

const mayAct = (role: Role): boolean => hasRole(role, 'support');

/** Only the last payment of an order holds money. */
export const paymentActions = (role: Role, found: OrderAt, payment: Payment): 'refund'[] =>
  mayAct(role) && found.paymentId === payment.id && mayRefund({ order: found.order, payment }) ? ['refund'] : [];

export function orderActions(
  role: Role,
  found: OrderAt,
  deliveries: readonly Delivery[],
  payments: readonly Payment[],
): OrderAction[] {
  if (!mayAct(role)) return [];
  const { order, now } = found;
  const commands = allowedCommands(phaseOf(order));
  const mayReturn = commands.includes('request_refund');
  const openGrant = deliveries.find(
    ({ kind, status }) => kind === 'item.add' && (status === 'pending' || status === 'held'),
  );
  const actions: OrderAction[] = [];
  if (commands.includes('cancel') && !isOver(order, now)) actions.push('cancel');
  const isRefundable = payments.some(payment => paymentActions(role, found, payment).length > 0);
  if (isRefundable && !openGrant) actions.push('refund');
  if (openGrant?.status === 'pending') actions.push('retry_grant');
  if (mayReturn && openGrant) actions.push('release_grant');
  return actions;
}

export const openGrantActions = (role: Role, grant: OpenGrant): ('retry' | 'release')[] =>
  mayAct(role) ? grantActions(grant) : [];

export async function readOpenGrant({ db }: Shop, environmentId: string, deliveryId: string) {
  const [grant] = await listOpenGrants(db, environmentId, deliveryId);
  if (!grant) throw new AppError('delivery_not_found');
  return grant;
}

/** Asks the game again now. Answers with the grant as it stands then. */
export async function retryGrant(
  shop: PurchaseShop,
  actor: Actor,
  environment: Environment,
  deliveryId: string,
): Promise<OpenGrant> {
  const grant = await readOpenGrant(shop, environment.id, deliveryId);
  const after = { delivery_id: deliveryId };
  await retryDelivery(shop, actor, environment, deliveryId, { kind: 'grant.retried', objectId: grant.orderId, after });
  const [now] = await listOpenGrants(shop.db, environment.id, deliveryId);
  return now ?? grant;
}
