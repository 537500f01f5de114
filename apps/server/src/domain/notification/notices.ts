import type { AttentionCode } from '@coinslot/contract';
import type { AttentionFacts, ConnectionFacts, DisabledFacts, EvidenceFacts, ExhaustedFacts } from './receipt.sql.ts';
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

const HEADINGS: Record<AttentionCode, string> = {
  grant_unanswered: 'The game does not answer',
  capture_refused: 'A capture was refused',
  refund_refused: 'A refund was refused',
  refund_failed: 'A refund failed at the bank',
  amount_differs: 'An amount does not fit its order',
  dispute_open: 'A bank disputes a payment',
  dispute_unclear: 'A dispute is unclear',
  provider_error: 'The payment provider has a problem',
};

export const attentionNotice = (facts: AttentionFacts): NoticeView => ({
  gameName: facts.gameName,
  sandbox: facts.mode === 'sandbox',
  heading: `${HEADINGS[facts.code]}: it needs your attention`,
  paragraphs: [
    `${facts.detail} The dashboard lists what needs attention, what happens next and what you can do.`,
    'Other payments may be affected. This message comes at most once an hour for each cause.',
  ],
  facts: [
    { label: 'Payment', value: facts.paymentId },
    { label: 'Order', value: facts.orderId },
  ],
});

export const evidenceNotice = (facts: EvidenceFacts): NoticeView => ({
  gameName: facts.gameName,
  sandbox: facts.mode === 'sandbox',
  heading: 'The evidence in a dispute was not accepted',
  paragraphs: [
    `${facts.reason} The bank has not heard your side.`,
    'The dispute page shows what the provider said and whether evidence can still be sent.',
  ],
  facts: [
    { label: 'Payment', value: facts.paymentId },
    { label: 'Code', value: facts.code },
  ],
});

export const connectionNotice = ({ gameName, provider, advice }: ConnectionFacts): NoticeView => ({
  gameName,
  sandbox: false,
  heading: 'The connection to the payment provider needs your attention',
  paragraphs: [
    'The daily test of the connection found what did not fail before.',
    ...advice,
    'The dashboard shows every check, with a guide for each, until it works again.',
  ],
  facts: [{ label: 'Provider', value: provider }],
});
