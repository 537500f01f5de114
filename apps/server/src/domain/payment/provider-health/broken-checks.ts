import type { ConnectionCheck, DashboardLocale } from '@coinslot/contract';
import type { Check } from '../providers/base/provider.ts';

/** As it is kept: with what to do in every language. */
export interface KeptCheck extends Check {
  broken: boolean;
}

const keyOf = ({ check, about }: Pick<Check, 'check' | 'about'>): string => `${check} ${about ?? ''}`;

/**
 * What needs a studio member: whatever fails, and what is not offered any more although it was. A method that was never ready
 * is shown, and waits for the member who wants it.
 */
export function brokenChecks(before: readonly KeptCheck[], now: readonly Check[]): KeptCheck[] {
  const worked = new Set(before.filter(({ state, broken }) => state === 'ok' || broken).map(keyOf));
  return now.map(check => ({
    ...check,
    broken: check.state === 'failed' || (check.state === 'warning' && worked.has(keyOf(check))),
  }));
}

/** What a test found, in the language of the member who looks. */
export const checkViews = (checks: readonly KeptCheck[], language: DashboardLocale): ConnectionCheck[] =>
  checks.map(check => ({ ...check, advice: check.advice?.[language] ?? null }));
