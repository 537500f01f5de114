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

/** Texts that no person reads. */
const NOT_READ: { path: RegExp; because: string }[] = [
  { path: /\/password-strength\.ts$/, because: 'words of many languages that guessers try first' },
];

/** What a player or a studio member reads stands in packages/texts, so that every language has it. */
export function sentencesIn(source: Source): string[] {
  if (NOT_READ.some(({ path }) => path.test(source.path))) return [];
  const texts = textsOf(source);
  const isMail = source.imports.some(target => WRITES_MAILS.test(target));
  return [
    ...translationsIn(source).map(line => `a text in two languages at line ${line}`),
    ...texts.filter(({ text }) => FOREIGN_LETTER.test(text)).map(({ line, text }) => `“${text}” at line ${line}`),
    ...texts
      .filter(({ text }) => isMail && SENTENCE.test(text))
      .map(({ line, text }) => `“${text}” of a mail at line ${line}`),
  ];
}
