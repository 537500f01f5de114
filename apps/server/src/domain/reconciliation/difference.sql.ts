import type { AttentionView, DifferenceKind, DifferenceState } from '@coinslot/contract';
import { fragment, type Queryable, sql, type Tx } from '../../db/statement.ts';
import { newId } from '../../kit/ids.ts';

export interface NewDifference {
  companyId: string;
  accountId: string;
  day: string;
  kind: DifferenceKind;
  subject: string;
  state: 'open' | 'corrected';
  ours: string | null;
  theirs: string | null;
  providerId: string | null;
  environmentId: string | null;
  paymentId: string | null;
  orderId: string | null;
}

/**
 * One row for a difference until a studio member resolves it, however often the day is compared. What was resolved stays so as
 * long as both sides say the same as then; when one of them has changed, it is another difference.
 */
export const insertDifference = (db: Queryable, it: NewDifference): Promise<void> =>
  db.execute(sql('reconciliation_difference_insert')`
    insert into reconciliation_differences (company_id, id, account_id, day, kind, subject, state, ours, theirs, provider_id,
      environment_id, payment_id, order_id, created_at)
    select ${it.companyId}, ${newId('dif')}, ${it.accountId}, ${it.day}::date, ${it.kind}, ${it.subject}, ${it.state},
      ${it.ours}, ${it.theirs}, ${it.providerId}, ${it.environmentId}, ${it.paymentId}, ${it.orderId}, app_now()
    where not exists (
      select 1 from reconciliation_differences r
      where r.account_id = ${it.accountId} and r.kind = ${it.kind} and r.subject = ${it.subject} and r.state = 'resolved'
        and r.ours is not distinct from ${it.ours} and r.theirs is not distinct from ${it.theirs})
    on conflict (account_id, kind, subject) where state <> 'resolved'
      do update set state = excluded.state, day = excluded.day, ours = excluded.ours, theirs = excluded.theirs`);

/** What differed before and does no longer. */
export const updateDifferencesCorrected = (
  db: Queryable,
  accountId: string,
  subject: string,
  stillDiffers: DifferenceKind | null,
): Promise<void> =>
  db.execute(sql('reconciliation_difference_correct')`
    update reconciliation_differences set state = 'corrected'
    where account_id = ${accountId} and subject = ${subject} and state = 'open' and kind is distinct from ${stillDiffers}`);

export interface DifferenceRow extends Omit<NewDifference, 'state'> {
  id: string;
  state: DifferenceState;
  gameId: string | null;
  note: string | null;
  resolvedBy: string | null;
  resolvedAt: Date | null;
  createdAt: Date;
}

const DIFFERENCE_COLUMNS = fragment`d.company_id as "companyId", d.id, d.account_id as "accountId",
  to_char(d.day, 'YYYY-MM-DD') as day, d.kind, d.subject, d.state, d.ours, d.theirs, d.provider_id as "providerId",
  d.environment_id as "environmentId", d.payment_id as "paymentId", d.order_id as "orderId", e.game_id as "gameId", d.note,
  d.resolved_by as "resolvedBy", d.resolved_at as "resolvedAt", d.created_at as "createdAt"`;

export interface DifferenceFilter {
  state: DifferenceState | null;
  day: string | null;
  beforeId: string | null;
  limit: number;
}

export const listDifferences = (
  db: Queryable,
  companyId: string,
  { state, day, beforeId, limit }: DifferenceFilter,
): Promise<DifferenceRow[]> =>
  db.query(sql('reconciliation_difference_list')`
    select ${DIFFERENCE_COLUMNS} from reconciliation_differences d
    left join environments e on e.id = d.environment_id
    where d.company_id = ${companyId} and (${state}::text is null or d.state = ${state})
      and (${day}::date is null or d.day = ${day}::date) and (${beforeId}::text is null or d.id < ${beforeId})
    order by d.id desc limit ${limit}`);

/** What a mark on a difference is about: when one side changes, it no longer holds. */
const DIFFERENCE_CAUSE = fragment`concat_ws(' ', d.kind, d.ours, d.theirs)`;

/** The same text as DIFFERENCE_CAUSE makes in SQL. */
export const differenceCause = ({ kind, ours, theirs }: Pick<NewDifference, 'kind' | 'ours' | 'theirs'>): string =>
  [kind, ours, theirs].filter(part => part !== null).join(' ');

export interface OpenScope {
  companyId: string;
  environmentId: string;
  userId: string;
  view: AttentionView;
}

/**
 * Differences of one environment's payments, and those that belong to no game. A payment that needs attention is in the list
 * already, so its difference is left out until the member has decided about the payment.
 */
const OF_ENVIRONMENT = fragment`d.state = 'open' and (d.environment_id is null or d.environment_id = e.id)
  and not exists (select 1 from payments p
    where p.environment_id = d.environment_id and p.id = d.payment_id and p.attention is not null)`;

export const listOpenDifferences = (
  db: Queryable,
  { companyId, environmentId, userId, view }: OpenScope,
  limit: number,
): Promise<DifferenceRow[]> =>
  db.query(sql('reconciliation_difference_list_open')`
    select ${DIFFERENCE_COLUMNS} from reconciliation_differences d
    join environments e on e.id = ${environmentId}
    left join attention_marks m on m.company_id = d.company_id and m.subject_id = d.id and m.cause = ${DIFFERENCE_CAUSE}
    where d.company_id = ${companyId} and ${OF_ENVIRONMENT}
      and coalesce(m.snoozed_until > app_now(), false) = (${view}::text = 'snoozed')
      and (${view}::text <> 'mine' or m.assignee_id = ${userId})
    order by d.id desc limit ${limit}`);

export const findOpenDifferenceCounts = (
  db: Queryable,
  { companyId, environmentId }: Pick<OpenScope, 'companyId' | 'environmentId'>,
  most: number,
): Promise<{ open: number; snoozed: number }> =>
  db.queryFirst(sql('reconciliation_difference_count_open')`
    select count(*) filter (where not snoozed)::int as open, count(*) filter (where snoozed)::int as snoozed
    from (
      select coalesce(m.snoozed_until > app_now(), false) as snoozed from reconciliation_differences d
      join environments e on e.id = ${environmentId}
      left join attention_marks m on m.company_id = d.company_id and m.subject_id = d.id and m.cause = ${DIFFERENCE_CAUSE}
      where d.company_id = ${companyId} and ${OF_ENVIRONMENT} limit ${most}) found`);

export const findDifference = (db: Queryable, companyId: string, id: string): Promise<DifferenceRow | null> =>
  db.queryOne(sql('reconciliation_difference_find')`
    select ${DIFFERENCE_COLUMNS} from reconciliation_differences d
    left join environments e on e.id = d.environment_id
    where d.company_id = ${companyId} and d.id = ${id}`);

/** False: it was resolved before. */
export const updateDifferenceResolved = (
  tx: Tx,
  companyId: string,
  id: string,
  resolved: { note: string; by: string },
): Promise<boolean> =>
  tx.queryAny(sql('reconciliation_difference_resolve')`
    update reconciliation_differences set state = 'resolved', note = ${resolved.note}, resolved_by = ${resolved.by},
      resolved_at = app_now()
    where company_id = ${companyId} and id = ${id} and state <> 'resolved' returning id`);
