import { phrasesText } from '@coinslot/texts/attention';
import { notices } from '@coinslot/texts/notices';
import { type MailContent, oneLine } from '../../mail/mail-content.ts';
import { answerText } from '../webhook/sending/exchange.ts';
import type {
  AboutGame,
  AttentionFacts,
  ConnectionFacts,
  DisabledFacts,
  EvidenceFacts,
  ExhaustedFacts,
} from './notice.sql.ts';

interface Notice {
  heading: string;
  paragraphs: string[];
  facts: { label: string; value: string }[];
}

const LANGUAGE = 'en';
const say = notices.in(LANGUAGE);

export function noticeContent({ gameName, mode }: AboutGame, { heading, paragraphs, facts }: Notice): MailContent {
  const isSandbox = mode === 'sandbox';
  return {
    subject: oneLine(say(isSandbox ? 'subject_sandbox' : 'subject', { game: gameName, heading })),
    language: LANGUAGE,
    direction: 'ltr',
    sender: gameName,
    heading,
    sandboxNote: isSandbox ? say('sandbox') : null,
    paragraphs,
    lines: [],
    total: null,
    facts,
    closing: [say('closing')],
  };
}

export function exhaustedNotice(given: ExhaustedFacts): Notice {
  const { eventType, orderId, attempts, url } = given;
  const isAdd = eventType === 'item.add';
  const outcome = say(isAdd ? 'not_granted' : 'not_removed');
  return {
    heading: say(isAdd ? 'grants_failing' : 'removals_failing'),
    paragraphs: [
      say('not_accepted', { event: eventType, order: orderId, count: attempts, outcome }),
      say('other_orders'),
    ],
    facts: [
      { label: say('order'), value: orderId },
      { label: say('endpoint'), value: url ?? say('no_endpoint') },
      { label: say('last_answer'), value: answerText(given) },
    ],
  };
}

export const disabledNotice = ({ reason, url }: DisabledFacts): Notice => ({
  heading: say('webhook_disabled'),
  paragraphs: [
    say('webhook_disabled_reason', { reason: say(reason ?? 'webhook_disabled_by_hand') }),
    say('webhook_disabled_events'),
  ],
  facts: [{ label: say('endpoint'), value: url }],
});

export const attentionNotice = ({ code, detail, paymentId, orderId }: AttentionFacts): Notice => ({
  heading: say('attention', { problem: say(code) }),
  paragraphs: [say('attention_detail', { detail: phrasesText(detail) }), say('attention_others')],
  facts: [
    { label: say('payment'), value: paymentId },
    { label: say('order'), value: orderId },
  ],
});

export const evidenceNotice = ({ reason, paymentId, code }: EvidenceFacts): Notice => ({
  heading: say('evidence_refused'),
  paragraphs: [say('evidence_reason', { reason }), say('evidence_next')],
  facts: [
    { label: say('payment'), value: paymentId },
    { label: say('code'), value: code },
  ],
});

export const connectionNotice = ({ provider, account, advice }: ConnectionFacts): Notice => ({
  heading: say('connection_failed'),
  paragraphs: [say('connection_found'), ...advice, say('connection_next')],
  facts: [
    { label: say('provider'), value: provider },
    { label: say('account'), value: account },
  ],
});
