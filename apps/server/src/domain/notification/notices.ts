import type { DashboardLocale } from '@coinslot/contract';
import { phrasesText } from '@coinslot/texts/attention';
import { notices } from '@coinslot/texts/notices';
import { type MailContent, mailLook, oneLine } from '../../mail/mail-content.ts';
import { answerText } from '../webhook/sending/exchange.ts';
import type {
  AboutGame,
  AttentionFacts,
  ConnectionFacts,
  DisabledFacts,
  ExhaustedFacts,
  RefusedEvidence,
} from './notice.sql.ts';

export interface Notice {
  heading: string;
  paragraphs: string[];
  facts: { label: string; value: string }[];
  /** The page of what it is about, below the game's. */
  link: { label: string; path: string };
}

/** The dashboard's texts mark code with backticks, which a mail cannot show. */
const plain = (text: string): string => text.replaceAll('`', '');

export function noticeContent(
  publicUrl: string,
  { gameId, gameName, mode, look }: AboutGame,
  { heading: title, paragraphs, facts, link }: Notice,
  language: DashboardLocale,
): MailContent {
  const say = notices.in(language);
  const isSandbox = mode === 'sandbox';
  const heading = plain(title);
  return {
    subject: oneLine(say(isSandbox ? 'subject_sandbox' : 'subject', { game: gameName, heading })),
    language,
    direction: 'ltr',
    sender: gameName,
    heading,
    look: mailLook(publicUrl, look),
    sandboxNote: isSandbox ? say('sandbox') : null,
    paragraphs: paragraphs.map(plain),
    link: { label: link.label, url: `${publicUrl}/dashboard/g/${gameId}/${mode}/${link.path}` },
    lines: [],
    total: null,
    facts,
    closing: [say('closing')],
  };
}

export function exhaustedNotice(given: ExhaustedFacts, language: DashboardLocale): Notice {
  const say = notices.in(language);
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
    link: { label: say('open_order'), path: `orders/${orderId}` },
  };
}

export function disabledNotice({ reason, url, subscriptionId }: DisabledFacts, language: DashboardLocale): Notice {
  const say = notices.in(language);
  return {
    heading: say('webhook_disabled'),
    paragraphs: [
      say('webhook_disabled_reason', { reason: say(reason ?? 'webhook_disabled_by_hand') }),
      say('webhook_disabled_events'),
    ],
    facts: [{ label: say('endpoint'), value: url }],
    link: { label: say('open_webhook'), path: `integration/webhooks/${subscriptionId}` },
  };
}

/** What happened, not only what is waited for: a game that answers 503 does answer. */
function problemOf({ code, attempts, lastStatus }: AttentionFacts, language: DashboardLocale): string {
  const say = notices.in(language);
  if (code !== 'grant_unanswered' && code !== 'removal_unanswered') return say(code);
  const event = code === 'grant_unanswered' ? 'item.add' : 'item.remove';
  if (!attempts) return say('not_asked', { event });
  if (lastStatus === null) return say('silent', { event, count: attempts });
  return say('answered', { event, status: lastStatus, count: attempts });
}

/** After the third report of a cause in a day: how many wait, once a day. */
export function digestNotice(facts: AttentionFacts, waiting: number, language: DashboardLocale): Notice {
  const say = notices.in(language);
  return {
    heading: say('digest', { count: waiting, problem: say(facts.code) }),
    paragraphs: [say('digest_about')],
    facts: [],
    link: { label: say('open_list'), path: 'attention' },
  };
}

export function attentionNotice(given: AttentionFacts, language: DashboardLocale): Notice {
  const say = notices.in(language);
  return {
    heading: problemOf(given, language),
    paragraphs: [say('attention_detail', { detail: phrasesText(given.detail, language) }), say('attention_others')],
    facts: [
      { label: say('payment'), value: given.paymentId },
      { label: say('order'), value: given.orderId },
    ],
    link: { label: say('open_payment'), path: `transactions/${given.paymentId}` },
  };
}

export function evidenceNotice({ reason, paymentId, code }: RefusedEvidence, language: DashboardLocale): Notice {
  const say = notices.in(language);
  return {
    heading: say('evidence_refused'),
    paragraphs: [say('evidence_reason', { reason }), say('evidence_next')],
    facts: [
      { label: say('payment'), value: paymentId },
      { label: say('code'), value: code },
    ],
    link: { label: say('open_dispute'), path: `transactions/${paymentId}/dispute` },
  };
}

export function connectionNotice({ provider, account, advice }: ConnectionFacts, language: DashboardLocale): Notice {
  const say = notices.in(language);
  return {
    heading: say('connection_failed'),
    paragraphs: [say('connection_found'), ...advice.map(each => each[language]), say('connection_next')],
    facts: [
      { label: say('provider'), value: provider },
      { label: say('account'), value: account },
    ],
    link: { label: say('open_provider'), path: 'settings/provider' },
  };
}
