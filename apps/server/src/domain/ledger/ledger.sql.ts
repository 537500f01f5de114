import { hasUnread, type NumberedReader } from '../../db/read-numbered.sql.ts';
import type { Span } from '../../db/read-numbered.ts';
import { fragment, type Queryable, sql, type Tx } from '../../db/statement.ts';
import { NUMBERED_EVENTS } from '../event/event.sql.ts';
import {
  LEDGER_EVENTS,
  type LedgerAccount,
  type LedgerDispute,
  type LedgerEvent,
  type LedgerKind,
  type PostedDispute,
  type PostedPayment,
  type Posting,
} from './ledger.ts';

/** Those that moved real money, in the order they happened. */
export const listLedgerEvents = (tx: Tx, { after, upTo }: Span): Promise<LedgerEvent[]> =>
  tx.query(sql('ledger_list_events')`
    select e.environment_id as "environmentId", e.id, e.type, e.data, e.created_at as "createdAt"
    from events e
    where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and e.type = any(${LEDGER_EVENTS}::text[])
      and not e.test and (select n.mode from environments n where n.id = e.environment_id) = 'live'
    order by e.seq`);

/** Whose money reached the balance before (captured, or by a refund that failed), and how much of it went back. */
export async function listPostedPayments(tx: Tx, paymentIds: string[]): Promise<Map<string, PostedPayment>> {
  const rows = await tx.query<PostedPayment & { paymentId: string }>(sql('ledger_list_posted')`
    select payment_id as "paymentId", bool_or(kind in ('captured', 'refund_failed') and account = 'balance') as "isCaptured",
           coalesce(sum(amount_minor) filter (where kind in ('refunded', 'refund_failed') and account = 'player'), 0)::bigint
             as "refundedMinor"
    from ledger_entries where payment_id = any(${paymentIds}::text[]) group by payment_id`);
  return new Map(rows.map(({ paymentId, ...posted }) => [paymentId, posted]));
}

export async function insertPostings(tx: Tx, postings: Posting[]): Promise<void> {
  if (postings.length === 0) return;
  const sides = postings.flatMap(posting => [
    { posting, account: posting.from, amount: -posting.amountMinor },
    { posting, account: posting.to, amount: posting.amountMinor },
  ]);
  await tx.query(sql('ledger_insert')`
    insert into ledger_entries (environment_id, posting_id, account, payment_id, kind, amount_minor, currency, occurred_at,
                                created_at)
    select t.environment_id, t.posting_id, t.account, t.payment_id, t.kind, t.amount_minor, t.currency, t.occurred_at, app_now()
    from unnest(${sides.map(s => s.posting.environmentId)}::text[], ${sides.map(s => s.posting.postingId)}::text[],
                ${sides.map(s => s.account)}::text[], ${sides.map(s => s.posting.paymentId)}::text[],
                ${sides.map(s => s.posting.kind)}::text[], ${sides.map(s => s.amount)}::bigint[],
                ${sides.map(s => s.posting.currency)}::text[], ${sides.map(s => s.posting.occurredAt)}::timestamptz[])
         as t (environment_id, posting_id, account, payment_id, kind, amount_minor, currency, occurred_at)
    on conflict (environment_id, posting_id, account) do nothing`);
}

export interface DueFee {
  environmentId: string;
  paymentId: string;
  feeMinor: number;
  feeCurrency: string;
  occurredAt: Date;
}

export const LEDGER_READER: NumberedReader = { name: 'ledger', table: NUMBERED_EVENTS };

export const LEDGER_DUE = fragment`(${hasUnread(LEDGER_READER)}
    or exists (select 1 from provider_charges where fee_minor is not null and not is_fee_posted)
    or exists (select 1 from disputes where not is_posted))`;

export const claimFees = (tx: Tx, limit: number): Promise<DueFee[]> =>
  tx.query(sql('ledger_claim_fees')`
    update provider_charges c set is_fee_posted = true
    from (select environment_id, payment_id from provider_charges
          where fee_minor is not null and not is_fee_posted order by updated_at limit ${limit} for update skip locked) due
    where c.environment_id = due.environment_id and c.payment_id = due.payment_id
    returning c.environment_id as "environmentId", c.payment_id as "paymentId", c.fee_minor as "feeMinor",
              c.fee_currency as "feeCurrency", c.updated_at as "occurredAt"`);

/** Disputes that changed since they were posted. Only real money is posted. */
export const claimDisputes = (tx: Tx, limit: number): Promise<LedgerDispute[]> =>
  tx.query(sql('ledger_claim_disputes')`
    update disputes d set is_posted = true
    from (select environment_id, payment_id, id from disputes where not is_posted order by updated_at limit ${limit}
          for update skip locked) due
    where d.environment_id = due.environment_id and d.payment_id = due.payment_id and d.id = due.id
    returning d.environment_id as "environmentId", d.payment_id as "paymentId", d.id, d.status, d.amount_minor as "amountMinor",
              (select p.amount_minor from payments p where p.environment_id = d.environment_id and p.id = d.payment_id) as "paidMinor",
              d.currency, d.fee_minor as "feeMinor", d.fee_currency as "feeCurrency", d.version, d.updated_at as "occurredAt",
              (select n.mode = 'live' from environments n where n.id = d.environment_id) as "isLive"`);

/** What the ledger has of a dispute: its postings are named after it. */
export const findPostedDispute = (tx: Tx, { environmentId, paymentId, id }: LedgerDispute): Promise<PostedDispute> =>
  tx.queryFirst(sql('ledger_find_dispute')`
    select coalesce(sum(amount_minor) filter (where account = 'disputed'), 0)::bigint as "disputedMinor",
           coalesce(sum(amount_minor) filter (where account = 'player'), 0)::bigint as "lostMinor",
           coalesce(sum(amount_minor) filter (where account = 'fees'), 0)::bigint as "feeMinor"
    from ledger_entries
    where payment_id = ${paymentId} and environment_id = ${environmentId} and starts_with(posting_id, ${`${id}:`})`);

export interface LedgerLine {
  paymentId: string;
  postingId: string;
  kind: LedgerKind;
  account: LedgerAccount;
  amountMinor: number;
  currency: string;
  occurredAt: Date;
}

export const listLedger = (db: Queryable, environmentId: string, paymentIds: string[]): Promise<LedgerLine[]> =>
  db.query(sql('ledger_list')`
    select payment_id as "paymentId", posting_id as "postingId", kind, account, amount_minor as "amountMinor", currency,
           occurred_at as "occurredAt"
    from ledger_entries where environment_id = ${environmentId} and payment_id = any(${paymentIds}::text[])
    order by occurred_at, posting_id, account`);
