import { notices } from '@coinslot/texts/notices';
import { type MailContent, oneLine } from '../../mail/mail-content.ts';
import type { AttentionFacts, ConnectionFacts, DisabledFacts, EvidenceFacts, ExhaustedFacts } from './receipt.sql.ts';

/** A mail to the studio's people. */
export interface NoticeView {
  gameName: string;
  sandbox: boolean;
  heading: string;
  paragraphs: string[];
  facts: { label: string; value: string }[];
}

const LANGUAGE = 'en';
const say = notices.in(LANGUAGE);

export const noticeContent = ({ gameName, sandbox, heading, paragraphs, facts }: NoticeView): MailContent => ({
  subject: oneLine(say(sandbox ? 'subject_sandbox' : 'subject', { game: gameName, heading })),
  language: LANGUAGE,
  direction: 'ltr',
  sender: gameName,
  heading,
  sandboxNote: sandbox ? say('sandbox') : null,
  paragraphs,
  lines: [],
  total: null,
  facts,
  closing: [say('closing')],
});

export function exhaustedNotice(facts: ExhaustedFacts): NoticeView {
  const { gameName, mode, eventType, orderId, attempts, url, lastStatus, lastError } = facts;
  const isAdd = eventType === 'item.add';
  const outcome = say(isAdd ? 'not_granted' : 'not_removed');
  return {
    gameName,
    sandbox: mode === 'sandbox',
    heading: say(isAdd ? 'grants_failing' : 'removals_failing'),
    paragraphs: [
      say('not_accepted', { event: eventType, order: orderId, count: attempts, outcome }),
      say('other_orders'),
    ],
    facts: [
      { label: say('order'), value: orderId },
      { label: say('endpoint'), value: url ?? say('no_endpoint') },
      {
        label: say('last_answer'),
        value: lastStatus === null ? (lastError ?? say('no_answer')) : `HTTP ${lastStatus}`,
      },
    ],
  };
}

export const disabledNotice = ({ gameName, mode, reason, url }: DisabledFacts): NoticeView => ({
  gameName,
  sandbox: mode === 'sandbox',
  heading: say('webhook_disabled'),
  paragraphs: [
    say('webhook_disabled_reason', { reason: say(reason ?? 'webhook_disabled_by_hand') }),
    say('webhook_disabled_events'),
  ],
  facts: [{ label: say('endpoint'), value: url }],
});

export const attentionNotice = (facts: AttentionFacts): NoticeView => ({
  gameName: facts.gameName,
  sandbox: facts.mode === 'sandbox',
  heading: say('attention', { problem: say(facts.code) }),
  paragraphs: [say('attention_detail', { detail: facts.detail }), say('attention_others')],
  facts: [
    { label: say('payment'), value: facts.paymentId },
    { label: say('order'), value: facts.orderId },
  ],
});

export const evidenceNotice = ({ gameName, mode, reason, paymentId, code }: EvidenceFacts): NoticeView => ({
  gameName,
  sandbox: mode === 'sandbox',
  heading: say('evidence_refused'),
  paragraphs: [say('evidence_reason', { reason }), say('evidence_next')],
  facts: [
    { label: say('payment'), value: paymentId },
    { label: say('code'), value: code },
  ],
});

export const connectionNotice = ({ gameName, provider, advice }: ConnectionFacts): NoticeView => ({
  gameName,
  sandbox: false,
  heading: say('connection_failed'),
  paragraphs: [say('connection_found'), ...advice, say('connection_next')],
  facts: [{ label: say('provider'), value: provider }],
});
