import type { Seller } from '@coinslot/contract';
import { type Queryable, ROWS, sqlForRows } from '../../db/statement.ts';
import type { OrderDetails, OrderItem } from '../order/order.ts';
import { type StoredDetails, type StoredItem, toDetails, toItem } from '../order/order-row.ts';

export interface ReceiptFacts {
  companyId: string;
  /** Whether an owner has confirmed their address. */
  isVerified: boolean;
  mode: 'live' | 'sandbox';
  gameName: string;
  companyName: string;
  seller: Partial<Seller> | null;
  orderId: string;
  items: OrderItem[];
  details: OrderDetails;
  amountMinor: number;
  currency: string;
  paidAt: Date;
  email: string | null;
  method: string;
  brand: string | null;
  last4: string | null;
  senderName: string | null;
  replyTo: string | null;
}

type PaymentKey = { environmentId: string; paymentId: string };

type ReceiptRow = Omit<ReceiptFacts, 'items' | 'details'> & { items: StoredItem[]; details: StoredDetails };

const findFactsOfReceipts = sqlForRows<PaymentKey, ReceiptRow>('receipt_find_facts', {
  environmentId: 'text',
  paymentId: 'text',
})`
  select k.n, c.id as "companyId",
    exists (select from members m join users u on u.id = m.user_id
            where m.company_id = c.id and m.role = 'owner' and u.email_verified_at is not null) as "isVerified", e.mode, g.name as "gameName", c.name as "companyName", c.seller, o.id as "orderId", o.items, o.details,
    o.amount_minor as "amountMinor", o.currency, coalesce(p.captured_at, o.paid_at, app_now()) as "paidAt",
    coalesce(p.email, o.email) as email, p.method, p.brand, p.last4,
    c.receipt_sender_name as "senderName", c.receipt_reply_to as "replyTo"
  from ${ROWS} as k
  cross join lateral (
    select environment_id, order_id, captured_at, email, method, brand, last4
    from payments where environment_id = k.environment_id and id = k.payment_id limit 1) p
  cross join lateral (
    select id, items, details, amount_minor, currency, paid_at, email
    from orders where environment_id = p.environment_id and id = p.order_id limit 1) o
  join environments e on e.id = p.environment_id
  join games g on g.id = e.game_id
  join companies c on c.id = g.company_id`;

export async function findReceiptFacts(db: Queryable, key: PaymentKey): Promise<ReceiptFacts | null> {
  const row = await db.queryRow(findFactsOfReceipts, key);
  return row ? { ...row, items: row.items.map(toItem), details: toDetails(row.details) } : null;
}
