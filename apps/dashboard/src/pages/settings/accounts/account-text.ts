import type { CompanyLine, ProviderConnection } from '@coinslot/contract';
import { t } from '../../../texts/texts.ts';

/** The label if the company gave one, otherwise what the provider calls the account. */
export const accountName = (one: {
  label: string | null;
  display_name: string | null;
  account_id: string | null;
}): string => one.label ?? one.display_name ?? one.account_id ?? t('provider.account');

/** Names the account in a request. The account from the installation's settings has no ID. */
export const accountQuery = ({ account_id }: { account_id: string | null }): { account_id?: string } =>
  account_id === null ? {} : { account_id };

/** Which payments an account takes, in one line. */
export function scopeText(
  { games, currencies }: Pick<ProviderConnection, 'games' | 'currencies'>,
  known: CompanyLine['games'],
): string {
  const named = games?.map(id => known.find(game => game.id === id)?.name ?? id);
  return [...(named ?? []), ...(currencies ?? [])].join(', ') || t('provider.scopeAll');
}
