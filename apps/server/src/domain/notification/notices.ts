import type { DisabledFacts, ExhaustedFacts, ReviewFacts } from './receipt.sql.ts';
import type { NoticeView } from './render-notice.ts';

export function exhaustedNotice(facts: ExhaustedFacts): NoticeView {
  const isAdd = facts.eventType === 'item.add';
  const outcome = isAdd
    ? 'The items were not granted, and money that was reserved for them is released.'
    : 'The player got the money back and may still have the items.';
  const answer = facts.lastStatus === null ? (facts.lastError ?? 'none') : `HTTP ${facts.lastStatus}`;
  return {
    gameName: facts.gameName,
    sandbox: facts.mode === 'sandbox',
    heading: isAdd ? 'Grants are failing' : 'Removals are failing',
    paragraphs: [
      `Your game did not accept ${facts.eventType} for order ${facts.orderId} after ${facts.attempts} attempts. ${outcome}`,
      'Other orders may be affected. This message comes at most once an hour; the delivery log has every attempt.',
    ],
    facts: [
      { label: 'Order', value: facts.orderId },
      { label: 'Endpoint', value: facts.url ?? 'none registered' },
      { label: 'Last answer', value: answer },
    ],
  };
}

export const disabledNotice = (facts: DisabledFacts): NoticeView => ({
  gameName: facts.gameName,
  sandbox: facts.mode === 'sandbox',
  heading: 'A webhook was switched off',
  paragraphs: [
    `${facts.reason ?? 'The endpoint was disabled.'} Nothing more is sent there.`,
    'Its events are held and will be delivered when the webhook is enabled again.',
  ],
  facts: [{ label: 'Endpoint', value: facts.url }],
});

export const reviewNotice = (facts: ReviewFacts): NoticeView => ({
  gameName: facts.gameName,
  sandbox: facts.mode === 'sandbox',
  heading: 'A payment waits for your decision',
  paragraphs: [
    `${facts.problem} Nothing more happens to it until somebody accepts it or gives the money back, on its page in the dashboard.`,
    'Others may wait too. This message comes at most once an hour; the home page of the dashboard counts them.',
  ],
  facts: [
    { label: 'Payment', value: facts.paymentId },
    { label: 'Order', value: facts.orderId },
  ],
});
