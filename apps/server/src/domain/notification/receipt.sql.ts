import type { Seller } from '@coinslot/contract';
import type { Span } from '../../db/read-numbered.ts';
import {
  fragment,
  type Queryable,
  ROWS,
  type RowOf,
  type Stored,
  sql,
  sqlForRows,
  type Tx,
} from '../../db/statement.ts';
import type { MailLook } from '../../mail/mail-content.ts';
import type { Mode } from '../game/environment.ts';
import { ORDERS } from '../order/order-row.ts';
import { PAYMENTS } from '../payment/payment-row.ts';

const BOUGHT = ORDERS.pick('items, details, amountMinor, currency');
const PAID = PAYMENTS.pick('method, brand, last4');

/** Of an environment: in whose name its receipts go, and whether they may. */
export interface ReceiptSender {
  companyId: string;
  /** Whether an owner has confirmed their address. */
  isVerified: boolean;
  mode: Mode;
  gameName: string;
  senderName: string | null;
  replyTo: string | null;
}

interface AboutPayment extends RowOf<typeof PAID>, ReceiptSender {
  email: string | null;
  look: MailLook;
  companyName: string;
  seller: Partial<Seller> | null;
  orderId: string;
  paidAt: Date;
}

const SENDER = fragment`c.id as "companyId",
    exists (select from members m join users u on u.id = m.user_id
            where m.company_id = c.id and m.role = 'owner' and u.email_verified_at is not null) as "isVerified",
    e.mode, g.name as "gameName", c.receipt_sender_name as "senderName", c.receipt_reply_to as "replyTo"`;

export type ReceiptFacts = RowOf<typeof BOUGHT> & AboutPayment;

type PaymentKey = { environmentId: string; paymentId: string };

const findFactsOfReceipts = sqlForRows<PaymentKey, Stored<RowOf<typeof BOUGHT>> & AboutPayment>('receipt_find_facts', {
  environmentId: 'text',
  paymentId: 'text',
})`
  select k.n, ${BOUGHT.of('o')}, ${PAID.of('p')}, ${SENDER}, coalesce(p.email, o.email) as email,
    json_build_object('iconUrl', g.icon_url, 'logoUrl', g.logo_url, 'accentColor', g.accent_color) as look, c.name as "companyName", c.seller, o.id as "orderId",
    coalesce(p.captured_at, o.paid_at, app_now()) as "paidAt"
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

export interface PaidOrder {
  environmentId: string;
  paymentId: string;
  email: string | null;
  locale: string | null;
  amountMinor: number;
  currency: string;
}

/** The orders that became paid in the span, each with the payment that its event names. */
export const listPaidOrders = (tx: Tx, { after, upTo }: Span): Promise<PaidOrder[]> =>
  tx.query(sql('receipt_list_paid')`
    select e.environment_id as "environmentId", p.id as "paymentId", coalesce(p.email, o.email) as email,
           o.details ->> 'locale' as locale, o.amount_minor as "amountMinor", o.currency
    from events e
    cross join lateral (
      select id, email from payments where environment_id = e.environment_id and id = e.data ->> 'payment_id' limit 1) p
    cross join lateral (
      select details, amount_minor, currency, email
      from orders where environment_id = e.environment_id and id = e.order_id limit 1) o
    where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and e.type = 'order.paid' and not e.test
    order by e.seq`);

export async function listReceiptSenders(tx: Tx, environmentIds: string[]): Promise<Map<string, ReceiptSender>> {
  const rows = await tx.query<ReceiptSender & { environmentId: string }>(sql('receipt_list_senders')`
    select e.id as "environmentId", ${SENDER}
    from environments e
    join games g on g.id = e.game_id
    join companies c on c.id = g.company_id
    where e.id = any(${environmentIds}::text[])`);
  return new Map(rows.map(({ environmentId, ...sender }) => [environmentId, sender]));
}
