import type { Order } from '../../order/order.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';

/**
 * What must happen to the items of an order whose money goes back. `withdraw`: the game was never asked, so the question is
 * canceled and nothing is sent. `withdraw_and_remove`: an attempt may have reached the game, so it is not asked again and
 * must remove. `remove_after_add`: the question is on the wire, and the removal waits behind it.
 */
export type Revocation = 'none' | 'withdraw' | 'withdraw_and_remove' | 'remove_after_add' | 'remove';

export interface GrantFacts {
  order: Pick<Order, 'grantedAt'>;
  /** `item.add` of the order, if the game was to be asked. */
  grant: Pick<Delivery, 'status' | 'attemptsMade' | 'claimId'> | null;
  /** `item.remove`: a refund that the provider refused had it sent already. */
  removal: Pick<Delivery, 'status'> | null;
}

/** The one rule for the preview of a refund and for the refund itself. */
export function revocationFor({ order, grant, removal }: GrantFacts): Revocation {
  if (!grant || removal) return 'none';
  const { status, attemptsMade, claimId } = grant;
  const neverSent = status === 'exhausted' && attemptsMade === 0;
  // A grant that was sent again later may have ended otherwise; what was granted once must go all the same.
  if (!order.grantedAt && (status === 'canceled' || status === 'declined' || neverSent)) return 'none';
  if (status !== 'pending' && status !== 'blocked' && status !== 'held') return 'remove';
  if (claimId !== null) return 'remove_after_add';
  return attemptsMade === 0 ? 'withdraw' : 'withdraw_and_remove';
}
