import type { AttentionCode, Role } from '@coinslot/contract';
import type { Advice } from '@coinslot/texts/advice';
import type { Phrase } from '@coinslot/texts/attention';
import { fragment, type Queryable, sql } from '../../db/statement.ts';
import type { MailLook } from '../../mail/mail-content.ts';
import type { Mode } from '../game/environment.ts';
import { NEEDS_ATTENTION } from '../payment/payment.sql.ts';
import type { DisabledReason } from '../webhook/endpoints/subscription.ts';

/** What every notice says of its game. The hour is the database's: what happens in one hour is one notice. */
export interface AboutGame {
  mode: Mode;
  gameId: string;
  gameName: string;
  look: MailLook;
  hour: string;
}

const ABOUT = fragment`e.mode, g.id as "gameId", g.name as "gameName", json_build_object('iconUrl', g.icon_url, 'logoUrl', g.logo_url, 'accentColor', g.accent_color) as look, to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD HH24') as hour`;

export interface ExhaustedFacts extends AboutGame {
  eventType: string;
  orderId: string;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  url: string | null;
}

export const findExhaustedFacts = (db: Queryable, environmentId: string, id: string): Promise<ExhaustedFacts | null> =>
  db.queryOne(sql('receipt_find_exhausted_facts')`
    select ${ABOUT}, d.event_type as "eventType", d.order_id as "orderId", d.attempts_made as attempts,
      d.last_status as "lastStatus", d.last_error as "lastError", s.url
    from deliveries d
    join environments e on e.id = d.environment_id
    join games g on g.id = e.game_id
    left join webhook_subscriptions s on s.environment_id = d.environment_id and s.id = d.subscription_id
    where d.environment_id = ${environmentId} and d.id = ${id} and d.order_id is not null`);

export interface DisabledFacts extends AboutGame {
  subscriptionId: string;
  url: string;
  reason: DisabledReason | null;
}

export const findDisabledFacts = (db: Queryable, environmentId: string, id: string): Promise<DisabledFacts | null> =>
  db.queryOne(sql('receipt_find_disabled_facts')`
    select ${ABOUT}, s.id as "subscriptionId", s.url, s.disabled_reason as reason
    from webhook_subscriptions s
    join environments e on e.id = s.environment_id
    join games g on g.id = e.game_id
    where s.environment_id = ${environmentId} and s.id = ${id} and not s.enabled`);

export interface AttentionFacts extends AboutGame {
  code: AttentionCode;
  orderId: string;
  paymentId: string;
  detail: Phrase[];
  /** How the game answered, where it is the game that is waited for. Null: it was never asked. */
  attempts: number | null;
  lastStatus: number | null;
}

/** Null when it needs none any more. */
export const findAttentionFacts = (db: Queryable, environmentId: string, id: string): Promise<AttentionFacts | null> =>
  db.queryOne(sql('receipt_find_attention_facts')`
    select ${ABOUT}, p.order_id as "orderId", p.id as "paymentId", p.attention->>'code' as code,
      p.attention->'detail' as detail, d.attempts_made as attempts, d.last_status as "lastStatus"
    from payments p
    join environments e on e.id = p.environment_id
    join games g on g.id = e.game_id
    left join deliveries d on d.environment_id = p.environment_id and d.order_id = p.order_id and d.lane = 'items'
      and d.event_type = case p.attention->>'code' when 'grant_unanswered' then 'item.add'
                                                   when 'removal_unanswered' then 'item.remove' end
    where p.environment_id = ${environmentId} and p.id = ${id} and ${NEEDS_ATTENTION}`);

export interface RefusedEvidence extends AboutGame {
  paymentId: string;
  code: string;
  reason: string;
}

/** Null when it was sent again since. */
export const findRefusedEvidence = (
  db: Queryable,
  environmentId: string,
  id: string,
): Promise<RefusedEvidence | null> =>
  db.queryOne(sql('receipt_find_evidence_facts')`
    select ${ABOUT}, d.payment_id as "paymentId", d.refusal->>'code' as code, d.refusal->>'reason' as reason
    from disputes d
    join environments e on e.id = d.environment_id
    join games g on g.id = e.game_id
    where d.environment_id = ${environmentId} and d.payment_id = ${id} and d.evidence_status = 'refused'
    order by d.settled_at desc limit 1`);

export interface ConnectionFacts extends AboutGame {
  provider: string;
  account: string;
  advice: Advice[];
}

/** Null when it works again. */
export const findConnectionFacts = (
  db: Queryable,
  environmentId: string,
  { companyId, provider, accountId }: Record<'companyId' | 'provider' | 'accountId', string>,
): Promise<ConnectionFacts | null> =>
  db.queryOne(sql('receipt_find_connection_facts')`
    select ${ABOUT}, c.provider, coalesce(a.label, a.display_name, c.account_id) as account,
      (select coalesce(json_agg(check_of->'advice'), '[]') from json_array_elements(c.checks) check_of
       where (check_of->>'broken')::boolean and check_of->'advice'->>'en' is not null) as advice
    from provider_checks c
    join environments e on e.id = ${environmentId}
    join games g on g.id = e.game_id and g.company_id = c.company_id
    left join provider_accounts a on a.company_id = c.company_id and a.account_id = c.account_id
    where c.company_id = ${companyId} and c.provider = ${provider} and c.account_id = ${accountId} and c.failing_since is not null`);

/** How often a cause was reported in the day before this hour. */
export const findReportCount = (db: Queryable, environmentId: string, cause: string): Promise<number> =>
  db.queryValue(sql('notice_find_reports')`
    select count(distinct about)::int as count from mails
    where environment_id = ${environmentId} and about in (
      select ${cause} || ' ' || to_char((app_now() - make_interval(hours => n)) at time zone 'UTC', 'YYYY-MM-DD HH24')
      from generate_series(1, 24) n)`);

/** More than this is "many" to a reader. */
const MOST_WAITING = 1_000;

export const findWaitingCount = (db: Queryable, environmentId: string, code: string): Promise<number> =>
  db.queryValue(sql('notice_find_waiting')`
    select count(1)::int as count from (
      select 1 from payments p where p.environment_id = ${environmentId} and ${NEEDS_ATTENTION}
        and p.attention->>'code' = ${code} limit ${MOST_WAITING}) waiting`);

export interface MemberToNotify {
  email: string;
  locale: string | null;
}

export const listMembersToNotify = (
  db: Queryable,
  environmentId: string,
  roles: readonly Role[],
): Promise<MemberToNotify[]> =>
  db.query(sql('notice_list_members')`
    select u.email, u.locale
    from environments e
    join games g on g.id = e.game_id
    join members m on m.company_id = g.company_id
    join users u on u.id = m.user_id
    where e.id = ${environmentId} and m.role = any(${roles})
      and (not m.via_sso or u.email_verified_at is not null)
    order by u.email`);
