/** One line of the company's list: for these payments this provider, or no offer at all. What is null holds for all. */
export interface RoutingRule {
  countries: readonly string[] | null;
  currencies: readonly string[] | null;
  methods: readonly string[] | null;
  /** Minor units of the one currency that the rule names, both ends included. */
  minMinor: number | null;
  maxMinor: number | null;
  /** Null: the method is not offered. */
  provider: string | null;
}

export interface RuledPayment {
  method: string;
  /** Null: unknown, so that a rule for countries does not match. */
  country: string | null;
  currency: string;
  amountMinor: number;
}

const names = (list: readonly string[] | null, value: string | null): boolean =>
  list === null || (value !== null && list.includes(value));

const matches = (rule: RoutingRule, { method, country, currency, amountMinor }: RuledPayment): boolean =>
  names(rule.methods, method) &&
  names(rule.countries, country) &&
  names(rule.currencies, currency) &&
  amountMinor >= (rule.minMinor ?? 0) &&
  amountMinor <= (rule.maxMinor ?? Number.POSITIVE_INFINITY);

/**
 * What the rules say, read from the first to the last: the first that matches and names a provider that can take the payment
 * decides. Null: none does.
 */
export function ruledProvider(
  rules: readonly RoutingRule[],
  payment: RuledPayment,
  canTake: (provider: string) => boolean,
): { provider: string | null } | null {
  const decides = ({ provider }: RoutingRule): boolean => provider === null || canTake(provider);
  return rules.find(rule => matches(rule, payment) && decides(rule)) ?? null;
}
