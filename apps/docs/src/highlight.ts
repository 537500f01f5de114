import { escapeHtml } from '@coinslot/checkout-page';

const LINE_COMMENT = '(?<comment>//.*|/\\*[\\s\\S]*?\\*/)';
const HASH_COMMENT = '(?<comment>(?<=^|\\s)#.*)';
const STRING = '(?<string>"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`)';
const NUMBER = '(?<number>\\b\\d[\\d_.]*\\b)';

const words = (text: string): string => `(?<word>\\b(?:${text.replaceAll(' ', '|')})\\b)`;

const rule = (...parts: string[]): RegExp => new RegExp(parts.join('|'), 'gm');

const SCRIPT = rule(
  LINE_COMMENT,
  STRING,
  words(
    'import from export const let function return async await new if else for of in throw try catch class extends implements interface type true false null undefined',
  ),
  NUMBER,
);
const C_LIKE = rule(
  LINE_COMMENT,
  STRING,
  words(
    'using namespace public private protected static final class struct override func let var val fun import package void bool int string return if else guard for in new true false null nil this self super async await include void auto const',
  ),
  NUMBER,
);
const SHELL = rule(HASH_COMMENT, STRING, words('export curl npm node docker systemctl cd if then fi for do done'));
const DATA = rule(HASH_COMMENT, STRING, words('true false null'), NUMBER);

const PYTHON = rule(
  HASH_COMMENT,
  STRING,
  words('import from def return for in if else elif not and or raise try except with as class None True False'),
  NUMBER,
);
const GO = rule(
  LINE_COMMENT,
  STRING,
  words('package import func return if else for range var const type struct map any string nil true false err'),
  NUMBER,
);

const RULES: Readonly<Record<string, RegExp>> = {
  js: SCRIPT,
  ts: SCRIPT,
  cs: C_LIKE,
  csharp: C_LIKE,
  cpp: C_LIKE,
  swift: C_LIKE,
  kotlin: C_LIKE,
  java: C_LIKE,
  python: PYTHON,
  go: GO,
  sh: SHELL,
  json: DATA,
  yaml: DATA,
  ini: DATA,
  sql: rule(
    '(?<comment>--.*)',
    STRING,
    words('select from where insert into values create table primary key not null'),
  ),
};

/** Colors for the eye, by a few patterns. What they do not know stays as it is. */
export function highlight(code: string, language: string): string {
  const pattern = RULES[language];
  if (!pattern) return escapeHtml(code);
  let html = '';
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? 'word';
    html += `${escapeHtml(code.slice(at, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(at));
}
