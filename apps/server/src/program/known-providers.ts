import type { Db } from '../db/db.ts';
import type { KnownProvider } from '../domain/payment/merchant-accounts/merchant-accounts.ts';
import type { Refusal } from '../domain/payment/providers/base/charge-shape.ts';
import type { ChargeRef, Gateway } from '../domain/payment/providers/base/gateway.ts';
import type { Accounts, OnAnswer, Provider, ProviderKeys } from '../domain/payment/providers/base/provider.ts';
import { createMollieProvider } from '../domain/payment/providers/mollie/mollie-provider.ts';
import { createPaypalProvider } from '../domain/payment/providers/paypal/paypal-provider.ts';
import { createStripeProvider } from '../domain/payment/providers/stripe/stripe-provider.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { Seal } from '../kit/seal.ts';
import type { Config } from '../settings/config.ts';

interface ProviderParts {
  config: Config;
  version: string;
  db: Db;
  seal: Seal;
  watchGateway: (gateway: Gateway) => Gateway;
  onRefusal: (ref: ChargeRef, refusal: Refusal) => void;
  onAnswer?: OnAnswer;
}

interface AnySettings {
  keys: ProviderKeys | undefined;
  companies: string[] | undefined;
  isTest?: boolean;
}

/** What every provider is made of; each takes what it needs. */
interface MadeOf<Settings> extends Pick<ProviderParts, 'version' | 'db' | 'seal' | 'onRefusal' | 'onAnswer'> {
  settings: Settings;
  repeats: number;
  clock: Clock;
  accounts: Accounts;
  watch: (gateway: Gateway) => Gateway;
}

/** The first provider in this list that can take a payment takes it. */
export function knownProviders({ config, watchGateway, ...parts }: ProviderParts): KnownProvider[] {
  const common = { ...parts, repeats: config.providerRepeats, clock: systemClock };
  const known = <Settings extends AnySettings>(
    name: string,
    settings: Settings,
    create: (made: MadeOf<Settings>) => Provider,
  ): KnownProvider => ({
    name,
    keys: settings.keys,
    companies: settings.companies,
    ...(settings.isTest !== undefined && { isTest: settings.isTest }),
    build: (accounts, watch) =>
      create({ ...common, settings, accounts, watch: gateway => watchGateway(watch(gateway)) }),
  });
  return [
    known('stripe', config.stripe, createStripeProvider),
    known('paypal', config.paypal, createPaypalProvider),
    known('mollie', config.mollie, createMollieProvider),
  ];
}
