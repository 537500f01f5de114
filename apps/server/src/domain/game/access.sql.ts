import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { CompanyAccess } from '../company/company.sql.ts';
import type { Environment, Mode } from './environment.ts';
import { type EnvironmentRow, environmentOf } from './game.sql.ts';
import type { StoreLink } from './stores/store-link.ts';

export interface EnvironmentAccess extends CompanyAccess {
  environment: Environment;
}

export async function findEnvironmentAccess(
  db: Queryable,
  userId: string,
  gameId: string,
  mode: Mode,
): Promise<EnvironmentAccess | null> {
  const [row] = await db.query<CompanyAccess & EnvironmentRow>(sql('access_find_environment')`
    select c.id as "companyId", c.name as "companyName",
           c.requires_second_factor as "requiresSecondFactor", m.role, e.id, g.id as "gameId",
           g.name as "gameName", e.mode, e.default_price_minor as "defaultPriceMinor", e.default_currency as "defaultCurrency"
    from environments e
    join games g on g.id = e.game_id
    join companies c on c.id = g.company_id
    join members m on m.company_id = g.company_id and m.user_id = ${userId}
    where e.game_id = ${gameId} and e.mode = ${mode}`);
  if (!row) return null;
  const { companyId, companyName, requiresSecondFactor, role } = row;
  return { companyId, companyName, requiresSecondFactor, role, environment: environmentOf(row) };
}

export interface OwnedEnvironment {
  companyId: string;
  gameId: string;
  gameName: string;
  environmentId: string;
  mode: Mode;
}

/** Both environments of the games that a user owns by this company name and store link, oldest game first. */
export const listOwnedEnvironments = (
  db: Queryable,
  userId: string,
  { company, storeLink }: { company: string; storeLink: StoreLink },
): Promise<OwnedEnvironment[]> =>
  db.query(sql('access_list_owned_environments')`
    select c.id as "companyId", g.id as "gameId", g.name as "gameName", e.id as "environmentId", e.mode
    from members m
    join companies c on c.id = m.company_id
    join games g on g.company_id = m.company_id
    join environments e on e.game_id = g.id
    where m.user_id = ${userId} and m.role = 'owner' and c.name = ${company}
      and g.store = ${storeLink.store} and g.store_app_id = ${storeLink.appId}
    order by g.id limit 20`);
