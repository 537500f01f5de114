import type { Role } from '@coinslot/contract';

/** One mail. `{name}` is filled in. */
export interface MailWords {
  subject: string;
  heading: string;
  text: string;
  /** On the button, where there is something to do. */
  action?: string;
  closing: string;
}

/** What mails about an account say. */
export interface AccountWords {
  roles: Readonly<Record<Role, string>>;
  mails: {
    invitation: MailWords;
    passwordReset: MailWords;
    passwordChanged: MailWords;
    emailToConfirm: MailWords;
    emailChanged: MailWords;
    emailToVerify: MailWords;
    addressInUse: MailWords;
    newBrowser: MailWords;
    securityNotice: MailWords;
    passkeyAdded: MailWords;
    passkeyRemoved: MailWords;
    totpOn: MailWords;
    totpOff: MailWords;
  };
}

export type AccountMailKind = keyof AccountWords['mails'];
