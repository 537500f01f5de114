import { oneLine } from '../../mail/one-line.ts';
import type { Letter } from './letter.ts';

const RULE = '-'.repeat(40);

const lineOf = ({ name, count, amount }: Letter['lines'][number]): string =>
  [count ? `${oneLine(name)} × ${count}` : oneLine(name), amount].filter(part => part !== null).join('   ');

/** Whatever came from outside stays on its own line, so nothing can be made to look like a line of ours. */
export function renderText(letter: Letter): string {
  const total = letter.total ? [RULE, `${letter.total.label}: ${letter.total.amount}`] : [];
  const blocks = [
    letter.sandboxNote ? [`*** SANDBOX *** ${letter.sandboxNote}`] : [],
    [oneLine(letter.sender), letter.heading],
    ...letter.paragraphs.map(paragraph => [oneLine(paragraph)]),
    [...letter.lines.map(lineOf), ...total],
    letter.facts.map(({ label, value }) => `${label}: ${oneLine(value)}`),
    ...letter.closing.map(sentence => [oneLine(sentence)]),
  ];
  return `${blocks
    .filter(block => block.length > 0)
    .map(block => block.join('\n'))
    .join('\n\n')}\n`;
}
