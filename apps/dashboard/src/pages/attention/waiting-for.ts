import type { Attention, AttentionItem } from '@coinslot/contract';

export type WaitingFor = 'game' | 'webhook' | 'bank' | 'bankSilent' | 'provider' | 'member';

/** Says who has to act next. With a date, Coinslot checks again by itself. */
export function waitingFor({ code, next_check_at: at }: Pick<Attention, 'code' | 'next_check_at'>): WaitingFor {
  if (code === 'grant_unanswered') return at === null ? 'webhook' : 'game';
  if (code === 'dispute_open' || code === 'dispute_unclear') return at === null ? 'bankSilent' : 'bank';
  return at === null ? 'member' : 'provider';
}

/** The result that a member reads after checking again. A game answers later, a provider has answered already. */
export function recheckResult(before: AttentionItem, after: AttentionItem): 'done' | 'game' | 'still' {
  if (after.attention === null) return 'done';
  return before.attention?.code.endsWith('_unanswered') ? 'game' : 'still';
}
