import type { Gateway } from '../gateways/gateway.ts';
import type { FindLiveProvider } from '../live-provider.ts';
import { STRIPE_ABILITIES } from '../method-abilities.ts';
import type { ProviderDirectory } from './provider-directory.ts';

/** What a page needs of the account that takes its money: never a secret. */
export const findStripeProvider =
  (directory: Pick<ProviderDirectory, 'recent'>, gateway: Gateway, scriptUrl: string): FindLiveProvider =>
  async environmentId => {
    const account = await directory.recent(environmentId);
    if (!account) return null;
    const { publishableKey, isTest } = account;
    return { gateway, abilities: STRIPE_ABILITIES, form: { publishableKey, scriptUrl }, isTest };
  };
