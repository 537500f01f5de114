import { advice } from '@coinslot/texts/advice';
import { findMethod } from '../../methods/method-table.ts';
import { clockCheck, fine, unknown, warning } from '../base/checks.ts';
import { ProviderFault } from '../base/fault.ts';
import type { AskedAccount, Check, Inspection, OpenedAccount, ProviderKeys } from '../base/provider.ts';
import { LISTED_IN, MOLLIE_ABILITIES, mollieNameOf } from './mollie-methods.ts';
import { isOrganizationToken, type MollieClient, profileOf } from './wire/mollie-client.ts';
import type { MollieMethod, MolliePage, MollieProfile } from './wire/mollie-objects.ts';

/** What 10.00 can be paid with in the currency. */
async function listMethods(client: MollieClient, keys: ProviderKeys, currency: string) {
  const query = { ...profileOf(keys), 'amount[value]': '10.00', 'amount[currency]': currency };
  return client.callDated<MolliePage<'methods', MollieMethod>>(keys, { method: 'GET', path: '/v2/methods', query });
}

/** Mollie's names of what is active. It lists what takes euros alone, unless it is asked for another currency. */
async function findActive(client: MollieClient, keys: ProviderKeys) {
  const found = await Promise.all(LISTED_IN.map(currency => listMethods(client, keys, currency)));
  const methods = found.flatMap(({ body: { _embedded: embedded } }) => embedded.methods);
  const active = methods.filter(({ status }) => status == null || status === 'activated');
  return { active: new Set(active.map(({ id }) => id)), answeredOn: found[0]!.answeredOn };
}

/** A profile is one shop of a business: it names the account. Moves nothing. */
export async function askAccount(client: MollieClient, keys: ProviderKeys): Promise<AskedAccount> {
  const path = isOrganizationToken(keys)
    ? `/v2/profiles/${encodeURIComponent(keys.publishableKey)}`
    : '/v2/profiles/me';
  try {
    const profile = await client.call<MollieProfile>(keys, { method: 'GET', path });
    if (profile.id !== keys.publishableKey) return { problem: 'provider_key_invalid' };
    const isTest = profile.mode === 'test';
    const { active } = await findActive(client, keys);
    const isActive = isTest ? profile.status !== 'blocked' : profile.status === 'verified';
    return {
      accountId: profile.id,
      isTest,
      seen: {
        country: null,
        defaultCurrency: null,
        displayName: profile.name ?? null,
        chargesEnabled: isActive,
        problemCode: isActive ? null : 'provider_account_not_active',
        said: profile.status,
        unavailableMethods: [...MOLLIE_ABILITIES.methods].filter(id => !active.has(mollieNameOf(id)!)),
      },
    };
  } catch (error) {
    if (error instanceof ProviderFault) return error.asAccountProblem();
    throw error;
  }
}

/** Only a token of the organization reads balances; payments need none. */
async function balanceCheck(client: MollieClient, account: OpenedAccount): Promise<Check> {
  const lacking = warning('permissions', advice.each('mollie.settlements'), 'settlements');
  if (!isOrganizationToken(account)) return lacking;
  try {
    await client.call(account, { method: 'GET', path: '/v2/balances/primary' });
    return fine('permissions', 'settlements');
  } catch (error) {
    if (error instanceof ProviderFault) return lacking;
    throw error;
  }
}

function methodChecks(active: ReadonlySet<string>, wanted: readonly string[]): Check[] {
  return wanted.flatMap(id => {
    const theirs = mollieNameOf(id);
    const name = findMethod(id)?.name ?? id;
    if (theirs === null) return [];
    if (MOLLIE_ABILITIES.wantAddress?.has(id)) {
      return [warning('methods', advice.each('mollie.wants_address', { method: name }), name)];
    }
    if (active.has(theirs)) return [fine('methods', name)];
    return [warning('methods', advice.each('mollie.method_off', { method: name }), name)];
  });
}

export const inspectAccount =
  (client: MollieClient) =>
  async (account: OpenedAccount, { methods, nowMs }: Inspection): Promise<Check[]> => {
    try {
      const { active, answeredOn } = await findActive(client, account);
      return [
        fine('keys'),
        await balanceCheck(client, account),
        ...methodChecks(active, methods),
        unknown('country'),
        fine('domain'),
        fine('api_version', 'v2'),
        clockCheck(answeredOn, nowMs),
      ];
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      return [unknown('methods', null, advice.each('mollie.no_answer'))];
    }
  };
