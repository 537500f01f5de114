import type { GrantState } from '@coinslot/contract';
import type { OpenGrant } from './open-grants.sql.ts';

/** Why the game has not answered yet. */
export function grantState({ status, attemptsMade, lastError, isClaimed }: OpenGrant): GrantState {
  if (status === 'held') return 'no_endpoint';
  if (status === 'blocked') return 'blocked';
  return lastError !== null || attemptsMade > (isClaimed ? 1 : 0) ? 'failing' : 'waiting';
}

/** Without an endpoint it cannot be sent; only money that was not returned yet can be released. */
export const grantActions = ({ status, kind, orderStatus }: OpenGrant): ('retry' | 'release')[] => [
  ...(status === 'pending' ? (['retry'] as const) : []),
  ...(kind === 'item.add' && orderStatus === 'authorized' ? (['release'] as const) : []),
];
