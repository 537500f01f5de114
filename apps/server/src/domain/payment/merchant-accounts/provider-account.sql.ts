import { type Queryable, type RowOf, sql, type Tx, table } from '../../../db/statement.ts';
import type { SeenAccount } from '../providers/base/provider.ts';

const ACCOUNTS = table('provider_accounts', {
  companyId: 'text',
  accountId: 'text',
  provider: 'text',
  label: 'text?',
  games: 'text[]?',
  currencies: 'text[]?',
  isCurrent: 'boolean',
  leftAt: 'timestamptz?',
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

/** What an account is called, and which payments it takes. */
export type AccountScope = Pick<ProviderAccount, 'label' | 'games' | 'currencies'>;

/** Those that take payments, in the order in which they are asked: who takes less comes first, then who came first. */
export const listCurrentAccounts = (db: Queryable, companyId: string, provider: string): Promise<ProviderAccount[]> =>
  db.query(sql('provider_account_list_current')`
    select ${ACCOUNTS.columns} from provider_accounts
    where company_id = ${companyId} and provider = ${provider} and is_current
    order by (games is not null)::int + (currencies is not null)::int desc, created_at, account_id`);

export const findAccount = (db: Queryable, companyId: string, accountId: string): Promise<ProviderAccount | null> =>
  db.queryOne(sql('provider_account_find')`
    select ${ACCOUNTS.columns} from provider_accounts where company_id = ${companyId} and account_id = ${accountId}`);

/** Of all providers, with those that were left. */
export const listAccountNames = (
  db: Queryable,
  companyId: string,
): Promise<Pick<ProviderAccount, 'provider' | 'accountId'>[]> =>
  db.query(sql('provider_account_list_names')`
    select provider, account_id as "accountId" from provider_accounts where company_id = ${companyId}`);

/** Those that take no new payments, with or without their keys. */
export const listLeftAccounts = (db: Queryable, companyId: string, provider: string): Promise<ProviderAccount[]> =>
  db.query(sql('provider_account_list_left')`
    select ${ACCOUNTS.columns} from provider_accounts
    where company_id = ${companyId} and provider = ${provider} and not is_current
    order by left_at desc`);

/** Of every company: for the daily comparison, which belongs to no caller. */
export const listAllAccounts = (db: Queryable): Promise<ProviderAccount[]> =>
  db.query(sql('provider_account_list_all')`
    select ${ACCOUNTS.columns} from provider_accounts where secret_key_sealed is not null order by company_id, account_id`);

export const updateAccountLeft = (tx: Tx, companyId: string, accountId: string): Promise<void> =>
  tx.execute(sql('provider_account_leave')`
    update provider_accounts set is_current = false, left_at = app_now(), updated_at = app_now()
    where company_id = ${companyId} and account_id = ${accountId} and is_current`);

export const updateAccountScope = (
  tx: Tx,
  companyId: string,
  accountId: string,
  { label, games, currencies }: AccountScope,
): Promise<void> =>
  tx.execute(sql('provider_account_scope')`
    update provider_accounts set label = ${label}, games = ${games}, currencies = ${currencies}, updated_at = app_now()
    where company_id = ${companyId} and account_id = ${accountId}`);

const NEW = ACCOUNTS.omit(
  'label, games, currencies, isCurrent, leftAt, problemCode, problemAt, checkedAt, createdAt, updatedAt',
);
const REPLACED = NEW.omit('companyId, accountId, provider');

export type NewAccount = RowOf<typeof NEW>;

export const upsertAccount = (tx: Tx, it: NewAccount): Promise<ProviderAccount> =>
  tx.queryFirst(sql('provider_account_upsert')`
    insert into provider_accounts (${NEW.names}, is_current, checked_at, created_at, updated_at)
    values (${NEW.values(it)}, true, app_now(), app_now(), app_now())
    on conflict (company_id, account_id) do update set ${REPLACED.setFrom('excluded')}, is_current = true, left_at = null,
      problem_code = null, problem_at = null, checked_at = app_now(), updated_at = app_now()
    returning ${ACCOUNTS.columns}`);

export const updateAccountChecked = (
  db: Queryable,
  companyId: string,
  accountId: string,
  seen: Pick<ProviderAccount, Exclude<keyof SeenAccount, 'unavailableMethods' | 'said'>>,
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

/** Only of an account that was left: one that takes payments keeps its keys. */
export const updateAccountErased = (tx: Tx, companyId: string, accountId: string): Promise<void> =>
  tx.execute(sql('provider_account_erase')`
    update provider_accounts set secret_key_sealed = null, callback_secret_sealed = null, updated_at = app_now()
    where company_id = ${companyId} and account_id = ${accountId} and not is_current`);

export const updateCallbackSecret = (
  tx: Tx,
  companyId: string,
  accountId: string,
  sealed: Buffer | null,
): Promise<void> =>
  tx.execute(sql('provider_account_callback')`
    update provider_accounts set callback_secret_sealed = ${sealed}, updated_at = app_now()
    where company_id = ${companyId} and account_id = ${accountId}`);
