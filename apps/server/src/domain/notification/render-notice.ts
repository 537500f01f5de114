import { type MailContent, oneLine } from '../../mail/mail-content.ts';

/** For the studio's people, in English like the dashboard. */
export interface NoticeView {
  gameName: string;
  sandbox: boolean;
  heading: string;
  paragraphs: string[];
  facts: { label: string; value: string }[];
}

export const noticeContent = ({ gameName, sandbox, heading, paragraphs, facts }: NoticeView): MailContent => ({
  subject: oneLine(`${sandbox ? '[SANDBOX] ' : ''}${gameName}: ${heading}`),
  language: 'en',
  direction: 'ltr',
  sender: gameName,
  heading,
  sandboxNote: sandbox ? 'No real money is involved.' : null,
  paragraphs,
  lines: [],
  total: null,
  facts,
  closing: ['You get this message because you are a member of the company that owns this game.'],
});
