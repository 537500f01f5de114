import { type Queryable, sql, type Tx } from '../../../db/statement.ts';
import type { RoutingRule } from '../methods/routing-rules.ts';

/** What a company chose. A method without a route goes to the first connection that can take it. */
interface CompanyRouting {
  routes: { method: string; provider: string }[];
  /** Providers that do not take a method, although they can. */
  refusals: { method: string; provider: string }[];
  rules: RoutingRule[];
  failsOver: boolean;
}

export const findRouting = (db: Queryable, companyId: string): Promise<CompanyRouting> =>
  db.queryFirst(sql('company_routing_find')`
    select coalesce((select json_agg(json_build_object('method', method, 'provider', provider) order by method)
                     from company_method_routes where company_id = ${companyId}), '[]'::json) as routes,
           coalesce((select json_agg(json_build_object('method', method, 'provider', provider) order by method, provider)
                     from company_method_refusals where company_id = ${companyId}), '[]'::json) as refusals,
           coalesce((select rules from company_routing where company_id = ${companyId}), '[]'::json) as rules,
           coalesce((select fails_over from company_routing where company_id = ${companyId}), true) as "failsOver"`);

export const insertRefusal = (tx: Tx, companyId: string, method: string, provider: string): Promise<void> =>
  tx.execute(sql('company_refusal_insert')`
    insert into company_method_refusals (company_id, method, provider, changed_at)
    values (${companyId}, ${method}, ${provider}, app_now())
    on conflict (company_id, method, provider) do nothing`);

export const deleteRefusal = (tx: Tx, companyId: string, method: string, provider: string): Promise<void> =>
  tx.execute(sql('company_refusal_delete')`
    delete from company_method_refusals
    where company_id = ${companyId} and method = ${method} and provider = ${provider}`);

export const upsertRoute = (tx: Tx, companyId: string, method: string, provider: string): Promise<void> =>
  tx.execute(sql('company_route_upsert')`
    insert into company_method_routes (company_id, method, provider, changed_at)
    values (${companyId}, ${method}, ${provider}, app_now())
    on conflict (company_id, method) do update set provider = excluded.provider, changed_at = excluded.changed_at`);

export const deleteRoute = (tx: Tx, companyId: string, method: string): Promise<void> =>
  tx.execute(sql('company_route_delete')`
    delete from company_method_routes where company_id = ${companyId} and method = ${method}`);

export const upsertFailsOver = (tx: Tx, companyId: string, failsOver: boolean): Promise<void> =>
  tx.execute(sql('company_fails_over_upsert')`
    insert into company_routing (company_id, fails_over, changed_at) values (${companyId}, ${failsOver}, app_now())
    on conflict (company_id) do update set fails_over = excluded.fails_over, changed_at = excluded.changed_at`);

export const upsertRules = (tx: Tx, companyId: string, rules: readonly RoutingRule[]): Promise<void> =>
  tx.execute(sql('company_rules_upsert')`
    insert into company_routing (company_id, rules, changed_at) values (${companyId}, ${JSON.stringify(rules)}, app_now())
    on conflict (company_id) do update set rules = excluded.rules, changed_at = excluded.changed_at`);

/** Only what people have switched; a method without a row is as the table says. */
export const listMethodSwitches = (db: Queryable, companyId: string): Promise<{ method: string; enabled: boolean }[]> =>
  db.query(sql('method_switch_list')`
    select method, enabled from company_payment_methods where company_id = ${companyId}`);

export const upsertMethodSwitch = (tx: Tx, companyId: string, method: string, enabled: boolean): Promise<void> =>
  tx.execute(sql('method_switch_insert')`
    insert into company_payment_methods (company_id, method, enabled, changed_at)
    values (${companyId}, ${method}, ${enabled}, app_now())
    on conflict (company_id, method) do update set enabled = excluded.enabled, changed_at = excluded.changed_at`);
