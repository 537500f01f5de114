import type { Queryable } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import { createTtlCache } from '../../../kit/ttl-cache.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import type { LiveRouting } from '../live-provider.ts';
import { findMethod } from '../methods/method-table.ts';
import type { Provider } from '../providers/base/provider.ts';
import { lockCompany } from './provider-account.sql.ts';
import { type CompanyRouting, deleteRoute, findRouting, upsertFailsOver, upsertRoute } from './routing.sql.ts';

const asRouting = ({ routes, failsOver }: CompanyRouting): Pick<LiveRouting, 'routes' | 'failsOver'> => ({
  routes: new Map(routes.map(({ method, provider }) => [method, provider])),
  failsOver,
});

export const readRouting = async (db: Queryable, companyId: string) => asRouting(await findRouting(db, companyId));

/** For pages: a few seconds old at most. */
export function createRoutingReader(db: Queryable, clock: Clock = systemClock) {
  const load = (companyId: string) => readRouting(db, companyId);
  const find = createTtlCache({ load, clock, freshMs: 2_000, absentMs: 2_000, maxEntries: 10_000 });
  return async (companyId: string): Promise<Pick<LiveRouting, 'routes' | 'failsOver'>> =>
    (await find(companyId)) ?? { routes: new Map(), failsOver: false };
}

export interface RouteMethod {
  providers: readonly Pick<Provider, 'name' | 'abilities'>[];
  companyId: string;
  method: string;
  /** Null: the first that can take it. */
  provider: string | null;
}

const NOT_BY_THIS = {
  pointer: '/route',
  code: 'enum',
  message: 'This provider does not take the method.',
} as const;

/** For payments that begin from now on. What is under way stays with the connection that it began with. */
export async function routeMethod(
  { db }: Shop,
  actor: Actor,
  { providers, companyId, method, provider }: RouteMethod,
): Promise<void> {
  if (!findMethod(method)) throw new AppError('not_found');
  const wanted = providers.find(({ name }) => name === provider);
  if (provider !== null && !wanted?.abilities.methods.has(method)) {
    throw new AppError('validation_failed', { issues: [NOT_BY_THIS] });
  }
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const before = (await readRouting(tx, companyId)).routes.get(method) ?? null;
    if (before === provider) return;
    if (provider === null) await deleteRoute(tx, companyId, method);
    else await upsertRoute(tx, companyId, method, provider);
    const kind = 'payment_method.routed';
    writeAudit(tx, actor, { companyId, kind, objectId: method, before: { provider: before }, after: { provider } });
  });
}

export async function switchFailOver(
  { db }: Shop,
  actor: Actor,
  { companyId, failsOver }: { companyId: string; failsOver: boolean },
): Promise<void> {
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const before = (await readRouting(tx, companyId)).failsOver;
    if (before === failsOver) return;
    await upsertFailsOver(tx, companyId, failsOver);
    const kind = 'payment_method.fail_over_switched';
    writeAudit(tx, actor, { companyId, kind, before: { fails_over: before }, after: { fails_over: failsOver } });
  });
}
