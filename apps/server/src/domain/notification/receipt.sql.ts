import type { Seller } from '@coinslot/contract';
import { type Queryable, ROWS, type RowOf, type Stored, sqlForRows } from '../../db/statement.ts';
import type { MailLook } from '../../mail/mail-content.ts';
import type { Mode } from '../game/environment.ts';
import { ORDERS } from '../order/order-row.ts';
import { PAYMENTS } from '../payment/payment-row.ts';

const BOUGHT = ORDERS.pick('items, details, amountMinor, currency');
const PAID = PAYMENTS.pick('method, brand, last4');

interface AboutPayment extends RowOf<typeof PAID> {
  companyId: string;
  email: string | null;
  /** Whether an owner has confirmed their address. */
  isVerified: boolean;
  mode: Mode;
  gameName: string;
  look: MailLook;
  companyName: string;
  seller: Partial<Seller> | null;
  orderId: string;
  paidAt: Date;
  senderName: string | null;
  replyTo: string | null;
}

export type ReceiptFacts = RowOf<typeof BOUGHT> & AboutPayment;

type PaymentKey = { environmentId: string; paymentId: string };

const findFactsOfReceipts = sqlForRows<PaymentKey, Stored<RowOf<typeof BOUGHT>> & AboutPayment>('receipt_find_facts', {
  environmentId: 'text',
  paymentId: 'text',
})`
  select k.n, ${BOUGHT.of('o')}, ${PAID.of('p')}, coalesce(p.email, o.email) as email, c.id as "companyId",
    exists (select from members m join users u on u.id = m.user_id
            where m.company_id = c.id and m.role = 'owner' and u.email_verified_at is not null) as "isVerified",
    e.mode, g.name as "gameName",
    json_build_object('iconUrl', g.icon_url, 'logoUrl', g.logo_url, 'accentColor', g.accent_color) as look, c.name as "companyName", c.seller, o.id as "orderId",
    coalesce(p.captured_at, o.paid_at, app_now()) as "paidAt", c.receipt_sender_name as "senderName",
    c.receipt_reply_to as "replyTo"
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
  return row ? BOUGHT.read(row) : null;
}
