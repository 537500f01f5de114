import type { Queryable, Tx } from '../../../db/db.ts';
import { sql, words } from '../../../db/sql.ts';
import { type RowOf, table } from '../../../db/table.ts';
import { paymentStatusesThatAre } from '../payment.ts';
import type { SeenAccount } from '../providers/base/provider.ts';

const UNDER_WAY = words(paymentStatusesThatAre('under_way'));

const ACCOUNTS = table('provider_accounts', {
  companyId: 'text',
  accountId: 'text',
  /** Who it is at. */
  provider: 'text',
  isCurrent: 'boolean',
  isTest: 'boolean',
  secretKeySealed: 'bytea?',
  secretKeyLast4: 'text',
  publishableKey: 'text',
  callbackSecretSealed: 'bytea?',
  country: 'text?',
  defaultCurrency: 'text?',
  displayName: 'text?',
  chargesEnabled: 'boolean',
  problemCode: 'text?',
  problemAt: 'timestamptz?',
  checkedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

export type ProviderAccount = RowOf<typeof ACCOUNTS>;

export const findCurrentAccount = (
  db: Queryable,
  companyId: string,
  provider: string,
): Promise<ProviderAccount | null> =>
  db.queryOne(sql('provider_account_current')`
    select ${ACCOUNTS.columns} from provider_accounts
    where company_id = ${companyId} and provider = ${provider} and is_current`);

export const findAccount = (db: Queryable, companyId: string, accountId: string): Promise<ProviderAccount | null> =>
  db.queryOne(sql('provider_account_find')`
    select ${ACCOUNTS.columns} from provider_accounts where company_id = ${companyId} and account_id = ${accountId}`);

/** Those whose keys are still here. */
export const listAccounts = (db: Queryable, companyId: string, provider: string): Promise<ProviderAccount[]> =>
  db.query(sql('provider_account_list')`
    select ${ACCOUNTS.columns} from provider_accounts
    where company_id = ${companyId} and provider = ${provider} and secret_key_sealed is not null
    order by is_current desc, updated_at desc`);

/** Of every company: for the daily comparison, which belongs to no caller. */
export const listAllAccounts = (db: Queryable): Promise<ProviderAccount[]> =>
  db.query(sql('provider_account_list_all')`
    select ${ACCOUNTS.columns} from provider_accounts where secret_key_sealed is not null order by company_id, account_id`);

/** One caller at a time changes a company's provider. */
export const lockCompany = (tx: Tx, companyId: string): Promise<void> =>
  tx.execute(sql('provider_company_lock')`select id from companies where id = ${companyId} for no key update`);

export const updateNoneCurrent = (tx: Tx, companyId: string, provider: string): Promise<void> =>
  tx.execute(sql('provider_account_none_current')`
    update provider_accounts set is_current = false, updated_at = app_now() 
    where company_id = ${companyId} and provider = ${provider} and is_current`);

const NEW = ACCOUNTS.omit('isCurrent, problemCode, problemAt, checkedAt, createdAt, updatedAt');
const REPLACED = NEW.omit('companyId, accountId, provider');

export type NewAccount = RowOf<typeof NEW>;

export const upsertAccount = (tx: Tx, it: NewAccount): Promise<ProviderAccount> =>
  tx.queryFirst(sql('provider_account_upsert')`
    insert into provider_accounts (${NEW.names}, is_current, checked_at, created_at, updated_at)
    values (${NEW.values(it)}, true, app_now(), app_now(), app_now())
    on conflict (company_id, account_id) do update set ${REPLACED.setFrom('excluded')}, is_current = true,
      problem_code = null, problem_at = null, checked_at = app_now(), updated_at = app_now()
    returning ${ACCOUNTS.columns}`);

export const updateAccountChecked = (
  db: Queryable,
  companyId: string,
  accountId: string,
  seen: Pick<ProviderAccount, keyof SeenAccount>,
): Promise<void> =>
  db.execute(sql('provider_account_checked')`
    update provider_accounts set country = ${seen.country}, default_currency = ${seen.defaultCurrency},
      display_name = ${seen.displayName}, charges_enabled = ${seen.chargesEnabled}, problem_code = ${seen.problemCode},
      problem_at = case when ${seen.problemCode}::text is null then null else app_now() end, checked_at = app_now()
    where company_id = ${companyId} and account_id = ${accountId}`);

export const updateAccountProblem = (
  db: Queryable,
  companyId: string,
  accountId: string,
  problemCode: string,
): Promise<void> =>
  db.execute(sql('provider_account_problem')`
    update provider_accounts set problem_code = ${problemCode}, problem_at = app_now()
    where company_id = ${companyId} and account_id = ${accountId}`);

export const updateAccountErased = (tx: Tx, companyId: string, accountId: string): Promise<void> =>
  tx.execute(sql('provider_account_erase')`
    update provider_accounts set is_current = false, secret_key_sealed = null, callback_secret_sealed = null,
      updated_at = app_now()
    where company_id = ${companyId} and account_id = ${accountId}`);

export const updateCallbackSecret = (
  tx: Tx,
  companyId: string,
  accountId: string,
  sealed: Buffer | null,
): Promise<void> =>
  tx.execute(sql('provider_account_callback')`
    update provider_accounts set callback_secret_sealed = ${sealed}, updated_at = app_now()
    where company_id = ${companyId} and account_id = ${accountId}`);

/** Payments that are not at their end and need the account's keys to get there. */
export const findOpenWork = (db: Queryable, companyId: string, accountId: string): Promise<number> =>
  db.queryValue(sql('provider_account_open_work')`
    select count(*)::int
    from provider_charges c
    join payments p on p.environment_id = c.environment_id and p.id = c.payment_id
    join environments e on e.id = c.environment_id
    join games g on g.id = e.game_id
    where g.company_id = ${companyId} and c.account_id = ${accountId}
      and p.status in (${UNDER_WAY})`);
