import type { Db } from '../db/db.ts';
import type { KnownProvider } from '../domain/payment/merchant-accounts/merchant-accounts.ts';
import type { ChargeRef, Gateway, Refusal } from '../domain/payment/providers/base/gateway.ts';
import { createPaypalProvider } from '../domain/payment/providers/paypal/paypal-provider.ts';
import { createStripeProvider } from '../domain/payment/providers/stripe/stripe-provider.ts';
import { systemClock } from '../kit/clock.ts';
import type { Seal } from '../kit/seal.ts';
import type { Config } from '../settings/config.ts';

interface ProviderParts {
  config: Config;
  version: string;
  db: Db;
  seal: Seal;
  watchGateway: (gateway: Gateway) => Gateway;
  onRefusal: (ref: ChargeRef, refusal: Refusal) => void;
}

/** The first provider in this list that can take a payment takes it. */
export function knownProviders({ config, version, watchGateway, ...parts }: ProviderParts): KnownProvider[] {
  const common = { ...parts, repeats: config.providerRepeats };
  const { stripe, paypal } = config;
  return [
    {
      name: 'stripe',
      keys: stripe.keys,
      companies: stripe.companies,
      build: (accounts, watch) =>
        createStripeProvider({
          ...common,
          settings: stripe,
          version,
          accounts,
          watch: gateway => watchGateway(watch(gateway)),
        }),
    },
    {
      name: 'paypal',
      keys: paypal.keys,
      companies: paypal.companies,
      isTest: paypal.isTest,
      build: (accounts, watch) =>
        createPaypalProvider({
          ...common,
          settings: paypal,
          version,
          clock: systemClock,
          accounts,
          watch: gateway => watchGateway(watch(gateway)),
        }),
    },
  ];
}
