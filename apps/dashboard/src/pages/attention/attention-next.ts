import type { Attention, AttentionItem } from '@coinslot/contract';

export type Next = 'game' | 'webhook' | 'bank' | 'bankSilent' | 'provider' | 'member';

/** Who moves next. A date says that Coinslot goes on by itself; without one it waits for what is named. */
export function nextOf({ code, next_check_at: at }: Pick<Attention, 'code' | 'next_check_at'>): Next {
  if (code === 'grant_unanswered') return at === null ? 'webhook' : 'game';
  if (code === 'dispute_open' || code === 'dispute_unclear') return at === null ? 'bankSilent' : 'bank';
  return at === null ? 'member' : 'provider';
}

/** What a member reads after asking again: the game answers later, the provider has answered. */
export function answerOf(before: AttentionItem, after: AttentionItem): 'done' | 'game' | 'still' {
  if (after.attention === null) return 'done';
  return before.attention?.code === 'grant_unanswered' ? 'game' : 'still';
}
