import type { AttentionItem, DashboardLocale, Role } from '@coinslot/contract';
import { hasRole } from '../../company/manage-members.ts';
import { attentionView } from '../../order/order-view.ts';
import type { Purchase } from '../engine/purchase.ts';
import { actionsFor } from './attention-actions.ts';

/** A payment that needs attention, as a member reads it, with what their role may do about it. */
export const attentionItem = (
  { role, language }: { role: Role; language: DashboardLocale },
  purchase: Purchase,
): AttentionItem => ({
  payment_id: purchase.payment.id,
  order_id: purchase.order.id,
  player_id: purchase.order.playerId,
  amount: purchase.payment.amountMinor,
  currency: purchase.payment.currency,
  status: purchase.payment.status,
  order_status: purchase.order.status,
  attention: attentionView(purchase.payment.attention, language),
  actions: hasRole(role, 'support') ? actionsFor(purchase) : [],
});
