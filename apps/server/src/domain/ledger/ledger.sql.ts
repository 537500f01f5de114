import type { Queryable, Tx } from '../../db/db.ts';
import type { Span } from '../../db/read-numbered.ts';
import { sql, words } from '../../db/sql.ts';
import { paymentStatusesThatAre } from '../payment/payment.ts';
import { LEDGER_EVENTS, type LedgerAccount, type LedgerEvent, type LedgerKind, type Posting } from './ledger.ts';

const UNQUESTIONED = words(paymentStatusesThatAre('unquestioned'));

/** Those that moved real money, in the order they happened. */
export const listLedgerEvents = (tx: Tx, { after, upTo }: Span): Promise<LedgerEvent[]> =>
  tx.query(sql('ledger_list_events')`
    select e.environment_id as "environmentId", e.id, e.type, e.data, e.created_at as "createdAt"
    from events e
    where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and e.type = any(${LEDGER_EVENTS}::text[])
      and not e.test and (select n.mode from environments n where n.id = e.environment_id) = 'live'
    order by e.seq`);

/** Payments whose money reached the balance before. */
export async function listCaptured(tx: Tx, paymentIds: string[]): Promise<Set<string>> {
  const rows = await tx.query<{ paymentId: string }>(sql('ledger_list_captured')`
    select payment_id as "paymentId" from ledger_entries
    where payment_id = any(${paymentIds}::text[]) and kind = 'captured' and account = 'balance'`);
  return new Set(rows.map(({ paymentId }) => paymentId));
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
  await noteDisputes(tx, postings);
}

const CLOSING: readonly LedgerKind[] = ['charged_back', 'dispute_won'];

async function noteDisputes(tx: Tx, postings: Posting[]): Promise<void> {
  const opened = postings.filter(({ kind }) => kind === 'disputed');
  const closed = postings.filter(({ kind }) => CLOSING.includes(kind));
  if (opened.length > 0) {
    await tx.query(sql('ledger_insert_open_disputes')`
      insert into ledger_open_disputes (environment_id, payment_id)
      select distinct t.environment_id, t.payment_id
      from unnest(${opened.map(p => p.environmentId)}::text[], ${opened.map(p => p.paymentId)}::text[])
           as t (environment_id, payment_id)
      on conflict do nothing`);
  }
  if (closed.length > 0) {
    await tx.query(sql('ledger_delete_open_disputes')`
      delete from ledger_open_disputes d
      using unnest(${closed.map(p => p.environmentId)}::text[], ${closed.map(p => p.paymentId)}::text[])
            as t (environment_id, payment_id)
      where d.environment_id = t.environment_id and d.payment_id = t.payment_id`);
  }
}

export interface DueFee {
  environmentId: string;
  paymentId: string;
  feeMinor: number;
  feeCurrency: string;
  occurredAt: Date;
}

export const claimFees = (tx: Tx, limit: number): Promise<DueFee[]> =>
  tx.query(sql('ledger_claim_fees')`
    update provider_charges c set is_fee_posted = true
    from (select environment_id, payment_id from provider_charges
          where fee_minor is not null and not is_fee_posted order by updated_at limit ${limit} for update skip locked) due
    where c.environment_id = due.environment_id and c.payment_id = due.payment_id
    returning c.environment_id as "environmentId", c.payment_id as "paymentId", c.fee_minor as "feeMinor",
              c.fee_currency as "feeCurrency", c.updated_at as "occurredAt"`);

export interface WonDispute {
  environmentId: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
  disputes: number;
  occurredAt: Date;
}

/** A won dispute has no event, so it is found by what it leaves: money in question for a payment that is not. */
export const listWonDisputes = (tx: Tx, limit: number): Promise<WonDispute[]> =>
  tx.query(sql('ledger_list_won')`
    select d.environment_id as "environmentId", d.payment_id as "paymentId", l.amount as "amountMinor", l.currency, l.disputes,
           p.updated_at as "occurredAt"
    from ledger_open_disputes d
    cross join lateral (
      select status, updated_at from payments
      where environment_id = d.environment_id and id = d.payment_id limit 1) p
    cross join lateral (
      select currency, sum(amount_minor)::bigint as amount, count(*) filter (where kind = 'disputed')::int as disputes
      from ledger_entries
      where payment_id = d.payment_id and environment_id = d.environment_id and account = 'disputed'
      group by currency having sum(amount_minor) > 0) l
    where p.status in (${UNQUESTIONED})
    limit ${limit}`);

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
