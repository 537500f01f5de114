import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { setLanguage } from '../../texts/texts.ts';
import { detailText, SENTENCES } from './attention-detail.ts';

const ROOT = new URL('../../../../../', import.meta.url);
const ENGINE = 'apps/server/src/domain/purchase/engine';
const server = [
  'packages/texts/src/attention/en.ts',
  `${ENGINE}/record-refusal.ts`,
  `${ENGINE}/settle-item-delivery.ts`,
]
  .map(name => readFileSync(new URL(name, ROOT), 'utf8'))
  .join('')
  .replaceAll('\\`', '`');

afterAll(() => setLanguage('en'));

describe('what needs attention', () => {
  test('is known by the sentences the server writes', () => {
    expect(SENTENCES.filter(([, sentence]) => !server.includes(sentence))).toEqual([]);
  });

  test('is said in German as far as the words are ours', async () => {
    await setLanguage('de');
    expect(detailText('The game has not accepted `item.add`: HTTP 503.')).toBe(
      'Das Spiel hat `item.add` nicht angenommen: HTTP 503.',
    );
    expect(detailText('The provider refused the refund: The balance is too low. (code x)')).toBe(
      'Der Anbieter hat die Erstattung abgelehnt: The balance is too low. (code x)',
    );
    expect(detailText('The provider reports 1.00 USD, the order is 4.99 USD. Held for review.')).toBe(
      'Der Anbieter meldet 1.00 USD, die Bestellung lautet über 4.99 USD. Zur Prüfung angehalten.',
    );
    const [, dispute] = SENTENCES[1];
    expect(detailText(`${dispute} (fraudulent)`)).toMatch(/^Die Bank zweifelt .* können\. \(fraudulent\)$/);
  });

  test('stays as it came in English, and where it is not known', async () => {
    await setLanguage('en');
    for (const [, sentence] of SENTENCES) expect(detailText(`${sentence}refund: No.`)).toBe(`${sentence}refund: No.`);
    expect(detailText('Something new.')).toBe('Something new.');
  });
});
