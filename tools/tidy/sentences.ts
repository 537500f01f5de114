import { Visitor } from 'vite';
import { lineAt, type Source } from './sources.ts';

interface Text {
  line: number;
  text: string;
}

/** Every string that the code writes, a template's parts each for itself; comments are none. */
function textsOf({ text, program }: Source): Text[] {
  const found: Text[] = [];
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') found.push({ line: lineAt(text, start), text: value });
    },
    TemplateElement({ value, start }) {
      found.push({ line: lineAt(text, start), text: value.cooked ?? value.raw });
    },
  }).visit(program);
  return found;
}

/** English and the names of our world are written with these letters; a translation rarely is. */
const FOREIGN_LETTER = /[^\P{L}A-Za-z]/u;
/** Three words from a capital letter on: more than a name, such as that of an item in a sample. */
const SENTENCE = /^\P{L}*\p{Lu}\S*(?:\s+\p{L}\S*){2,}/u;
/** What a file imports that gives mails their content. */
const WRITES_MAILS = /\/mail\/(?:mail-content|send-mail|render-mail)\.ts$/;

/** Property names that mean a language, as in `{ en: …, de: … }`. */
function translationsIn({ text, program }: Source): number[] {
  const lines: number[] = [];
  new Visitor({
    ObjectExpression({ properties, start }) {
      const names = properties.map(one =>
        one.type === 'Property' && one.key.type === 'Identifier' ? one.key.name : '',
      );
      const isText = properties.every(
        one => one.type === 'Property' && ['Literal', 'TemplateLiteral'].includes(one.value.type),
      );
      if (names.includes('en') && names.includes('de') && isText) lines.push(lineAt(text, start));
    },
  }).visit(program);
  return lines;
}

/** A sentence as a person reads it: three words or more, from a capital letter to a full stop. */
const WHOLE_SENTENCE = /^\p{Lu}\S*(?:\s+\S+){2,}[.!?…]$/u;
/** Files whose problems answer a caller of the API, in English and with a code beside each sentence. */
const answersCallers = ({ imports, text }: Source): boolean =>
  imports.some(target => target.endsWith('/kit/app-error.ts')) ||
  /import (?:type )?\{[^}]*\b(?:Issue|assertSandbox)\b/.test(text);

/** The spans of errors, which are for the log. */
function spansOfErrors({ program }: Source): (readonly [from: number, to: number])[] {
  const spans: (readonly [number, number])[] = [];
  new Visitor({
    ThrowStatement: ({ start, end }) => void spans.push([start, end]),
    NewExpression: ({ start, end }) => void spans.push([start, end]),
  }).visit(program);
  return spans;
}

/** Sentences that are stored or shown, and so belong to packages/texts. */
function storedSentences(source: Source): string[] {
  const { text, program } = source;
  if (answersCallers(source)) return [];
  const spans = spansOfErrors(source);
  const found: string[] = [];
  const look = (said: string, start: number): void => {
    const isThrown = spans.some(([from, to]) => from <= start && start < to);
    if (!isThrown && WHOLE_SENTENCE.test(said)) found.push(`“${said}” at line ${lineAt(text, start)}`);
  };
  new Visitor({
    Literal: ({ value, start }) => void (typeof value === 'string' && look(value, start)),
    TemplateLiteral: ({ quasis, start }) => look(quasis.map(({ value }) => value.cooked ?? value.raw).join('x'), start),
  }).visit(program);
  return found;
}

/** Texts that no person reads. */
const NOT_READ: { path: RegExp; because: string }[] = [
  { path: /\/event\/event\.sql\.ts$/, because: 'the reason that a game’s backend gets with its items' },
  { path: /\/stripe\/page\/page-script\.ts$/, because: 'a script, packed' },
  { path: /\/store-link\.ts$/, because: 'the messages of an issue that its caller makes' },
  { path: /\/paypal-certificates\.ts$/, because: 'what PayPal is answered' },
  { path: /\/stripe\/account\/inspect-account\.ts$/, because: 'the description of a test at Stripe' },
  { path: /\/password-strength\.ts$/, because: 'words of many languages that guessers try first' },
];

/** What a player or a studio member reads stands in packages/texts, so that every language has it. */
export function sentencesIn(source: Source): string[] {
  if (NOT_READ.some(({ path }) => path.test(source.path))) return [];
  const texts = textsOf(source);
  const isMail = source.imports.some(target => WRITES_MAILS.test(target));
  return [
    ...storedSentences(source),
    ...translationsIn(source).map(line => `a text in two languages at line ${line}`),
    ...texts.filter(({ text }) => FOREIGN_LETTER.test(text)).map(({ line, text }) => `“${text}” at line ${line}`),
    ...texts
      .filter(({ text }) => isMail && SENTENCE.test(text))
      .map(({ line, text }) => `“${text}” of a mail at line ${line}`),
  ];
}
