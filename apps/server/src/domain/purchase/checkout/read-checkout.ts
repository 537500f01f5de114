import type { Db } from '../../../db/db.ts';
import { findCheckout } from './checkout.sql.ts';
import type { Checkout } from './checkout.ts';
import { type LiveDeps, readLiveFacts } from './live-facts.ts';

/** Null: there is no such order. */
export async function readCheckout(
  deps: LiveDeps & { purchasing: { db: Db } },
  { environmentId, orderId }: { environmentId: string; orderId: string },
  acceptLanguage: string | null,
): Promise<Checkout | null> {
  const facts = await findCheckout(deps.purchasing.db, environmentId, orderId);
  if (!facts) return null;
  const sandbox = facts.mode === 'sandbox';
  const live = sandbox ? null : await readLiveFacts(deps, facts.order, acceptLanguage);
  return { sandbox, hasProvider: sandbox || live !== null, live, ...facts };
}
