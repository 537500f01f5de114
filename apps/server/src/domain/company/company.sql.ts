import type { Role, Seller } from '@coinslot/contract';
import { fragment, jsonOrNull, type Queryable, type RowOf, sql, type Tx, table } from '../../db/statement.ts';
import type { SignedIn, SsoSession } from '../user/session.sql.ts';

export interface CompanyOfUser {
  id: string;
  name: string;
  role: Role;
  second_factor_missing: boolean;
  games: { id: string; name: string; icon_url: string | null }[];
}

/** What the switcher shows, in one read. */
export const listCompaniesOfUser = (
  db: Queryable,
  userId: string,
  { sso = null, isFactorRequired }: { sso?: Pick<SsoSession, 'companyId' | 'role'> | null; isFactorRequired: boolean },
): Promise<CompanyOfUser[]> =>
  db.query(sql('company_list_of_user')`
    select c.id, c.name, coalesce(${sso?.role ?? null}::text, m.role) as role,
           ${sso === null} and (c.requires_second_factor or ${isFactorRequired}) and u.totp_confirmed_at is null
             and not exists (select from passkeys p where p.user_id = u.id) as second_factor_missing,
           coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'icon_url', g.icon_url) order by g.id)
                     from games g where g.company_id = c.id), '[]') as games
    from members m
    join companies c on c.id = m.company_id
    join users u on u.id = m.user_id
    where m.user_id = ${userId} and case when ${sso === null} then not m.via_sso else c.id = ${sso?.companyId ?? null}::text end
    order by c.id`);

const COMPANIES = table('companies', {
  id: 'text',
  name: 'text',
  receiptSenderName: 'text?',
  receiptReplyTo: 'text?',
  requiresSecondFactor: 'boolean',
  seller: jsonOrNull<Partial<Seller>>(),
  createdAt: 'timestamptz',
});

export type CompanyFacts = RowOf<typeof COMPANIES>;

export const findCompany = (db: Queryable, companyId: string): Promise<CompanyFacts> =>
  db.queryFirst(sql('company_find')`
    select ${COMPANIES.columns} from companies where id = ${companyId}`);

export const lockCompanyFacts = (tx: Tx, companyId: string): Promise<CompanyFacts> =>
  tx.queryFirst(sql('company_lock_facts')`
    select ${COMPANIES.columns} from companies where id = ${companyId} for no key update`);

export function updateCompany(tx: Tx, company: CompanyFacts): void {
  const { id, name, receiptSenderName, receiptReplyTo, requiresSecondFactor, seller } = company;
  tx.write(sql('company_update')`
    update companies set name = ${name}, receipt_sender_name = ${receiptSenderName}, receipt_reply_to = ${receiptReplyTo},
      requires_second_factor = ${requiresSecondFactor}, seller = ${seller && JSON.stringify(seller)}::json
    where id = ${id}`);
}

/** Keeps the time at which it became complete for as long as it stays so. */
export const updateSellerComplete = (tx: Tx, companyId: string, isComplete: boolean): void =>
  tx.write(sql('company_update_seller_complete')`
    update companies set seller_complete_at = case when ${isComplete} then coalesce(seller_complete_at, app_now()) end
    where id = ${companyId}`);

export const insertCompany = (tx: Tx, company: { id: string; name: string }): Promise<void> =>
  tx.execute(sql('company_insert')`
    insert into companies (id, name, created_at) values (${company.id}, ${company.name}, app_now())`);

/** The operator's own: what the installation's settings give belongs to it unless others are named. */
export const findFirstCompany = (db: Queryable): Promise<string | null> =>
  db.queryValue(sql('company_find_first')`select id from companies order by id limit 1`);

/** Until the transaction ends, no other process creates a company. */
export const lockCompanies = (tx: Tx): Promise<void> =>
  tx.execute(sql('company_lock_all')`lock table companies in share row exclusive mode`);

/** The studio's own rates, for sums in reports only. No payment and no book knows them. */
export interface Rates {
  /** The currency of the sum. */
  currency: string;
  /** How much of it one unit of each other currency is worth. */
  rates: Readonly<Record<string, number>>;
}

export const findRates = (db: Queryable, companyId: string): Promise<Rates | null> =>
  db.queryValue(sql('rates_find')`
    select report_rates as rates from companies where id = ${companyId}`);

export const lockRates = (tx: Tx, companyId: string): Promise<Rates | null> =>
  tx.queryValue(sql('rates_lock')`
    select report_rates as rates from companies where id = ${companyId} for no key update`);

export const updateRates = (tx: Tx, companyId: string, rates: Rates | null): void =>
  tx.write(sql('rates_update')`
    update companies set report_rates = ${rates && JSON.stringify(rates)}::json where id = ${companyId}`);

export interface CompanyAccess {
  companyId: string;
  companyName: string;
  requiresSecondFactor: boolean;
  role: Role;
  /** The member came by single sign-on, and comes in no other way. */
  viaSso: boolean;
  ssoRequired: boolean;
  /** An owner ended the sessions of this member in the company, and the user has not proven who they are since. */
  isEnded: boolean;
}

/**
 * Access of the member `m` to the company `c` in the session `s`. Identity providers need not say when the user last proved who
 * they are. Ending a member's sessions deletes those by single sign-on, so that a later one counts as a proof (row 265).
 */
export const ACCESS_COLUMNS = fragment`c.name as "companyName", c.requires_second_factor as "requiresSecondFactor", m.role,
  m.via_sso as "viaSso", coalesce((select o.required from company_sso o where o.company_id = c.id), false) as "ssoRequired",
  coalesce(m.sessions_ended_at >= case when s.sso_company_id is null then s.confirmed_at else s.created_at end, false) as "isEnded"`;

/** Null for a company that does not exist and for one that is not the user's: the caller cannot tell them apart. */
export const findCompanyAccess = (
  db: Queryable,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
  companyId: string,
): Promise<CompanyAccess | null> =>
  db.queryOne(sql('access_find_company')`
    select c.id as "companyId", ${ACCESS_COLUMNS}
    from members m
    join companies c on c.id = m.company_id
    join sessions s on s.user_id = m.user_id and s.id = ${sessionId}
    where m.company_id = ${companyId} and m.user_id = ${userId}`);
