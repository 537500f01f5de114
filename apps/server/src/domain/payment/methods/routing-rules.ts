/** One line of the company's list: for these payments this provider or account, or no offer at all. What is null holds for all. */
export interface RoutingRule {
  /** Their ids. */
  games: readonly string[] | null;
  countries: readonly string[] | null;
  currencies: readonly string[] | null;
  methods: readonly string[] | null;
  /** Minor units of the one currency that the rule names, both ends included. */
  minMinor: number | null;
  maxMinor: number | null;
  /** Null: the method is not offered. */
  provider: string | null;
  /** Which of the provider's accounts; null: whichever its own scope makes the first. */
  account: string | null;
}

export interface RuledPayment {
  /** Null: unknown, so that a rule for games does not match. */
  game: string | null;
  method: string;
  /** Null: unknown, so that a rule for countries does not match. */
  country: string | null;
  currency: string;
  amountMinor: number;
}

const names = (list: readonly string[] | null, value: string | null): boolean =>
  list === null || (value !== null && list.includes(value));

const matches = (rule: RoutingRule, { game, method, country, currency, amountMinor }: RuledPayment): boolean =>
  names(rule.games, game) &&
  names(rule.methods, method) &&
  names(rule.countries, country) &&
  names(rule.currencies, currency) &&
  amountMinor >= (rule.minMinor ?? 0) &&
  amountMinor <= (rule.maxMinor ?? Number.POSITIVE_INFINITY);

/**
 * What the rules say, read from the first to the last: the first that matches and names who can take the payment decides.
 * Null: none does.
 */
export function ruledTaker<Taker>(
  rules: readonly RoutingRule[],
  payment: RuledPayment,
  takerOf: (provider: string, account: string | null) => Taker | undefined,
): Taker | 'not_offered' | null {
  for (const rule of rules) {
    if (!matches(rule, payment)) continue;
    if (rule.provider === null) return 'not_offered';
    const taker = takerOf(rule.provider, rule.account);
    if (taker) return taker;
  }
  return null;
}
