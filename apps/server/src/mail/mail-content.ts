/** The content of a mail without its looks. Text and HTML are both rendered from it, so they cannot differ. */
export interface MailContent {
  subject: string;
  language: string;
  direction: 'ltr' | 'rtl';
  /** The game, studio or service named above the heading. */
  sender: string;
  heading: string;
  /** How the studio looks; without it the mail has Coinslot's own looks. */
  look?: MailLook;
  /** Shown with the orange stripes of sandbox. */
  sandboxNote: string | null;
  paragraphs: string[];
  /** The mail's one button. The URL is made by us, so it is shown as it is. */
  link?: { label: string; url: string };
  lines: MailLine[];
  total: { label: string; amount: string } | null;
  facts: { label: string; value: string }[];
  closing: string[];
}

export interface MailLook {
  iconUrl: string | null;
  logoUrl: string | null;
  /** `#rrggbb`. The mail keeps the contrast, whatever stands here. */
  accentColor: string | null;
}

/** As a mail needs it: a program that shows mails knows no address that an uploaded icon's path would belong to. */
export const mailLook = (publicUrl: string, { iconUrl, logoUrl, accentColor }: MailLook): MailLook => ({
  iconUrl: iconUrl?.startsWith('/') ? `${publicUrl}${iconUrl}` : iconUrl,
  logoUrl,
  accentColor,
});

export interface MailLine {
  name: string;
  count: string | null;
  amount: string | null;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** Makes text from outside safe for a header or a line: characters that break or hide a line become one space. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
