import type { Seal } from '../../../kit/seal.ts';
import type { OpenedAccount } from '../providers/base/provider.ts';
import type { ProviderAccount } from './provider-account.sql.ts';

/** Binds a sealed secret to its row: copied to another company it cannot be opened. */
export const secretKeyContext = (companyId: string, accountId: string): string =>
  `provider_accounts.secret_key ${companyId} ${accountId}`;

export const callbackContext = (companyId: string, accountId: string): string =>
  `provider_accounts.callback_secret ${companyId} ${accountId}`;

/** Of what a browser needs to finish a charge. */
export const chargeSecretContext = (environmentId: string, paymentId: string): string =>
  `provider_charges.client_secret ${environmentId} ${paymentId}`;

/** Null when the keys are erased. */
export function openAccount(seal: Seal, row: ProviderAccount): OpenedAccount | null {
  const { companyId, accountId, secretKeySealed, callbackSecretSealed, publishableKey, isTest } = row;
  if (!secretKeySealed) return null;
  return {
    accountId,
    secretKey: seal.open(secretKeySealed, secretKeyContext(companyId, accountId)),
    publishableKey,
    callbackSecret: callbackSecretSealed && seal.open(callbackSecretSealed, callbackContext(companyId, accountId)),
    isTest,
  };
}

/** One address for each account. Null: of the account that came with the program's settings. */
export const callbackUrl = (
  publicUrl: string,
  provider: string,
  account: { companyId: string; accountId: string } | null,
): string => {
  const own = account === null ? '' : `/${account.companyId}/${encodeURIComponent(account.accountId)}`;
  return `${publicUrl}/gateways/${provider}${own}`;
};
