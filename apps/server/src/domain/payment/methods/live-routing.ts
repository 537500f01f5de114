import type { Gateway } from '../providers/base/gateway.ts';
import type { PageForm } from '../providers/base/provider.ts';
import { METHODS, type PaymentMethod } from './method-table.ts';
import { type GatewayAbilities, likeliestFirst, type MethodFacts, type NoMethod, offerMethods } from './methods.ts';
import { type RoutingRule, ruledTaker } from './routing-rules.ts';

/** A connection that takes money of a live environment, and what a page must know so that the browser can talk to it. */
export interface LiveProvider {
  gateway: Gateway;
  /** Which account at the provider; absent: it has none, as the simulator. */
  account?: { id: string; label: string | null };
  /** The only currencies that the company wants it to take; absent or null: all. */
  currencies?: ReadonlySet<string> | null;
  abilities: GatewayAbilities;
  /** The provider's own form in the page; null: what it takes needs none. */
  form: PageForm | null;
  /** Keys of the provider's test mode: no real money moves, and the page says so. */
  isTest: boolean;
  /** The simulator in a provider's place: the page shows its test cards. */
  isSimulated: boolean;
  /** It has not answered for minutes. */
  isSilent: boolean;
  /** Its provider refuses its keys, or takes no payments for it: every payment would be declined. */
  isRefused?: boolean;
  /** What the provider says that this account cannot take. */
  unavailable?: ReadonlySet<string>;
}

/** Who takes the money of a live environment, method by method. */
export interface LiveRouting {
  /** In the order in which they are asked whether they can. At least one; a provider is there once for each account. */
  providers: readonly LiveProvider[];
  /** Whose game it is, for rules by game. */
  gameId?: string;
  /** The company's own choice: method → name of the provider. */
  routes: ReadonlyMap<string, string>;
  /** By which providers the company does not want a method to be taken: method → their names. */
  refusals?: ReadonlyMap<string, ReadonlySet<string>>;
  /** The company's list, which comes before its choice for a method. */
  rules?: readonly RoutingRule[];
  /** A connection that does not answer is passed over where another can. */
  failsOver: boolean;
}

/** Null: the company has connected no provider yet. A few seconds old at most. */
export type FindLiveRouting = (environmentId: string) => Promise<LiveRouting | null>;

export interface RoutedMethod extends PaymentMethod {
  by: LiveProvider;
  /** Who is asked once in the same click if that connection is down and has reserved nothing; null: there is none. */
  fallback?: LiveProvider | null;
}

export type RoutedOffer = { methods: RoutedMethod[] } | { missing: NoMethod };

export type RoutingFacts = Omit<MethodFacts, 'abilities'>;

const isOwn = ({ id, by }: RoutedMethod): boolean => by.abilities.ownMethods?.has(id) ?? false;

/**
 * By the company's rules, else by its choice for the method, else by the provider that runs the method itself, else by the first that can. A connection that
 * can take no payment comes last, and so does one that is silent where the company wants that. Null: a rule keeps the method
 * from being offered.
 */
function choose(
  candidates: readonly RoutedMethod[],
  { routes, rules = [], failsOver, gameId }: LiveRouting,
  facts: RoutingFacts,
): RoutedMethod | null {
  const isRouted = ({ id, by }: RoutedMethod): boolean => routes.get(id) === by.gateway.name;
  const isDown = ({ by }: RoutedMethod): boolean => (by.isRefused ?? false) || (failsOver && by.isSilent);
  const pick = (among: readonly RoutedMethod[]) => among.find(isRouted) ?? among.find(isOwn) ?? among[0];
  const able = candidates.filter(candidate => !isDown(candidate));
  const among = able.length > 0 ? able : candidates;
  const takerOf = (name: string, account: string | null) =>
    among.find(({ by }) => by.gateway.name === name && (account === null || by.account?.id === account));
  const ruled = ruledTaker(rules, { ...facts, game: gameId ?? null, method: candidates[0]!.id }, takerOf);
  if (ruled === 'not_offered') return null;
  const chosen = ruled ?? pick(among)!;
  if (!failsOver) return chosen;
  // What was typed into a provider's form is good for that provider alone: only where the player leaves can another go on.
  const others = able.filter(({ by, leavesPage }) => by !== chosen.by && leavesPage);
  // Another account of a provider that is down is down as well, so that another provider is asked first.
  const next = pick(others.filter(({ by }) => by.gateway.name !== chosen.by.gateway.name)) ?? pick(others);
  return { ...chosen, fallback: next?.by ?? null };
}

/** What a connection can take, without what its account or the company rules out. */
function openAbilities({ abilities, unavailable, gateway }: LiveProvider, { refusals }: LiveRouting): GatewayAbilities {
  const isOpen = (id: string): boolean => !unavailable?.has(id) && !refusals?.get(id)?.has(gateway.name);
  const methods = new Set([...abilities.methods].filter(isOpen));
  return methods.size === abilities.methods.size ? abilities : { ...abilities, methods };
}

/** Whether the company wants this account to take the currency. */
const isInScope = ({ currencies }: LiveProvider, { currency }: RoutingFacts): boolean =>
  currencies?.has(currency) ?? true;

/** Near misses first: what the player or the studio could do something about. */
const NEAREST: readonly NoMethod[] = ['amount_low', 'amount_high', 'amount_not_exact', 'method', 'currency'];

/** What a player sees, each method by one connection; or why there is nothing to see. */
export function routeMethods(routing: LiveRouting, facts: RoutingFacts): RoutedOffer {
  const byMethod = new Map<string, RoutedMethod[]>();
  const missing = new Set<NoMethod>();
  for (const by of routing.providers) {
    if (!isInScope(by, facts)) {
      missing.add('currency');
      continue;
    }
    const offer = offerMethods({ ...facts, abilities: openAbilities(by, routing) });
    if ('missing' in offer) missing.add(offer.missing);
    else
      for (const method of offer.methods)
        byMethod.set(method.id, [...(byMethod.get(method.id) ?? []), { ...method, by }]);
  }
  const inOrder = METHODS.map(({ id }) => byMethod.get(id)).filter(candidates => candidates !== undefined);
  const chosen = inOrder.map(candidates => choose(candidates, routing, facts));
  const methods = chosen.filter(method => method !== null);
  if (methods.length > 0) return { methods: likeliestFirst(methods, facts.country) };
  return { missing: NEAREST.find(reason => missing.has(reason)) ?? 'method' };
}

export const SIMULATED_LIVE_ABILITIES: GatewayAbilities = {
  currencies: null,
  amountRange: () => ({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  amountStep: () => 1,
  changes: {},
  methods: new Set(METHODS.map(({ id }) => id)),
  savesMethods: true,
};

/** LIVE_GATEWAY=simulator: all of live, for every company, without a provider. Never in production. */
export function simulatedProvider(gateway: Gateway): FindLiveRouting {
  const abilities = SIMULATED_LIVE_ABILITIES;
  const provider = { gateway, abilities, form: null, isTest: true, isSimulated: true, isSilent: false };
  return async () => ({ providers: [provider], routes: new Map(), failsOver: false });
}
