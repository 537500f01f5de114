import type { Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { orderIs } from '../order/order.ts';
import { listDisputesOf } from '../payment/disputes/dispute.sql.ts';
import { isUndecided } from '../payment/providers/base/charges.ts';
import type { LockedPurchase } from '../purchase/engine/purchase.ts';
import { lockPurchase } from '../purchase/engine/save-purchase.ts';
import { agreementFor } from '../purchase/table/purchase-rules.ts';
import type { OrderOfPlayer, PlayerTraces } from './player-data.sql.ts';

const MOST_NAMED = 20;

const dateText = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');

/** The longest that the table of purchases allows; only a voucher or a transfer is waited for as long as it says itself. */
function endsBy(purchase: LockedPurchase): Date {
  const { payment } = purchase;
  if (payment.instructions?.expiresAt) return payment.instructions.expiresAt;
  const { processing = 0, ...others } = agreementFor(purchase) ?? {};
  const seconds = Math.max(...Object.values(others), payment.instructions ? processing : 0);
  return new Date(payment.updatedAt.getTime() + seconds * 1000);
}

async function openOrders(tx: Tx, environmentId: string, orders: readonly OrderOfPlayer[]): Promise<string[]> {
  const open = orders.filter(({ status }) => orderIs(status, 'under_way'));
  const found: string[] = [];
  for (const { id, status } of open) {
    const purchase = await lockPurchase(tx, environmentId, id);
    found.push(`order ${id} (${status}${purchase ? `, ends by ${dateText(endsBy(purchase))} UTC` : ''})`);
  }
  return found;
}

/** Also of money that went back: the answer to the bank needs the player's data. */
async function openDisputes(tx: Tx, environmentId: string, { paymentIds }: PlayerTraces): Promise<string[]> {
  const disputes = (await listDisputesOf(tx, environmentId, paymentIds)).filter(isUndecided);
  return disputes.map(
    ({ paymentId, evidenceDueAt }) =>
      `payment ${paymentId} (questioned by the bank${evidenceDueAt ? `, which hears you until ${dateText(evidenceDueAt)} UTC` : ''})`,
  );
}

/** Money is on its way, or a bank has not decided: both need the player's name. Says what, and when it is over. */
export async function refuseUnderWay(
  tx: Tx,
  environmentId: string,
  orders: readonly OrderOfPlayer[],
  traces: PlayerTraces,
): Promise<void> {
  const open = [...(await openOrders(tx, environmentId, orders)), ...(await openDisputes(tx, environmentId, traces))];
  if (open.length === 0) return;
  const more = open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : '';
  const detail = `A player can be erased when nothing is under way. Open: ${open.slice(0, MOST_NAMED).join(', ')}${more}.`;
  throw new AppError('order_wrong_status', { detail });
}
