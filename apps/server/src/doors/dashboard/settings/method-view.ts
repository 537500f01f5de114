import type { DashboardMethod } from '@coinslot/contract';
import {
  type CompanyRouting,
  readMethodSwitches,
  readRouting,
} from '../../../domain/payment/merchant-accounts/read-choices.ts';
import type { PaymentMethod } from '../../../domain/payment/methods/method-table.ts';
import { isSwitchedOn, type MethodSwitches } from '../../../domain/payment/methods/methods.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardShop } from '../define-route.ts';

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

export async function chosenBy({ db, merchantAccounts }: DashboardShop, companyId: string): Promise<Chosen> {
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

export const methodView = (method: PaymentMethod, shop: DashboardShop, chosen: Chosen): DashboardMethod => ({
  ...onWire(method, 'id, name, group, on_by_default, can_switch_off, can_reserve, can_refund, can_save, takes'),
  enabled: isSwitchedOn(method, chosen.switches),
  currencies: listed(method.currencies),
  countries: listed(method.countries),
  limits: limitsOf(method),
  route: chosen.routes.get(method.id) ?? null,
  takers: takersOf(method, shop, chosen),
});
