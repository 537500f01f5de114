import { named, oneLine, oneOf, opaqueId } from '../../shape.ts';
import { Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';

/** What players get. */
export const PLAYER_MAILS = ['receipt'] as const;

/** What a member gets about their account. */
export const ACCOUNT_MAILS = [
  'invitation',
  'emailToVerify',
  'passwordReset',
  'passwordChanged',
  'emailToConfirm',
  'emailChanged',
  'addressInUse',
  'newBrowser',
  'securityNotice',
  'passkeyAdded',
  'passkeyRemoved',
  'totpOn',
  'totpOff',
  'factorsReplaced',
] as const;

/** What members get about their game. */
export const ALERT_MAILS = ['attention', 'digest', 'exhausted', 'disabled', 'evidence', 'connection'] as const;

export const SENT_MAILS = [...PLAYER_MAILS, ...ACCOUNT_MAILS, ...ALERT_MAILS] as const;
export type SentMail = (typeof SENT_MAILS)[number];

export const MAIL_THEMES = ['light', 'dark'] as const;

const MailLanguages = named(
  'MailLanguages',
  {
    mail: oneOf(SENT_MAILS, 'Which mail.'),
    languages: Type.Array(Type.String(), { description: 'BCP 47 tags of the languages in which it is sent.' }),
  },
  'A mail that this installation sends.',
);

const COMPANY = '/dashboard/api/companies/{company_id}';

export const mailEndpoints = {
  listMails: dashboardEndpoint({
    name: 'list_mails',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: `${COMPANY}/mails`,
    summary: 'Every mail that players and members get, with its languages.',
    response: {
      status: 200,
      description: 'The mails.',
      schema: named('MailList', { data: Type.Array(MailLanguages) }, 'The complete list.'),
    },
    errors: [],
  }),
  previewMail: dashboardEndpoint({
    name: 'preview_mail',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: `${COMPANY}/mails/preview`,
    summary: 'A preview of a mail in the look of a game, as a page to show in a frame.',
    query: Type.Object({
      mail: Type.Optional(oneOf(SENT_MAILS, 'Which mail; the receipt when omitted.')),
      game_id: Type.Optional(opaqueId('game', 'The game that it is about; the company’s first when omitted.')),
      locale: Type.Optional(oneLine(35, 'Language of the reader.')),
      theme: Type.Optional(oneOf(MAIL_THEMES, 'Colors; those that the reader’s device asks for when omitted.')),
    }),
    response: { status: 200, description: 'The mail.', contentType: 'text/html; charset=utf-8' },
    errors: ['game_not_found'],
  }),
};
