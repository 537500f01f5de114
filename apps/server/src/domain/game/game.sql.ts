import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Money } from '../../kit/money.ts';
import type { Environment, Mode } from './environment.ts';
import type { LockedEnvironment } from './lock-environment.sql.ts';
import type { StoreLink } from './stores/store-link.ts';
import type { Store } from './stores/stores.ts';

interface NewGame {
  id: string;
  companyId: string;
  name: string;
  storeLink: StoreLink;
}

export const insertGame = (tx: Tx, { id, companyId, name, storeLink }: NewGame): Promise<void> =>
  tx.execute(sql('game_insert')`
    insert into games (id, company_id, name, store, store_app_id, store_url, created_at)
    values (${id}, ${companyId}, ${name}, ${storeLink.store}, ${storeLink.appId}, ${storeLink.url}, app_now())`);

interface NewEnvironment {
  id: string;
  gameId: string;
  mode: Mode;
  defaultPrice: Money | null;
}

export const insertEnvironment = (tx: Tx, { id, gameId, mode, defaultPrice }: NewEnvironment): Promise<void> =>
  tx.execute(sql('environment_insert')`
    insert into environments (id, game_id, mode, default_price_minor, default_currency, created_at)
    values (${id}, ${gameId}, ${mode}, ${defaultPrice?.amountMinor ?? null}, ${defaultPrice?.currency ?? null}, app_now())`);

export interface EnvironmentRow {
  id: string;
  gameId: string;
  gameName: string;
  companyId: string;
  mode: Mode;
  defaultPriceMinor: number | null;
  defaultCurrency: string | null;
}

export function environmentOf({ defaultPriceMinor, defaultCurrency, ...row }: EnvironmentRow): Environment {
  const hasPrice = defaultPriceMinor !== null && defaultCurrency !== null;
  const defaultPrice = hasPrice ? { amountMinor: defaultPriceMinor, currency: defaultCurrency } : null;
  const { id, gameId, gameName, companyId, mode } = row;
  return { id, gameId, gameName, companyId, mode, defaultPrice };
}

export async function findEnvironment(db: Queryable, environmentId: string): Promise<Environment | null> {
  const [row] = await db.query<EnvironmentRow>(sql('environment_find')`
    select e.id, e.game_id as "gameId", g.name as "gameName", g.company_id as "companyId", e.mode,
           e.default_price_minor as "defaultPriceMinor", e.default_currency as "defaultCurrency"
    from environments e
    join games g on g.id = e.game_id
    where e.id = ${environmentId}`);
  return row ? environmentOf(row) : null;
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

export const lockCompanyGame = (tx: Tx, companyId: string, gameId: string): Promise<CompanyGame | null> =>
  tx.queryOne(sql('company_lock_game')`
    select id, name, icon_url as "iconUrl", store, store_url as "storeUrl", created_at as "createdAt"
    from games where company_id = ${companyId} and id = ${gameId} for update`);

export const updateGameLink = (tx: Tx, companyId: string, gameId: string, link: StoreLink): Promise<void> =>
  tx.execute(sql('company_update_game_link')`
    update games set store = ${link.store}, store_app_id = ${link.appId}, store_url = ${link.url}
    where company_id = ${companyId} and id = ${gameId}`);

export async function findChaos(db: Queryable, environmentId: string): Promise<boolean> {
  const [row] = await db.query<{ chaos: boolean }>(sql('chaos_find')`
    select chaos from environments where id = ${environmentId}`);
  return row?.chaos ?? false;
}

export const updateChaos = (tx: Tx, environment: LockedEnvironment<'writer'>, chaos: boolean): void =>
  tx.write(sql('chaos_update')`
    update environments set chaos = ${chaos} where id = ${environment.id}`);
