import type { GatewayAbilities } from './methods/methods.ts';
import type { Gateway } from './providers/base/gateway.ts';
import type { PageForm } from './providers/base/provider.ts';

/** A connection that takes money of a live environment, and what a page must know so that the browser can talk to it. */
export interface LiveProvider {
  gateway: Gateway;
  abilities: GatewayAbilities;
  /** The provider's own form in the page; null: what it takes needs none. */
  form: PageForm | null;
  /** Keys of the provider's test mode: no real money moves, and the page says so. */
  isTest: boolean;
  /** The simulator in a provider's place: the page shows its test cards. */
  isSimulated: boolean;
  /** It has not answered for minutes. */
  isSilent: boolean;
}

/** Who takes the money of a live environment, method by method. */
export interface LiveRouting {
  /** In the order in which they are asked whether they can. At least one. */
  providers: readonly LiveProvider[];
  /** The company's own choice: method → name of the provider. */
  routes: ReadonlyMap<string, string>;
  /** A connection that does not answer is passed over where another can. */
  failsOver: boolean;
}

/** Null: the company has connected no provider yet. A few seconds old at most. */
export type FindLiveRouting = (environmentId: string) => Promise<LiveRouting | null>;
