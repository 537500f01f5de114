import { reasons } from '@coinslot/texts/reasons';
import type { Tx } from '../../../db/db.ts';
import { AppError, invalidField } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { lockCompany } from '../../company/member.sql.ts';
import type { Shop } from '../../shop.ts';
import { findMethod, type PaymentMethod } from '../methods/method-table.ts';
import { isSwitchedOn } from '../methods/methods.ts';
import type { Provider } from '../providers/base/provider.ts';
import {
  deleteRefusal,
  deleteRoute,
  insertRefusal,
  upsertFailsOver,
  upsertMethodSwitch,
  upsertRoute,
} from './company-choices.sql.ts';
import { readMethodSwitches, readRouting } from './read-choices.ts';

interface Choice<T> {
  kind: `payment_method.${string}`;
  objectId?: string;
  /** What the audit log calls it. */
  name: string;
  value: T;
  read: (tx: Tx) => Promise<T>;
  write: (tx: Tx) => Promise<void>;
}

/** For all games of the company, and on record. Pages know within seconds; a payment that has begun goes on as it is. */
const choose = <T extends string | boolean | null>(
  { db }: Pick<Shop, 'db'>,
  actor: Actor,
  companyId: string,
  choice: Choice<T>,
): Promise<void> =>
  db.transaction(async tx => {
    const { kind, objectId, name, value, read, write } = choice;
    await lockCompany(tx, companyId);
    const before = await read(tx);
    if (before === value) return;
    await write(tx);
    writeAudit(tx, actor, { companyId, kind, objectId, before: { [name]: before }, after: { [name]: value } });
  });

export async function switchMethod(
  shop: Pick<Shop, 'db'>,
  actor: Actor,
  { companyId, method: id, enabled }: { companyId: string; method: string; enabled: boolean },
): Promise<PaymentMethod> {
  const method = findMethod(id);
  if (!method) throw new AppError('not_found');
  if (!method.canSwitchOff && !enabled)
    throw invalidField('/enabled', 'cannot_be_switched_off', reasons.text('en', 'choice.fixed'));
  await choose(shop, actor, companyId, {
    kind: 'payment_method.switched',
    objectId: id,
    name: 'enabled',
    value: enabled,
    read: async tx => isSwitchedOn(method, await readMethodSwitches(tx, companyId)),
    write: tx => upsertMethodSwitch(tx, companyId, id, enabled),
  });
  return method;
}

interface RouteMethod {
  providers: readonly Pick<Provider, 'name' | 'abilities'>[];
  companyId: string;
  method: string;
  /** Null: the first that can take it. */
  provider: string | null;
}

export async function routeMethod(
  shop: Pick<Shop, 'db'>,
  actor: Actor,
  { providers, companyId, method, provider }: RouteMethod,
): Promise<void> {
  if (!findMethod(method)) throw new AppError('not_found');
  const wanted = providers.find(({ name }) => name === provider);
  if (provider !== null && !wanted?.abilities.methods.has(method))
    throw invalidField('/route', 'enum', reasons.text('en', 'choice.not_taken'));
  await choose(shop, actor, companyId, {
    kind: 'payment_method.routed',
    objectId: method,
    name: 'provider',
    value: provider,
    read: async tx => (await readRouting(tx, companyId)).routes.get(method) ?? null,
    write: tx =>
      provider === null ? deleteRoute(tx, companyId, method) : upsertRoute(tx, companyId, method, provider),
  });
}

interface RefuseTaker {
  providers: readonly Pick<Provider, 'name' | 'abilities'>[];
  companyId: string;
  method: string;
  provider: string;
  /** False: the method is never taken by this provider, whatever the others do. */
  isOn: boolean;
}

export async function switchTaker(
  shop: Pick<Shop, 'db'>,
  actor: Actor,
  { providers, companyId, method, provider, isOn }: RefuseTaker,
): Promise<void> {
  if (!findMethod(method)) throw new AppError('not_found');
  if (!providers.find(({ name }) => name === provider)?.abilities.methods.has(method))
    throw invalidField('/taker/provider', 'enum', reasons.text('en', 'choice.not_taken'));
  await choose(shop, actor, companyId, {
    kind: 'payment_method.taker_switched',
    objectId: method,
    name: provider,
    value: isOn,
    read: async tx => !(await readRouting(tx, companyId)).refusals.get(method)?.has(provider),
    write: tx => (isOn ? deleteRefusal : insertRefusal)(tx, companyId, method, provider),
  });
}

export const switchFailOver = (
  shop: Pick<Shop, 'db'>,
  actor: Actor,
  { companyId, failsOver }: { companyId: string; failsOver: boolean },
): Promise<void> =>
  choose(shop, actor, companyId, {
    kind: 'payment_method.fail_over_switched',
    name: 'fails_over',
    value: failsOver,
    read: async tx => (await readRouting(tx, companyId)).failsOver,
    write: tx => upsertFailsOver(tx, companyId, failsOver),
  });
