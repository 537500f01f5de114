import type { Provider } from '../gateways/provider.ts';
import type { FindLiveProvider } from '../live-provider.ts';
import type { ProviderDirectory } from './provider-directory.ts';

/** What a page needs of the account that takes its money: never a secret. */
export const findConnectedProvider =
  (directory: Pick<ProviderDirectory, 'recent'>, { gateway, abilities, pageForm }: Provider): FindLiveProvider =>
  async environmentId => {
    const account = await directory.recent(environmentId);
    return account && { gateway, abilities, form: pageForm(account), isTest: account.isTest };
  };
