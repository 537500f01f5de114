import { PLAYER_LANGUAGES, type PlayerKey, type PlayerLanguage, players } from '@coinslot/texts/players';

export type Language = PlayerLanguage;
export type TextKey = PlayerKey;
export const LANGUAGES = PLAYER_LANGUAGES;

export type Say = (key: TextKey, values?: Record<string, string>) => string;

export function speak(language: Language): Say {
  const texts = players.languages[language];
  const { dir } = LANGUAGES[language];
  const place = (value: string) => (dir === 'rtl' || RIGHT_TO_LEFT.test(value) ? isolate(value) : value);
  // Replaces in one pass, so that a value containing "{game}" is not replaced again.
  return (key, values) => {
    if (values === undefined) return texts[key];
    return texts[key].replace(/\{(\w+)\}/g, (hole, name: string) => {
      const value = values[name];
      return value === undefined ? hole : place(value);
    });
  };
}

/** Characters that change the direction of the text after them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Isolates a name, so that its direction or control characters do not affect the sentence. */
const isolate = (value: string): string => `\u2068${value}\u2069`;
