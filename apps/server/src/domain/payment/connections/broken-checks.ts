import type { ConnectionCheck } from '@coinslot/contract';
import type { Check } from '../gateways/provider.ts';

const keyOf = ({ check, about }: Pick<Check, 'check' | 'about'>): string => `${check} ${about ?? ''}`;

/**
 * What needs a studio member: whatever fails, and what is not offered any more although it was. A method that was never ready
 * is shown, and waits for the member who wants it.
 */
export function brokenChecks(before: readonly ConnectionCheck[], now: readonly Check[]): ConnectionCheck[] {
  const worked = new Set(before.filter(({ state, broken }) => state === 'ok' || broken).map(keyOf));
  return now.map(check => ({
    ...check,
    broken: check.state === 'failed' || (check.state === 'warning' && worked.has(keyOf(check))),
  }));
}
