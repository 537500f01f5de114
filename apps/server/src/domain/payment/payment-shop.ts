import type { Environment } from '../game/environment.ts';
import type { Shop } from '../shop.ts';
import type { AttemptLimits } from './attempts/start-payment.ts';
import type { MerchantAccounts } from './merchant-accounts/merchant-accounts.ts';
import type { FindLiveRouting } from './methods/live-routing.ts';
import type { MethodSwitches } from './methods/methods.ts';
import type { Gateway } from './providers/base/gateway.ts';
import type { Simulator } from './providers/simulator/simulator.ts';

export interface PaymentShop extends Shop {
  gateways: Readonly<Record<string, Gateway>>;
  /** Takes the money in sandbox, and in live when it stands in for a provider. */
  simulator: Simulator;
  /** All of live runs without a provider. */
  isSimulated: boolean;
  merchantAccounts: MerchantAccounts;
  findLiveRouting: FindLiveRouting;
  switchesOf: (companyId: string) => Promise<MethodSwitches>;
  environmentOf: (environmentId: string) => Promise<Environment | null>;
  /** Declined attempts within an hour; the contract's when not given. */
  attemptLimits?: AttemptLimits;
}
