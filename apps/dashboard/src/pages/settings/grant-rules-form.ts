import type { GrantRules } from '@coinslot/contract';
import type { RequestOf } from '../../kit/api.ts';
import { numberOf } from '../../kit/money.ts';
import type { Mode } from '../../kit/use-env.ts';

/** The delays that the select offers, in seconds. */
export const RELEASES = [300, 900, 3_600, 21_600, 86_400] as const;

export interface GrantRulesFields {
  /** Empty for the default. */
  releaseSeconds: string;
  price: string;
  currency: string;
}

export const grantRulesForm = (rules: GrantRules): GrantRulesFields => ({
  releaseSeconds: rules.release_grant_after_seconds?.toString() ?? '',
  price: rules.default_price?.price_decimal.toString() ?? '',
  currency: rules.default_price?.currency ?? 'USD',
});

/** The API accepts values that the select does not offer. */
export const isListed = (releaseSeconds: string): boolean =>
  releaseSeconds === '' || RELEASES.some(seconds => String(seconds) === releaseSeconds);

/** Only the sandbox has a default price, and there it is required. */
export const isGrantRulesFormValid = ({ price }: GrantRulesFields, mode: Mode): boolean =>
  mode === 'live' || numberOf(price) !== null;

type Input = RequestOf<'PATCH /dashboard/api/games/{game_id}/{mode}/grant-rules'>['body'];

export function grantRulesInput({ releaseSeconds, price, currency }: GrantRulesFields, mode: Mode): Input {
  const value = numberOf(price);
  return {
    release_grant_after_seconds: releaseSeconds === '' ? null : Number(releaseSeconds),
    ...(mode === 'sandbox' && value !== null && { default_price: { price_decimal: value, currency } }),
  };
}
