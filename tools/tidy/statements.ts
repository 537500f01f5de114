import { Visitor } from 'vite';
import { lineAt, readSource, SERVER, type Source } from './sources.ts';

/** A tagged template that becomes SQL: a named statement, or a fragment, which has no name. */
export interface SqlTemplate {
  path: string;
  line: number;
  tag: string;
  name: string | null;
  text: string;
}

/** What stands beside the tags in db/statement.ts, by which tables are described. */
const DESCRIBING = ['json', 'jsonOrNull', 'renamed', 'rowsOf', 'table', 'typed', 'withDates'];

/** Whatever else db/sql.ts offers as a tag becomes SQL, so a new kind of statement is seen without a change here. */
const tagsOf = ({ path, text, imports }: Source): Set<string> => {
  if (!['sql', 'statement'].some(name => imports.includes(`${SERVER}/db/${name}.ts`))) return new Set();
  const named = [...text.matchAll(/import \{([^}]*)\} from '[^']*\/(?:sql|statement)\.ts'/g)].flatMap(
    ([, names = '']) => names.split(','),
  );
  const tags = named.map(name => name.trim()).filter(name => /^[a-z]/.test(name) && !DESCRIBING.includes(name));
  if (tags.some(name => name.includes(' as '))) throw new Error(`${path} renames a tag of db/sql.ts`);
  return new Set(tags.filter(name => !name.startsWith('type ')));
};

/**
 * What stands in ${…} is a value or a fragment, which is looked at by itself. Only a list of a table's columns that is
 * written says by its description, in the same file, whether the environment is among them.
 */
function shown(expression: string, source: string): string {
  const [, described] = /^(\w+)\.(?:names|values\()/.exec(expression) ?? [];
  const description = described && new RegExp(`const ${described} =[^;]*`).exec(source)?.[0];
  return description && !/\.omit\(/.test(description) && /\benvironmentId\b/.test(description)
    ? 'environment_id, …'
    : ' … ';
}

/** The quoted texts of a template, with what a list of columns in it names. */
export function templatesOf(source: Source): SqlTemplate[] {
  const tags = tagsOf(source);
  const found: SqlTemplate[] = [];
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi, start }) {
      const callee = tag.type === 'CallExpression' ? tag.callee : tag;
      if (callee.type !== 'Identifier' || !tags.has(callee.name)) return;
      const [first] = tag.type === 'CallExpression' ? tag.arguments : [];
      const name = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : null;
      const parts = quasi.expressions.map(one => shown(source.text.slice(one.start, one.end), source.text));
      const text = quasi.quasis.map(({ value }, i) => value.raw + (parts[i] ?? '')).join('');
      found.push({ path: source.path, line: lineAt(source.text, start), tag: callee.name, name, text });
    },
  });
  if (tags.size > 0) visitor.visit(source.program);
  return found;
}

export const templatesIn = (text: string): SqlTemplate[] =>
  templatesOf(readSource(`${SERVER}/domain/any/any.sql.ts`, text));

const withoutQuotes = (text: string): string => text.replace(/'(?:[^']|'')*'/g, "''");

/** `count(*)` and a product are no list of columns. */
export const readsStar = (text: string): boolean =>
  /(?:\b(?:select|returning|all|distinct)|,)\s+(?:\w+\.)?\*|\w\.\*/i.test(withoutQuotes(text));

export const readsOtherClock = (text: string): boolean =>
  /(?<!app_)\bnow\(\)|\b(?:clock|statement|transaction)_timestamp\(\)|\bcurrent_(?:timestamp|date|time)\b/i.test(text);

/** As a condition, as part of a key, or as a column that is written; to return it is not enough. */
export const namesEnvironment = (text: string): boolean =>
  /environment_id\s*(?:\|\| '' )?(?:=|in\s*\(|is not distinct from)|=\s*(?:\w+\.)?environment_id|[(\s](?:\w+\.)?environment_id,[^()]*\)\s*(?:=|in)|insert into [\w.]+(?: as \w+)? \([^)]*environment_id|environments?\b[^;]*\bid = |using \(environment_id/i.test(
    text,
  );
