import type * as contract from '@coinslot/contract';
import { dashboardEndpoints as calls } from '@coinslot/contract';
import type { Environment } from '../../../domain/game/environment.ts';
import { routeMethod, switchMethod, switchTaker } from '../../../domain/payment/merchant-accounts/company-choices.ts';
import { readMethodSwitches, readRouting } from '../../../domain/payment/merchant-accounts/read-choices.ts';
import { checkRules, readNameable, saveRules } from '../../../domain/payment/merchant-accounts/routing-rules.ts';
import { findMethod, METHODS } from '../../../domain/payment/methods/method-table.ts';
import type { RoutingRule } from '../../../domain/payment/methods/routing-rules.ts';
import { offerFor } from '../../../domain/purchase/checkout/live-facts.ts';
import { AppError } from '../../../kit/app-error.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';
import { chosenBy, methodView } from './method-view.ts';

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
