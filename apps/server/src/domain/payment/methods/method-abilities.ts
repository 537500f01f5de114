import type { FindLiveRouting, LiveProvider } from '../live-provider.ts';
import type { Gateway } from '../providers/base/gateway.ts';
import { METHODS } from './method-table.ts';
import type { GatewayAbilities } from './methods.ts';

const ALL = new Set(METHODS.map(({ id }) => id));

const ANY_AMOUNT: Pick<GatewayAbilities, 'amountRange' | 'amountStep'> = {
  amountRange: () => ({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  amountStep: () => 1,
};

/** Sandbox: cards only, and nothing is kept for the next time. */
export const SANDBOX_ABILITIES: GatewayAbilities = {
  methods: new Set(['card']),
  savesMethods: false,
  currencies: null,
  ...ANY_AMOUNT,
  changes: {},
};

/** All of live without a provider: see LIVE_GATEWAY. */
export const SIMULATED_LIVE_ABILITIES: GatewayAbilities = {
  methods: ALL,
  savesMethods: true,
  currencies: null,
  ...ANY_AMOUNT,
  changes: {},
};

/** LIVE_GATEWAY=simulator: all of live, for every company, without a provider. Never in production. */
export const simulatedProvider =
  (gateway: Gateway): FindLiveRouting =>
  async () => ({ providers: [simulatedLive(gateway)], routes: new Map(), failsOver: false });

export const simulatedLive = (gateway: Gateway): LiveProvider => ({
  gateway,
  abilities: SIMULATED_LIVE_ABILITIES,
  form: null,
  isTest: true,
  isSimulated: true,
  isSilent: false,
});
