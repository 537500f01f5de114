import type { Gateway } from './gateways/gateway.ts';
import type { PageForm } from './gateways/provider.ts';
import type { GatewayAbilities } from './methods.ts';

/** Who takes the money of a live environment, and what a page must know so that the browser can talk to it. */
export interface LiveProvider {
  gateway: Gateway;
  abilities: GatewayAbilities;
  /** The provider's own form in the page; null: our card form is enough, as with the simulator. */
  form: PageForm | null;
  /** Keys of the provider's test mode: no real money moves, and the page says so. */
  isTest: boolean;
}

/** Null: the company has connected no provider yet. A few seconds old at most. */
export type FindLiveProvider = (environmentId: string) => Promise<LiveProvider | null>;
