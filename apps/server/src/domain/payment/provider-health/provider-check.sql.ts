import { json, type Queryable, type RowOf, sql, type Tx, table } from '../../../db/statement.ts';
import type { KeptCheck } from './broken-checks.ts';

const CHECKS = table('provider_checks', {
  companyId: 'text',
  provider: 'text',
  accountId: 'text',
  /** Null until the first test. */
  checkedAt: 'timestamptz?',
  checks: json<KeptCheck[]>(),
  unavailableMethods: 'text[]',
  failingSince: 'timestamptz?',
});

export type KeptChecks = RowOf<typeof CHECKS>;

/** What the last test found. Null: this account was never tested. */
export const findChecks = (
  db: Queryable,
  companyId: string,
  { provider, accountId }: { provider: string; accountId: string },
): Promise<KeptChecks | null> =>
  db.queryOne(sql('provider_check_find')`
    select ${CHECKS.columns} from provider_checks
    where company_id = ${companyId} and provider = ${provider} and account_id = ${accountId}`);

export const listFailingChecks = (db: Queryable, companyId: string): Promise<KeptChecks[]> =>
  db.query(sql('provider_check_list_failing')`
    select ${CHECKS.columns} from provider_checks
    where company_id = ${companyId} and failing_since is not null order by provider, account_id`);

export interface TroubledConnections {
  failing: number;
  silent: number;
}

/** Of all companies: whose last test found what needs attention, and whose provider has not answered for so long. */
export const countTroubledConnections = (db: Queryable, silentForSeconds: number): Promise<TroubledConnections> =>
  db.queryFirst(sql('provider_check_count_troubled')`
    select (select count(company_id)::int from provider_checks where failing_since is not null) as failing,
      (select count(account_id)::int from provider_silences
       where since <= app_now() - make_interval(secs => ${silentForSeconds})) as silent`);

export const upsertChecks = (
  tx: Tx,
  it: Omit<KeptChecks, 'checkedAt' | 'failingSince'> & { isFailing: boolean },
): Promise<void> =>
  tx.execute(sql('provider_check_upsert')`
    insert into provider_checks as c (company_id, provider, account_id, checks, unavailable_methods, checked_at,
      failing_since, next_check_at)
    values (${it.companyId}, ${it.provider}, ${it.accountId}, ${JSON.stringify(it.checks)}, ${it.unavailableMethods},
      app_now(), case when ${it.isFailing}::boolean then app_now() end, app_now() + interval '1 day')
    on conflict (company_id, provider, account_id) do update set checks = excluded.checks,
      unavailable_methods = excluded.unavailable_methods, checked_at = excluded.checked_at,
      next_check_at = excluded.next_check_at,
      failing_since = case when ${it.isFailing}::boolean then coalesce(c.failing_since, app_now()) end`);

type AccountKey = Pick<KeptChecks, 'companyId' | 'provider' | 'accountId'>;

/** A new connection is tested a day later: what connects it tries the keys itself, and learns what it can take. */
export const upsertUnavailable = (
  tx: Tx,
  { companyId, provider, accountId, unavailableMethods }: AccountKey & Pick<KeptChecks, 'unavailableMethods'>,
): Promise<void> =>
  tx.execute(sql('provider_check_upsert_unavailable')`
    insert into provider_checks (company_id, provider, account_id, checks, unavailable_methods, next_check_at)
    values (${companyId}, ${provider}, ${accountId}, '[]', ${unavailableMethods}, app_now() + interval '1 day')
    on conflict (company_id, provider, account_id) do update set unavailable_methods = excluded.unavailable_methods`);

/** An account of the settings, of which nothing was learned when it was connected, is tested at once. */
export const insertChecksDue = (db: Queryable, { companyId, provider, accountId }: AccountKey): Promise<void> =>
  db.execute(sql('provider_check_insert_due')`
    insert into provider_checks (company_id, provider, account_id, checks, next_check_at)
    values (${companyId}, ${provider}, ${accountId}, '[]', app_now())
    on conflict (company_id, provider, account_id) do nothing`);

/** Whether its day has come; for the process that asks first. One that gets no answer asks again in an hour. */
export const claimChecks = (db: Queryable, { companyId, provider, accountId }: AccountKey): Promise<boolean> =>
  db.queryAny(sql('provider_check_claim')`
    update provider_checks set next_check_at = app_now() + interval '1 hour'
    where company_id = ${companyId} and provider = ${provider} and account_id = ${accountId}
      and next_check_at <= app_now()
    returning company_id`);

export const deleteChecks = (tx: Tx, { companyId, provider, accountId }: AccountKey): Promise<void> =>
  tx.execute(sql('provider_check_delete')`
    delete from provider_checks
    where company_id = ${companyId} and provider = ${provider} and account_id = ${accountId}`);

/** Items on sale whose price the connection can compare with what the provider takes. */
export const listLivePrices = (
  db: Queryable,
  companyId: string,
): Promise<{ sku: string; priceMinor: number; currency: string }[]> =>
  db.query(sql('provider_check_list_prices')`
    select i.sku, i.price_minor as "priceMinor", i.currency
    from games g
    join environments e on e.game_id = g.id and e.mode = 'live'
    join items i on i.environment_id = e.id
    where g.company_id = ${companyId} and i.price_minor > 0
    order by i.price_minor limit 2000`);

export const findLiveEnvironment = (db: Queryable, companyId: string): Promise<string | null> =>
  db.queryValue(sql('provider_check_find_environment')`
    select e.id from games g join environments e on e.game_id = g.id and e.mode = 'live'
    where g.company_id = ${companyId} order by e.id limit 1`);

export interface SilenceKey {
  provider: string;
  accountId: string;
}

/** The first call without an answer begins it. */
export const insertSilence = (db: Queryable, { provider, accountId }: SilenceKey): Promise<void> =>
  db.execute(sql('provider_silence_insert')`
    insert into provider_silences (provider, account_id, since) values (${provider}, ${accountId}, app_now())
    on conflict (provider, account_id) do nothing`);

export const deleteSilence = (db: Queryable, { provider, accountId }: SilenceKey): Promise<void> =>
  db.execute(sql('provider_silence_delete')`
    delete from provider_silences where provider = ${provider} and account_id = ${accountId}`);

export const listSilences = (db: Queryable, forSeconds: number): Promise<(SilenceKey & { since: Date })[]> =>
  db.query(sql('provider_silence_list')`
    select provider, account_id as "accountId", since from provider_silences
    where since <= app_now() - make_interval(secs => ${forSeconds})`);
