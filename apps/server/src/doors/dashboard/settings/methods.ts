import type * as contract from '@coinslot/contract';
import { dashboardEndpoints as calls, type DashboardMethod } from '@coinslot/contract';
import type { Environment } from '../../../domain/game/environment.ts';
import {
  type CompanyRouting,
  readMethodSwitches,
  readRouting,
  routeMethod,
  switchMethod,
  switchTaker,
} from '../../../domain/payment/merchant-accounts/company-choices.ts';
import { checkRules, readNameable, saveRules } from '../../../domain/payment/merchant-accounts/routing-rules.ts';
import { findMethod, METHODS, type PaymentMethod } from '../../../domain/payment/methods/method-table.ts';
import { isSwitchedOn, type MethodSwitches } from '../../../domain/payment/methods/methods.ts';
import type { RoutingRule } from '../../../domain/payment/methods/routing-rules.ts';
import { offerFor } from '../../../domain/purchase/checkout/live-facts.ts';
import { AppError } from '../../../kit/app-error.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

const listed = (list: readonly string[] | 'any'): string[] | null => (list === 'any' ? null : [...list]);

const limitsOf = ({ limits }: Pick<PaymentMethod, 'limits'>): DashboardMethod['limits'] =>
  Object.entries(limits).map(([currency, { min = null, max = null }]) => ({ currency, min, max }));

interface Chosen {
  switches: MethodSwitches;
  routes: ReadonlyMap<string, string>;
  refusals: CompanyRouting['refusals'];
  /** Provider → what each of its connected accounts cannot take. */
  connected: ReadonlyMap<string, readonly ReadonlySet<string>[]>;
}

function takersOf(method: PaymentMethod, shop: DashboardShop, chosen: Chosen): DashboardMethod['takers'] {
  return shop.merchantAccounts.list
    .filter(({ provider }) => provider.abilities.methods.has(method.id))
    .map(({ provider: { name, title, abilities } }) => {
      const own = { ...method, ...abilities.changes[method.id] };
      const currencies = own.currencies === 'any' ? abilities.currencies : own.currencies;
      return {
        provider: name,
        title,
        connected: chosen.connected.has(name),
        available:
          !abilities.wantAddress?.has(method.id) &&
          !chosen.connected.get(name)?.every(unavailable => unavailable.has(method.id)),
        enabled: !chosen.refusals.get(method.id)?.has(name),
        currencies: currencies && [...currencies],
        limits: limitsOf(own),
        can_reserve: own.canReserve,
        can_save: own.canSave && abilities.savesMethods,
      };
    });
}

async function chosenBy({ db, merchantAccounts }: DashboardShop, companyId: string): Promise<Chosen> {
  const connected = new Map<string, readonly ReadonlySet<string>[]>();
  for (const { provider, directory } of merchantAccounts.list) {
    const known = await directory.knownOf(companyId);
    if (known.length > 0)
      connected.set(
        provider.name,
        known.map(({ unavailable }) => unavailable),
      );
  }
  const { routes, refusals } = await readRouting(db, companyId);
  return { connected, routes, refusals, switches: await readMethodSwitches(db, companyId) };
}

const methodView = (method: PaymentMethod, shop: DashboardShop, chosen: Chosen): DashboardMethod => ({
  ...onWire(method, 'id, name, group, on_by_default, can_switch_off, can_reserve, can_refund, can_save, takes'),
  enabled: isSwitchedOn(method, chosen.switches),
  currencies: listed(method.currencies),
  countries: listed(method.countries),
  limits: limitsOf(method),
  route: chosen.routes.get(method.id) ?? null,
  takers: takersOf(method, shop, chosen),
});

interface Visited {
  currency: string;
  country?: string | undefined;
  amount: number;
}

/** The same code as the payment page's answers, so that this is what a player gets. */
async function offerOf(
  shop: DashboardShop,
  { environment, company }: { environment: Environment; company: { id: string } },
  { currency, country, amount: amountMinor }: Visited,
  rules?: readonly RoutingRule[],
): Promise<contract.MethodOffer> {
  const found = environment.mode === 'live' ? await shop.findLiveRouting(environment.id) : null;
  if (!found) return { methods: [], missing: 'provider' as const };
  const routing = rules ? { ...found, rules } : found;
  const switches = await readMethodSwitches(shop.db, company.id);
  const visit = { currency, amountMinor, country: country ?? null, locale: null, acceptLanguage: null };
  const offer = offerFor(routing, switches, visit);
  if ('missing' in offer) return { methods: [], missing: offer.missing };
  const methods = offer.methods.map(method => {
    const provider = method.by.gateway.name;
    const title = shop.merchantAccounts.of(provider)?.provider.title ?? provider;
    const { account } = method.by;
    const whose = { account_id: account?.id ?? null, account_label: account?.label ?? null };
    return { ...onWire(method, 'id, name, group, can_reserve'), provider, title, ...whose };
  });
  return { methods, missing: null };
}

const ruleOf = (rule: contract.RoutingRule): RoutingRule => {
  const { min_amount: minMinor, max_amount: maxMinor, games = null, account = null, ...same } = rule;
  return { ...same, games, account, minMinor, maxMinor };
};

const ruleView = ({ games, countries, currencies, methods, ...rule }: RoutingRule): contract.RoutingRule => ({
  games: games && [...games],
  countries: countries && [...countries],
  currencies: currencies && [...currencies],
  methods: methods && [...methods],
  min_amount: rule.minMinor,
  max_amount: rule.maxMinor,
  provider: rule.provider,
  account: rule.account,
});

function mountRules(mount: DashboardMount, shop: DashboardShop): void {
  const providers = shop.merchantAccounts.list.map(({ provider }) => provider.name);
  const read = async (companyId: string) => ({ rules: (await readRouting(shop.db, companyId)).rules.map(ruleView) });

  mount(calls.previewMethods, (asking, { query }) => offerOf(shop, asking, query));

  mount(calls.previewRules, async (asking, { body }) => {
    const rules = body.rules.map(ruleOf);
    checkRules(rules, await readNameable(shop.db, asking.company.id, providers));
    return offerOf(shop, asking, body, rules);
  });

  mount(calls.getRouting, ({ company }) => read(company.id));

  mount(calls.putRouting, async ({ company, actor }, { body }) => {
    await saveRules(shop, actor, { companyId: company.id, providers, rules: body.rules.map(ruleOf) });
    return read(company.id);
  });
}

export function mountMethods(mount: DashboardMount, shop: DashboardShop): void {
  mountRules(mount, shop);

  mount(calls.listMethods, async ({ company }) => {
    const chosen = await chosenBy(shop, company.id);
    return { data: METHODS.map(method => methodView(method, shop, chosen)) };
  });

  mount(calls.patchMethod, async ({ company, actor }, { params, body }) => {
    const { enabled, route, taker } = body;
    const method = findMethod(params.method);
    if (!method) throw new AppError('not_found');
    const what = { companyId: company.id, method: method.id };
    if (enabled !== undefined) await switchMethod(shop, actor, { ...what, enabled });
    const providers = shop.merchantAccounts.list.map(({ provider }) => provider);
    if (route !== undefined) await routeMethod(shop, actor, { ...what, providers, provider: route });
    if (taker) {
      await switchTaker(shop, actor, { ...what, providers, provider: taker.provider, isOn: taker.enabled });
    }
    return methodView(method, shop, await chosenBy(shop, company.id));
  });
}
