import { dashboardEndpoints as calls } from '@coinslot/contract';
import { changeGrantRules } from '../../../domain/game/change-grant-rules.ts';
import { changeChaos } from '../../../domain/game/chaos/chaos.ts';
import { findChaos, findGrantRules, type GrantRules } from '../../../domain/game/environment.sql.ts';
import { assertSandbox } from '../../../domain/game/environment.ts';
import {
  createKey,
  type KeyView,
  listEnvironmentKeys,
  revealKey,
  revokeKey,
} from '../../../domain/game/keys/manage-keys.ts';
import { advanceOrder } from '../../../domain/purchase/sandbox/advance-order.ts';
import { findChecklist } from '../../../domain/reporting/figures/figures.sql.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { toDecimal } from '../../../kit/money.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

const keyView = (key: KeyView) =>
  onWire(key, 'id, label, hint, signs_webhooks, created_by, created_at, last_used_at, revoked_at');

const grantRulesView = ({ releaseGrantAfterSeconds, defaultPriceMinor, defaultCurrency }: GrantRules) => ({
  release_grant_after_seconds: releaseGrantAfterSeconds,
  default_price:
    defaultPriceMinor === null || defaultCurrency === null
      ? null
      : { price_decimal: toDecimal(defaultPriceMinor, defaultCurrency), currency: defaultCurrency },
});

function mountKeys(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listKeys, async ({ environment }) => {
    const keys = await listEnvironmentKeys(shop, environment.id);
    return { data: keys.map(keyView) };
  });

  mount(calls.createKey, async ({ environment, actor }, { body }) => {
    const { view, s2sKey } = await createKey(shop, actor, environment, body.label?.trim() ?? '');
    return { ...keyView(view), s2s_key: s2sKey };
  });

  mount(calls.revealKey, async ({ environment, actor }, { params }) => ({
    s2s_key: await revealKey(shop, actor, environment, params.key_id),
  }));

  mount(calls.revokeKey, async ({ environment, actor }, { params, body }) => {
    const revocation = { keyId: params.key_id, confirmSigning: body.confirm_signing ?? false };
    return keyView(await revokeKey(shop, actor, environment, revocation));
  });
}

export function mountGameSettings(mount: DashboardMount, shop: DashboardShop): void {
  mountKeys(mount, shop);

  mount(calls.getGrantRules, async ({ environment }) => grantRulesView(await findGrantRules(shop.db, environment.id)));

  mount(calls.patchGrantRules, async ({ environment, actor }, { body }) => {
    const price = body.default_price;
    const change = {
      releaseGrantAfterSeconds: body.release_grant_after_seconds,
      defaultPrice: price && { priceDecimal: price.price_decimal, currency: price.currency },
    };
    return grantRulesView(await changeGrantRules(shop, actor, environment, change));
  });

  mount(calls.getChecklist, async ({ environment }) => {
    const steps = await findChecklist(shop.db, environment.id);
    return onWire(steps, 'order_created_at, order_paid_at, webhook_added_at, item_granted_at, seller_complete_at');
  });
}

/** What a developer tries on purpose, and only with test money. */
export function mountSandboxTools(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.getDashboardChaos, async ({ environment }) => ({ enabled: await findChaos(shop.db, environment.id) }));

  mount(calls.setDashboardChaos, async ({ environment, actor }, { body }) => ({
    enabled: await changeChaos(shop, actor, environment, body.enabled),
  }));

  mount(calls.advanceDashboardOrder, async (context, { params, body }) => {
    const { environment } = context;
    // What does not exist here is not found, in live too.
    await readOrderDetail(shop, context, params.order_id);
    assertSandbox(environment, 'Only orders of sandbox can be made older.');
    await advanceOrder(shop.purchasing, {
      environmentId: environment.id,
      orderId: params.order_id,
      seconds: body.seconds,
    });
    return readOrderDetail(shop, context, params.order_id);
  });
}
