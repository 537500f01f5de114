import type { Delivery as DeliveryView } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { listAttempts } from '../../domain/webhook/attempt.sql.ts';
import type { Delivery } from '../../domain/webhook/delivery.sql.ts';
import { deliveryView } from '../../domain/webhook/delivery-view.ts';

/** Deliveries with the log of their attempts. */
export async function deliveryViews(db: Queryable, environmentId: string, rows: Delivery[]): Promise<DeliveryView[]> {
  const ids = rows.map(({ id }) => id);
  const attempts = await listAttempts(db, environmentId, ids);
  return rows.map(row => deliveryView(row, attempts));
}
