import { catalog, fill, type Values } from './catalog.ts';
import { de } from './mails/de.ts';
import { en } from './mails/en.ts';

/** What mails about an account say, in the languages of the dashboard. */
export const mails = catalog({ en, de });

type English = typeof en;
type KindOf<Key> = Key extends `${infer Kind}.subject` ? Kind : never;
export type MailKind = KindOf<keyof English>;

type OneMail<Kind extends MailKind> = { kind: Kind } & (keyof Values<
  English[`${Kind}.${'subject' | 'heading' | 'text'}`]
> extends never
  ? { values?: undefined }
  : { values: Values<English[`${Kind}.${'subject' | 'heading' | 'text'}`]> });

/** A mail and all that has to be filled into it. */
export type MailToWrite = { [Kind in MailKind]: OneMail<Kind> }[MailKind];

export interface WrittenMail {
  subject: string;
  heading: string;
  text: string;
  closing: string;
  /** On the button, where there is something to do. */
  action: string | null;
}

export function mailTexts(language: string | null, { kind, values }: MailToWrite): WrittenMail {
  const texts: Readonly<Record<string, string>> = mails.languages[mails.has(language) ? language : 'en'];
  const part = (name: string): string => fill(texts[`${kind}.${name}`] ?? '', values ?? {});
  return {
    subject: part('subject'),
    heading: part('heading'),
    text: part('text'),
    closing: part('closing'),
    action: part('action') || null,
  };
}
