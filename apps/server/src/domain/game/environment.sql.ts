import { fragment, type Queryable, type RowOf, sql, type Tx, table, typed } from '../../db/statement.ts';
import type { Money } from '../../kit/money.ts';
import { ACCESS_COLUMNS, type CompanyAccess } from '../company/company.sql.ts';
import type { SignedIn } from '../user/session.sql.ts';
import type { Environment, Mode } from './environment.ts';
import { type LockedEnvironment, lockEnvironment } from './lock-environment.sql.ts';
import type { StoreLink } from './stores/store-link.ts';

const ENVIRONMENTS = table('environments', {
  id: 'text',
  gameId: 'text',
  mode: typed<Mode>('text'),
  defaultPriceMinor: 'bigint?',
  defaultCurrency: 'text?',
  /** Null: as long as the schedule of attempts lasts. */
  releaseGrantAfterSeconds: 'int?',
  chaos: 'boolean',
});

const PRICED = ENVIRONMENTS.pick('id, gameId, mode, defaultPriceMinor, defaultCurrency');

interface NewEnvironment {
  id: string;
  gameId: string;
  mode: Mode;
  defaultPrice: Money | null;
}

export function insertEnvironment(tx: Tx, { defaultPrice, ...environment }: NewEnvironment): Promise<void> {
  const { amountMinor: defaultPriceMinor = null, currency: defaultCurrency = null } = defaultPrice ?? {};
  return tx.execute(sql('environment_insert')`
    insert into environments (${PRICED.names}, created_at)
    values (${PRICED.values({ ...environment, defaultPriceMinor, defaultCurrency })}, app_now())`);
}

/** An environment `e` of the game `g`. */
export const ENVIRONMENT_COLUMNS = fragment`${PRICED.of('e')}, g.name as "gameName", g.company_id as "companyId"`;

export type EnvironmentRow = RowOf<typeof PRICED> & { gameName: string; companyId: string };

export function environmentOf({ defaultPriceMinor, defaultCurrency, ...row }: EnvironmentRow): Environment {
  const hasPrice = defaultPriceMinor !== null && defaultCurrency !== null;
  const defaultPrice = hasPrice ? { amountMinor: defaultPriceMinor, currency: defaultCurrency } : null;
  const { id, gameId, gameName, companyId, mode } = row;
  return { id, gameId, gameName, companyId, mode, defaultPrice };
}

export async function findEnvironment(db: Queryable, environmentId: string): Promise<Environment | null> {
  const [row] = await db.query<EnvironmentRow>(sql('environment_find')`
    select ${ENVIRONMENT_COLUMNS}
    from environments e
    join games g on g.id = e.game_id
    where e.id = ${environmentId}`);
  return row ? environmentOf(row) : null;
}

export interface EnvironmentAccess extends CompanyAccess {
  environment: Environment;
}

export async function findEnvironmentAccess(
  db: Queryable,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
  gameId: string,
  mode: Mode,
): Promise<EnvironmentAccess | null> {
  const [row] = await db.query<CompanyAccess & EnvironmentRow>(sql('access_find_environment')`
    select ${ENVIRONMENT_COLUMNS}, ${ACCESS_COLUMNS}
    from environments e
    join games g on g.id = e.game_id
    join companies c on c.id = g.company_id
    join members m on m.company_id = g.company_id and m.user_id = ${userId}
    join sessions s on s.user_id = m.user_id and s.id = ${sessionId}
    where e.game_id = ${gameId} and e.mode = ${mode}`);
  if (!row) return null;
  const { companyId, companyName, requiresSecondFactor, role, viaSso, ssoRequired, isEnded } = row;
  const access = { companyId, companyName, requiresSecondFactor, role, viaSso, ssoRequired, isEnded };
  return { ...access, environment: environmentOf(row) };
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

const RULES = ENVIRONMENTS.pick('releaseGrantAfterSeconds, defaultPriceMinor, defaultCurrency');

export type GrantRules = RowOf<typeof RULES>;

export const findGrantRules = (db: Queryable, environmentId: string): Promise<GrantRules> =>
  db.queryFirst(sql('grant_rules_find')`
    select ${RULES.columns} from environments where id = ${environmentId}`);

export async function lockGrantRules(
  tx: Tx,
  environmentId: string,
): Promise<{ locked: LockedEnvironment<'writer'>; rules: GrantRules }> {
  const locked = await lockEnvironment(tx, environmentId);
  return { locked, rules: await findGrantRules(tx, environmentId) };
}

export const updateGrantRules = (tx: Tx, environment: LockedEnvironment<'writer'>, rules: GrantRules): void =>
  tx.write(sql('grant_rules_update')`
    update environments set ${RULES.set(rules)} where id = ${environment.id}`);

export const findChaos = (db: Queryable, environmentId: string): Promise<boolean> =>
  db.queryAny(sql('chaos_find')`select id from environments where id = ${environmentId} and chaos`);

export const updateChaos = (tx: Tx, environment: LockedEnvironment<'writer'>, chaos: boolean): void =>
  tx.write(sql('chaos_update')`
    update environments set chaos = ${chaos} where id = ${environment.id}`);
