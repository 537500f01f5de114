import type { AttentionCode, AttentionItem } from '@coinslot/contract';

/** What is to be done: bring the game to answer, answer the bank, or decide about the money. */
const GROUPS = ['bank', 'money', 'game'] as const;
export type AttentionGroup = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<AttentionCode, AttentionGroup>> = {
  dispute_open: 'bank',
  dispute_unclear: 'bank',
  fraud_warning: 'bank',
  capture_refused: 'money',
  refund_refused: 'money',
  refund_failed: 'money',
  amount_differs: 'money',
  provider_error: 'money',
  grant_unanswered: 'game',
  removal_unanswered: 'game',
};

export interface GroupedItems {
  group: AttentionGroup;
  items: AttentionItem[];
  /** Those that can all be asked for again at once. */
  askable: AttentionItem[];
}

/** The groups that have something in them, those with a deadline of the bank first. */
export const groupItems = (items: readonly AttentionItem[]): GroupedItems[] =>
  GROUPS.map(group => {
    const own = items.filter(({ attention }) => attention !== null && GROUP_OF[attention.code] === group);
    return { group, items: own, askable: own.filter(({ actions }) => actions.includes('ask_again')) };
  }).filter(({ items: own }) => own.length > 0);
