/** A mail as data: what it says, not how it looks. Both forms are made from it, so they cannot differ. */
export interface MailContent {
  subject: string;
  language: string;
  direction: 'ltr' | 'rtl';
  /** Who it is about, above the heading. */
  sender: string;
  heading: string;
  /** Shown with the orange stripes of sandbox. */
  sandboxNote: string | null;
  paragraphs: string[];
  /** The one thing to do, made by us: it is shown as it is. */
  link?: { label: string; url: string };
  lines: MailLine[];
  total: { label: string; amount: string } | null;
  facts: { label: string; value: string }[];
  closing: string[];
}

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

/** Fills `{name}`, once each; what is filled in is not looked at again. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);

/** Text from outside, made safe for a header or a line of its own: whatever breaks or hides a line becomes one space. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
