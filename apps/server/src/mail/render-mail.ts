import { type MailContent, oneLine, type RenderedMail } from './mail-content.ts';
import { renderHtml } from './render-html.ts';

export const renderMail = (content: MailContent): RenderedMail => ({
  subject: content.subject,
  text: renderText(content),
  html: renderHtml(content),
});

const RULE = '-'.repeat(40);

const lineOf = ({ name, count, amount }: MailContent['lines'][number]): string =>
  [count ? `${oneLine(name)} × ${count}` : oneLine(name), amount].filter(part => part !== null).join('   ');

const linkOf = ({ link }: MailContent): string[] => (link ? [`${link.label}:`, link.url] : []);

/** Keeps text from outside on its own line, so that it cannot pose as another line of the mail. */
export function renderText(content: MailContent): string {
  const total = content.total ? [RULE, `${content.total.label}: ${content.total.amount}`] : [];
  const blocks = [
    content.sandboxNote ? [`*** SANDBOX *** ${content.sandboxNote}`] : [],
    [oneLine(content.sender), content.heading],
    ...content.paragraphs.map(paragraph => [oneLine(paragraph)]),
    content.lines.length === 0 ? linkOf(content) : [],
    [...content.lines.map(lineOf), ...total],
    content.facts.map(({ label, value }) => `${label}: ${oneLine(value)}`),
    content.lines.length > 0 ? linkOf(content) : [],
    ...content.closing.map(sentence => [oneLine(sentence)]),
  ];
  return `${blocks
    .filter(block => block.length > 0)
    .map(block => block.join('\n'))
    .join('\n\n')}\n`;
}
