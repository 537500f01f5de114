import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { advice } from './advice.ts';
import { attention } from './attention.ts';
import { differences } from './differences.ts';
import { disputeReasons } from './dispute-reasons.ts';
import { evidence } from './evidence.ts';
import { mails } from './mails.ts';
import { notices } from './notices.ts';
import { GLOSSARY, TERM_KEYS, type Term } from './player-glossary.ts';
import { PLAYER_LANGUAGES, type PlayerKey, type PlayerLanguage, playerLanguageOf, players } from './players.ts';
import { reasons } from './reasons.ts';
import { signatures } from './signatures.ts';

type Texts = Readonly<Record<string, string>>;

const CATALOGS: Readonly<Record<string, Readonly<Record<string, Texts>>>> = {
  players: players.languages,
  mails: mails.languages,
  notices: notices.languages,
  advice: advice.languages,
  reasons: reasons.languages,
  attention: attention.languages,
  differences: differences.languages,
  'dispute-reasons': disputeReasons.languages,
  evidence: evidence.languages,
  signatures: signatures.languages,
};

const LISTED = Object.entries(CATALOGS).flatMap(([name, languages]) =>
  Object.entries(languages).map(([language, texts]) => ({ name, language, texts, english: languages.en! })),
);

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(LISTED)('$name in $language', ({ texts, english }) => {
  test('lacks no text of English and has none too many', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(english).toSorted());
  });

  test('has no empty text', () => {
    expect(Object.entries(texts).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('has the placeholders of English', () => {
    for (const [key, text] of Object.entries(english)) {
      expect([key, placeholders(texts[key] ?? '')]).toEqual([key, placeholders(text)]);
    }
  });

  test('is a translation, not a copy', () => {
    const words = (text: string): string => text.replace(/\{\w+\}/g, '');
    const same = Object.keys(english).filter(key => texts[key] === english[key] && words(english[key]!).length > 20);
    expect(texts === english ? [] : same).toEqual([]);
  });

  test('has every plural form that the language needs', () => {
    const plurals = Object.keys(english).filter(key => key.endsWith('_other') && english[`${key.slice(0, -6)}_one`]);
    expect(plurals.filter(key => texts[`${key.slice(0, -6)}_one`] === undefined)).toEqual([]);
  });
});

test.each(Object.entries(CATALOGS))('%s has one file for each language', (name, languages) => {
  const files = readdirSync(new URL(`./${name}`, import.meta.url));
  const expected = Object.keys(languages).map(language => `${language.toLowerCase()}.ts`);
  expect(files.toSorted()).toEqual(expected.toSorted());
});

describe.each(Object.entries(players.languages))('players in %s', (language, texts) => {
  test.each(Object.keys(TERM_KEYS) as Term[])('has one word for %s, the glossary’s', term => {
    const word = GLOSSARY[language as PlayerLanguage][term].toLocaleLowerCase(language);
    const others = TERM_KEYS[term].filter((key: PlayerKey) => !texts[key].toLocaleLowerCase(language).includes(word));
    expect(others.map(key => texts[key])).toEqual([]);
  });
});

test('players have thirty languages, and only Arabic and Hebrew are read from right to left', () => {
  expect(Object.keys(PLAYER_LANGUAGES)).toHaveLength(30);
  const rtl = Object.entries(PLAYER_LANGUAGES).filter(([, { dir }]) => dir === 'rtl');
  expect(rtl.map(([language]) => language)).toEqual(['ar', 'he']);
});

test.each([
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-MO', 'zh-Hant'],
  ['zh-Hant', 'zh-Hant'],
  ['zh_Hant_HK', 'zh-Hant'],
  ['zh-Hans-HK', 'zh-Hans'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['PT-br', 'pt-BR'],
  ['sw', null],
  ['iw-IL', 'he'],
  ['in-ID', 'id'],
  ['ms-MY', 'ms'],
  ['', null],
  ['deu', null],
])('%j is read as %s', (tag, language) => {
  expect(playerLanguageOf(tag)).toBe(language);
});

const DECLINES = [
  'declined',
  'insufficient_funds',
  'card_blocked',
  'card_expired',
  'challenge_failed',
  'abandoned',
] as const;

test.each(Object.keys(PLAYER_LANGUAGES) as PlayerLanguage[])('%s: a decline is said in one sentence', language => {
  for (const decline of DECLINES) {
    const text = players.languages[language][`problem_${decline}`];
    expect([text, text.match(/[.。।!?]/g)?.length ?? 1]).toEqual([text, 1]);
  }
});
