import type { Role } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Store, StoreLink } from './store-link.ts';

export interface CompanyOfUser {
  id: string;
  name: string;
  role: Role;
  games: { id: string; name: string; icon_url: string | null }[];
}

/** What the switcher shows, in one read. */
export const listCompaniesOfUser = (db: Queryable, userId: string): Promise<CompanyOfUser[]> =>
  db.query(sql('company_list_of_user')`
    select c.id, c.name, m.role,
           coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'icon_url', g.icon_url) order by g.id)
                     from games g where g.company_id = c.id), '[]') as games
    from members m
    join companies c on c.id = m.company_id
    where m.user_id = ${userId}
    order by c.id`);

export interface CompanyFacts {
  id: string;
  name: string;
  receiptSenderName: string | null;
  receiptReplyTo: string | null;
  createdAt: Date;
}

export async function findCompany(db: Queryable, companyId: string): Promise<CompanyFacts> {
  const [row] = await db.query<CompanyFacts>(sql('company_find')`
    select id, name, receipt_sender_name as "receiptSenderName", receipt_reply_to as "receiptReplyTo",
           created_at as "createdAt"
    from companies where id = ${companyId}`);
  return row!;
}

export async function lockCompanyFacts(tx: Tx, companyId: string): Promise<CompanyFacts> {
  const [row] = await tx.query<CompanyFacts>(sql('company_lock_facts')`
    select id, name, receipt_sender_name as "receiptSenderName", receipt_reply_to as "receiptReplyTo",
           created_at as "createdAt"
    from companies where id = ${companyId} for no key update`);
  return row!;
}

export function updateCompany(tx: Tx, { id, name, receiptSenderName, receiptReplyTo }: CompanyFacts): void {
  tx.write(sql('company_update')`
    update companies set name = ${name}, receipt_sender_name = ${receiptSenderName}, receipt_reply_to = ${receiptReplyTo}
    where id = ${id}`);
}

export interface CompanyGame {
  id: string;
  name: string;
  iconUrl: string | null;
  store: Store;
  storeUrl: string;
  createdAt: Date;
}

export const listCompanyGames = (db: Queryable, companyId: string): Promise<CompanyGame[]> =>
  db.query(sql('company_list_games')`
    select id, name, icon_url as "iconUrl", store, store_url as "storeUrl", created_at as "createdAt"
    from games where company_id = ${companyId} order by id limit 1000`);

export async function lockCompanyGame(tx: Tx, companyId: string, gameId: string): Promise<CompanyGame | null> {
  const [row] = await tx.query<CompanyGame>(sql('company_lock_game')`
    select id, name, icon_url as "iconUrl", store, store_url as "storeUrl", created_at as "createdAt"
    from games where company_id = ${companyId} and id = ${gameId} for update`);
  return row ?? null;
}

export async function updateGameLink(tx: Tx, companyId: string, gameId: string, link: StoreLink): Promise<void> {
  await tx.query(sql('company_update_game_link')`
    update games set store = ${link.store}, store_app_id = ${link.appId}, store_url = ${link.url}
    where company_id = ${companyId} and id = ${gameId}`);
}
