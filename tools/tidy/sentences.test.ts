import { expect, it } from 'vitest';
import { sentencesIn } from './sentences.ts';
import { isBelow, offenses, readSource, server } from './sources.ts';
import { UNFINISHED } from './unfinished.ts';

const DOMAIN = 'apps/server/src/domain/';
const domain = server.filter(({ path }) => path.startsWith(DOMAIN));
const foundIn = (path: string, text: string): string[] => sentencesIn(readSource(path, text));

it('the domain has no sentence that a player or a studio member reads: they stand in packages/texts', () => {
  const found = offenses(sentencesIn, domain);
  expect(domain.length).toBeGreaterThan(100);
  expect(found.filter(path => !isBelow(path, UNFINISHED.sentences))).toEqual([]);
  expect(UNFINISHED.sentences.filter(folder => !found.some(path => isBelow(path, [folder])))).toEqual([]);
});

it.each([
  ['a translation', "const advice = { en: 'Try again', de: 'Noch einmal' };"],
  ['a translation in templates', 'const advice = { en: `Off a bit`, de: `Etwas daneben` };'],
  ['a sentence that is stored', `const problem = \`The day \${day} will be compared again.\`;`],
  ['a reason that is shown', "const shown = { refusal: 'The order is not paid.' };"],
  ['letters of another language', "const title = 'Zahlung zurück';"],
  ['a sentence of a mail', "import { x } from '../../mail/mail-content.ts';\nconst heading = 'Grants are failing';"],
])('%s is found', (_, code) => {
  expect(foundIn(`${DOMAIN}notification/any.ts`, code)).toHaveLength(1);
});

it('a comment, a code, a name and what the API says to a program are none', () => {
  const code = `// Zurück to the über
import { mails } from '@coinslot/texts/mails';
import { AppError } from '../../kit/app-error.ts';
const detail = 'No more invitations can be sent today.';
const item = { sku: 'shield', name: 'Silver shield', en: 1 };`;
  expect(foundIn(`${DOMAIN}company/any.ts`, code)).toEqual([]);
});
