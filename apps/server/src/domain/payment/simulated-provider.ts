import type { Gateway } from './gateways/gateway.ts';
import type { FindLiveProvider } from './live-provider.ts';
import { SIMULATED_LIVE_ABILITIES } from './method-abilities.ts';

/** LIVE_GATEWAY=simulator: all of live, for every company, without a provider. Never in production. */
export const simulatedProvider =
  (gateway: Gateway): FindLiveProvider =>
  async () => ({ gateway, abilities: SIMULATED_LIVE_ABILITIES, form: null, isTest: true });
