import { type DashboardMethod, dashboardEndpoints } from '@coinslot/contract';
import { readMethodSwitches } from '../../../domain/payment/find-method-switches.ts';
import { METHODS, type PaymentMethod } from '../../../domain/payment/method-table.ts';
import { isSwitchedOn, type MethodSwitches } from '../../../domain/payment/methods.ts';
import { switchMethod } from '../../../domain/payment/switch-method.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

const calls = dashboardEndpoints;

const listed = (list: readonly string[] | 'any'): string[] | null => (list === 'any' ? null : [...list]);

const methodView = (method: PaymentMethod, switches: MethodSwitches): DashboardMethod => ({
  id: method.id,
  name: method.name,
  group: method.group,
  enabled: isSwitchedOn(method, switches),
  on_by_default: method.onByDefault,
  can_switch_off: method.canSwitchOff,
  currencies: listed(method.currencies),
  countries: listed(method.countries),
  limits: Object.entries(method.limits).map(([currency, { min = null, max = null }]) => ({ currency, min, max })),
  can_reserve: method.canReserve,
  can_refund: method.canRefund,
  can_save: method.canSave,
  takes: method.takes,
});

export function mountMethods(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listMethods, async ({ company }) => {
    const switches = await readMethodSwitches(deps.db, company.id);
    return { data: METHODS.map(method => methodView(method, switches)) };
  });

  mount(calls.patchMethod, async ({ company, actor }, { params, body }) => {
    const method = await switchMethod(deps, actor, { companyId: company.id, method: params.method, ...body });
    return methodView(method, await readMethodSwitches(deps.db, company.id));
  });
}
