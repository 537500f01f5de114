import { expect, it } from 'vitest';
import { phrase, phrasesText } from './attention.ts';

const DIFFERS = [phrase('amount_differs', { theirs: '1.00 USD', ours: '4.99 USD' }), phrase('questioned')];

it('phrases are said in each language, filled with what the record holds', () => {
  expect(phrasesText(DIFFERS)).toBe(
    'The provider reports 1.00 USD, the order is 4.99 USD. Held for review. The bank questions the payment.',
  );
  expect(phrasesText(DIFFERS, 'de')).toBe(
    'Der Anbieter meldet 1,00 USD, die Bestellung lautet über 4,99 USD. Zur Prüfung angehalten. Die Bank zweifelt die Zahlung an.',
  );
});

it('amounts are written as the language writes numbers, with the decimals that the record has', () => {
  const returned = [phrase('part_returned', { part: '1234.50 USD', whole: '500000 JPY' })];
  expect(phrasesText(returned)).toContain('1,234.50 USD of 500,000 JPY');
  expect(phrasesText(returned, 'de')).toContain('1.234,50 USD von 500.000 JPY');
});

it('the bank’s code for a dispute is said in words, with the code', () => {
  const disputed = [phrase('dispute', { reason: 'fraudulent', amount: '4.99 USD' })];
  expect(phrasesText(disputed)).toBe('Reason: The cardholder did not authorize it (fraudulent). Disputed: 4.99 USD.');
  expect(phrasesText(disputed, 'de')).toBe(
    'Grund: Der Karteninhaber hat sie nicht freigegeben (fraudulent). Angefochten: 4,99 USD.',
  );
});

it('the words of a provider stay as they came', () => {
  const refused = phrase('refused.refund', { reason: 'The balance is {low}. (code x)' });
  expect(phrasesText([refused], 'de')).toBe(
    'Der Anbieter hat die Erstattung abgelehnt: The balance is {low}. (code x)',
  );
});

it('a language that has no texts here gets English', () => {
  expect(phrasesText([phrase('silent')], 'fr')).toBe(phrasesText([phrase('silent')], 'en'));
});
