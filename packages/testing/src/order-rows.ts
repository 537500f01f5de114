import type { DeliveryStatus, EventKind, PaymentStatus } from '@coinslot/contract';
import type { Queryable } from '../../../apps/server/src/db/db.ts';
import { sql } from '../../../apps/server/src/db/sql.ts';
import { remakeReceipt } from '../../../apps/server/src/domain/notification/send-receipt.ts';
import type { Gateway } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import { findMail } from '../../../apps/server/src/mail/mail.sql.ts';
import type { Parts } from '../../../apps/server/src/program/parts.ts';
import { type UnreliableGateway, unreliableGateway } from './unreliable-gateway.ts';

export interface DeliveryRow {
  id: string;
  kind: EventKind;
  status: DeliveryStatus;
  attempts: number;
  dueInSeconds: number | null;
  lastError: string | null;
}

/** The item deliveries of an order in the order of their events. */
export const itemDeliveries = (db: Queryable, orderId: string): Promise<DeliveryRow[]> =>
  db.query(sql('test_item_deliveries')`
    select d.id, d.event_type as kind, d.status, d.attempts_made as attempts, d.last_error as "lastError",
           extract(epoch from greatest(d.next_attempt_at, d.claimed_until) - app_now())::float as "dueInSeconds"
    from deliveries d left join events e on e.environment_id = d.environment_id and e.id = d.event_id
    where d.order_id = ${orderId} and d.lane = 'items' order by e.seq`);

export interface PaymentRow {
  id: string;
  status: PaymentStatus;
  problem: string | null;
  disputeReason: string | null;
}

export const paymentRows = (db: Queryable, orderId: string): Promise<PaymentRow[]> =>
  db.query(sql('test_payments')`
    select id, status, problem, dispute_reason as "disputeReason" from payments where order_id = ${orderId} order by id`);

/** Every movement of money at the provider for an order, sorted; a kind that is there twice was done twice. */
export async function moneyMoved(db: Queryable, orderId: string): Promise<string[]> {
  const rows = await db.query<{ kind: string }>(sql('test_money_moved')`
    select e.kind from simulator.entries e
    join payments p on p.environment_id = e.environment_id and p.id = e.payment_id
    where p.order_id = ${orderId} order by e.kind`);
  return rows.map(row => row.kind);
}

export interface MailRow {
  recipient: string;
  subject: string;
  text: string;
  status: string;
  kind: string;
}

export async function mailRows(db: Queryable, containing: string): Promise<MailRow[]> {
  const rows = await db.query<{ id: string }>(sql('test_mails')`select id from mails order by id`);
  const remake = remakeReceipt(db, { publicUrl: 'https://pay.example', checkoutUrlOf: () => '' });
  const mails = await Promise.all(rows.map(({ id }) => findMail(db, id, remake)));
  return mails.filter(mail => mail !== null).filter(({ text }) => text.includes(containing));
}

/** For `startProgram({ replace })`: a bad line in front of the sandbox provider, and a clock hand for jitter. */
export function badLine(): { replace: (parts: Parts) => Parts; gateway: () => UnreliableGateway } {
  let line: UnreliableGateway | undefined;
  return {
    replace: parts => {
      const { simulator } = parts;
      const reliable: Gateway = simulator;
      line = unreliableGateway(reliable);
      const { answerChallenge, advance, entries } = simulator;
      return { ...parts, simulator: { ...line, answerChallenge, advance, entries }, random: () => 0.5 };
    },
    gateway: () => line!,
  };
}
