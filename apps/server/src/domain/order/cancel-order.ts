import { AppError, foundOr } from '../../kit/app-error.ts';
import { type Actor, auditScope, writeAudit } from '../audit/audit.ts';
import type { Environment } from '../game/environment.ts';
import type { Shop } from '../shop.ts';
import { lockOrder, updateOrder } from './order.sql.ts';
import { decideOrder, orderKey, statusAt } from './order.ts';
import { emitOrderEvent } from './order-view.ts';

/** A second cancel changes nothing. */
export function cancelOrder(
  { db, signals }: Shop,
  actor: Actor | null,
  environment: Environment,
  id: string,
): Promise<void> {
  return db.transaction(async tx => {
    const locked = await foundOr('order_not_found', lockOrder(tx, environment.id, id));
    const { order, now } = locked;
    if (order.status === 'canceled') return;
    const decision = decideOrder(order, 'cancel', now);
    if ('refused' in decision) {
      const detail = `The order is ${statusAt(order, now)}; only one that waits for its player can be canceled.`;
      throw new AppError('order_wrong_status', { detail });
    }
    updateOrder(tx, locked, decision.order);
    emitOrderEvent(tx, decision.order, decision.event!);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'order.canceled', objectId: id });
    tx.afterCommit(() => signals.announce(orderKey(id)));
  });
}
