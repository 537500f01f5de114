import type { LiveProvider, LiveRouting } from '../live-provider.ts';
import { METHODS, type PaymentMethod } from './method-table.ts';
import { likeliestFirst, type MethodFacts, type NoMethod, offerMethods } from './methods.ts';

/** A method that a player may pay with, and who takes the money. */
export interface RoutedMethod extends PaymentMethod {
  by: LiveProvider;
}

export type RoutedOffer = { methods: RoutedMethod[] } | { missing: NoMethod };

export type RoutingFacts = Omit<MethodFacts, 'abilities'>;

/** By the company's choice, else the first that can; one that is silent comes last where the company wants that. */
function choose(candidates: readonly RoutedMethod[], { routes, failsOver }: LiveRouting): RoutedMethod {
  const [first] = candidates;
  const chosen = candidates.find(({ id, by }) => routes.get(id) === by.gateway.name) ?? first!;
  if (!failsOver || !chosen.by.isSilent) return chosen;
  return candidates.find(({ by }) => !by.isSilent) ?? chosen;
}

/** Near misses first: what the player or the studio could do something about. */
const NEAREST: readonly NoMethod[] = ['amount_low', 'amount_high', 'amount_not_exact', 'method', 'currency'];

/** What a player sees, each method by one connection; or why there is nothing to see. */
export function routeMethods(routing: LiveRouting, facts: RoutingFacts): RoutedOffer {
  const byMethod = new Map<string, RoutedMethod[]>();
  const missing = new Set<NoMethod>();
  for (const by of routing.providers) {
    const offer = offerMethods({ ...facts, abilities: by.abilities });
    if ('missing' in offer) missing.add(offer.missing);
    else
      for (const method of offer.methods)
        byMethod.set(method.id, [...(byMethod.get(method.id) ?? []), { ...method, by }]);
  }
  const inOrder = METHODS.map(({ id }) => byMethod.get(id)).filter(candidates => candidates !== undefined);
  const methods = inOrder.map(candidates => choose(candidates, routing));
  if (methods.length > 0) return { methods: likeliestFirst(methods, facts.country) };
  return { missing: NEAREST.find(reason => missing.has(reason)) ?? 'method' };
}
