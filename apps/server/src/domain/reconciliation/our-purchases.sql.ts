import { fragment, type Queryable, sql, words } from '../../db/statement.ts';
import { paymentStatusesThatAre } from '../payment/payment.ts';
import type { OurPurchase } from './compare.ts';

const UNDECIDED = words(paymentStatusesThatAre('undecided'));

export interface OurRow extends OurPurchase {
  environmentId: string;
  paymentId: string;
  orderId: string;
  companyId: string;
  intentId: string | null;
  hasDispute: boolean;
}

const OUR_COLUMNS = fragment`c.environment_id as "environmentId", c.payment_id as "paymentId", p.order_id as "orderId",
  g.company_id as "companyId", c.intent_id as "intentId", c.has_dispute as "hasDispute", p.status,
  p.amount_minor as "amountMinor", p.currency, p.problem, p.settled_at as "settledAt", o.status as "orderStatus", o.granted_at as "grantedAt", o.paid_at as "paidAt",
  extract(epoch from app_now() - case
    when p.status in (${UNDECIDED}) then p.created_at
    when p.status = 'authorized' then greatest(p.authorized_at, o.granted_at, case when o.status = 'rejected' then o.updated_at end)
    else p.updated_at end)::float8 as "ageSeconds"`;

const WITH_PAYMENT = fragment`join payments p on p.environment_id = c.environment_id and p.id = c.payment_id
  join orders o on o.environment_id = p.environment_id and o.id = p.order_id
  join environments e on e.id = c.environment_id
  join games g on g.id = e.game_id`;

export const listOursByPayment = (
  db: Queryable,
  accountId: string,
  refs: { environmentId: string; paymentId: string }[],
): Promise<OurRow[]> =>
  db.query(sql('reconciliation_by_payment')`
    select ${OUR_COLUMNS}
    from unnest(${refs.map(ref => ref.environmentId)}::text[], ${refs.map(ref => ref.paymentId)}::text[])
         as wanted (environment_id, payment_id)
    join provider_charges c on c.environment_id = wanted.environment_id and c.payment_id = wanted.payment_id
    ${WITH_PAYMENT}
    where c.account_id = ${accountId}`);

export const listOursByIntent = (db: Queryable, accountId: string, intentIds: string[]): Promise<OurRow[]> =>
  db.query(sql('reconciliation_by_intent')`
    select ${OUR_COLUMNS} from provider_charges c ${WITH_PAYMENT}
    where (c.intent_id = any(${intentIds}::text[]) or c.capture_id = any(${intentIds}::text[]))
      and c.account_id = ${accountId}`);

/** Where the account can have taken money. */
export async function listLiveEnvironments(db: Queryable, companyId: string | null): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql('reconciliation_live_environments')`
    select e.id from environments e join games g on g.id = e.game_id
    where e.mode = 'live' and (${companyId}::text is null or g.company_id = ${companyId})
      and exists (select from provider_charges c where c.environment_id = e.id)
    order by e.id`);
  return rows.map(({ id }) => id);
}

/**
 * The payments that took a step in a span of time, by their events: these never change, while the row of a charge is written
 * at every look-up, those of this comparison too.
 */
export const listOursOfSpan = (
  db: Queryable,
  of: { accountId: string; environmentId: string },
  span: { afterEventId: string; belowEventId: string; from: Date; to: Date },
  limit: number,
): Promise<(OurRow & { eventId: string })[]> =>
  db.query(sql('reconciliation_of_span')`
    select ${OUR_COLUMNS}, v.id as "eventId" from events v
    join provider_charges c on c.environment_id = v.environment_id and c.payment_id = v.data ->> 'payment_id'
    ${WITH_PAYMENT}
    where v.environment_id = ${of.environmentId} and v.id > ${span.afterEventId} and v.id < ${span.belowEventId}
      and v.created_at >= ${span.from} and v.created_at < ${span.to} and v.type like 'payment.%' and not v.test
      and c.account_id = ${of.accountId} and c.status <> 'never'
    order by v.id limit ${limit}`);

/** Payments that wait for a next step, whenever they took the last one: one that waits too long is a difference. */
export const listOursWaiting = (
  db: Queryable,
  of: { accountId: string; environmentId: string },
  afterPaymentId: string,
  limit: number,
): Promise<OurRow[]> =>
  db.query(sql('reconciliation_of_waiting')`
    select ${OUR_COLUMNS}
    from unnest('{open,refund_requested}'::text[]) as waiting (stage)
    cross join lateral (
      select w.environment_id, w.id from payments w
      where w.stage = waiting.stage and w.environment_id = ${of.environmentId} and w.id > ${afterPaymentId}
      order by w.stage, w.environment_id, w.id limit ${limit}) found
    join provider_charges c on c.environment_id = found.environment_id and c.payment_id = found.id
    ${WITH_PAYMENT}
    where c.account_id = ${of.accountId} and c.status <> 'never'
    order by c.payment_id limit ${limit}`);

/** What differed before and is not resolved: it may have come right since. */
export const listOursOpen = (db: Queryable, accountId: string): Promise<OurRow[]> =>
  db.query(sql('reconciliation_of_open')`
    select distinct on (c.payment_id) ${OUR_COLUMNS} from reconciliation_differences d
    join provider_charges c on c.environment_id = d.environment_id and c.payment_id = d.subject
    ${WITH_PAYMENT}
    where d.account_id = ${accountId} and d.state = 'open' order by c.payment_id`);

export const findOurs = (db: Queryable, environmentId: string, paymentId: string): Promise<OurRow | null> =>
  db.queryOne(sql('reconciliation_find_ours')`
    select ${OUR_COLUMNS} from provider_charges c ${WITH_PAYMENT}
    where c.environment_id = ${environmentId} and c.payment_id = ${paymentId}`);

export const findCompanyOf = (db: Queryable, environmentId: string): Promise<string | null> =>
  db.queryValue(sql('reconciliation_company_of')`
    select g.company_id as "companyId" from environments e join games g on g.id = e.game_id where e.id = ${environmentId}`);
