import type { AttentionItem, AttentionMark, DashboardLocale, Role } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { hasRole } from '../../company/manage-members.ts';
import { attentionView } from '../../order/order-view.ts';
import type { Purchase } from '../engine/purchase.ts';
import { actionsFor } from './attention-actions.ts';
import { readMarks } from './attention-mark.sql.ts';

/** The same text as PAYMENT_CAUSE makes in SQL: a mark holds for one cause. */
export const paymentCause = ({ payment: { attention } }: Purchase): string =>
  attention ? `${attention.code} ${attention.since.toISOString()}` : '';

interface Reader {
  environment: { companyId: string };
  role: Role;
  language: DashboardLocale;
}

/** A payment that needs attention, as a member reads it, with what their role may do about it. */
const attentionItem = ({ role, language }: Reader, purchase: Purchase, mark: AttentionMark | null): AttentionItem => ({
  payment_id: purchase.payment.id,
  order_id: purchase.order.id,
  player_id: purchase.order.playerId,
  amount: purchase.payment.amountMinor,
  currency: purchase.payment.currency,
  status: purchase.payment.status,
  order_status: purchase.order.status,
  attention: attentionView(purchase.payment.attention, language),
  actions: hasRole(role, 'support') ? actionsFor(purchase) : [],
  mark,
});

export async function attentionItems(
  db: Queryable,
  reader: Reader,
  purchases: readonly Purchase[],
): Promise<AttentionItem[]> {
  const ids = purchases.map(({ payment }) => payment.id);
  const markOf = await readMarks(db, reader.environment.companyId, ids);
  return purchases.map(purchase =>
    attentionItem(reader, purchase, markOf(purchase.payment.id, paymentCause(purchase))),
  );
}
