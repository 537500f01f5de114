import type { Db } from '../../../db/db.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { Environment } from '../../game/environment.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { SETTINGS_ACCOUNT, type StripeAccount } from '../gateways/stripe/stripe-account.ts';
import { createStripeClients } from '../gateways/stripe/stripe-client.ts';
import { createStripeGateway } from '../gateways/stripe/stripe-gateway.ts';
import { findStripeProvider } from './find-live-provider.ts';
import { createProviderDirectory } from './provider-directory.ts';

export interface StripeSettings {
  keys: { secretKey: string; publishableKey: string; callbackSecret: string | null } | undefined;
  apiBase: string;
  scriptUrl: string;
}

export interface StripePartsOptions {
  settings: StripeSettings;
  version: string;
  db: Db;
  /** The provider's own connections. */
  providerDb: Db;
  seal: Seal;
  environmentOf: (environmentId: string) => Promise<Environment | null>;
  watch: (gateway: Gateway) => Gateway;
}

const fromSettings = ({ keys }: StripeSettings): StripeAccount | null =>
  keys ? { accountId: SETTINGS_ACCOUNT, isTest: keys.secretKey.split('_')[1] === 'test', ...keys } : null;

/** Stripe as the program uses it. Nothing of it is loaded before the first live payment. */
export function createStripeParts(options: StripePartsOptions) {
  const { settings, version, db, providerDb, seal, environmentOf, watch } = options;
  const clients = createStripeClients({ apiBase: settings.apiBase, version });
  const own = fromSettings(settings);
  const directory = createProviderDirectory({ db, seal, environmentOf, fromSettings: own });
  const gateway = watch(createStripeGateway({ db: providerDb, seal, clients, accounts: directory }));
  return {
    gateway,
    clients,
    directory,
    fromSettings: own,
    findProvider: findStripeProvider(directory, gateway, settings.scriptUrl),
  };
}

export type StripeParts = ReturnType<typeof createStripeParts>;
