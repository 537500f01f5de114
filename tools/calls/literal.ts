/** How a language writes data. */
export interface Dialect {
  indent: string;
  text(value: string): string;
  nothing: string;
  yes: string;
  no: string;
  key(name: string): string;
  /** Around the entries of an object on one line, and on several. */
  object: readonly [open: string, close: string, inlineOpen: string, inlineClose: string];
  list: readonly [open: string, close: string];
}

const quoted = (value: string): string => JSON.stringify(value);

export const JAVASCRIPT: Dialect = {
  indent: '  ',
  text: value => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  nothing: 'null',
  yes: 'true',
  no: 'false',
  key: name => `${/^\w+$/.test(name) ? name : quoted(name)}: `,
  object: ['{', '}', '{ ', ' }'],
  list: ['[', ']'],
};

export const PYTHON: Dialect = {
  indent: '    ',
  text: quoted,
  nothing: 'None',
  yes: 'True',
  no: 'False',
  key: name => `${quoted(name)}: `,
  object: ['{', '}', '{', '}'],
  list: ['[', ']'],
};

export const GO: Dialect = {
  indent: '\t',
  text: quoted,
  nothing: 'nil',
  yes: 'true',
  no: 'false',
  key: name => `${quoted(name)}: `,
  object: ['map[string]any{', '}', 'map[string]any{', '}'],
  list: ['[]any{', '}'],
};

const LONGEST_INLINE = 60;

function inline(value: unknown, dialect: Dialect): string {
  if (value === null || value === undefined) return dialect.nothing;
  if (typeof value === 'string') return dialect.text(value);
  if (typeof value === 'boolean') return value ? dialect.yes : dialect.no;
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    const [open, close] = dialect.list;
    return open + value.map(one => inline(one, dialect)).join(', ') + close;
  }
  const entries = Object.entries(value).map(([name, one]) => dialect.key(name) + inline(one, dialect));
  const [open, close, inlineOpen, inlineClose] = dialect.object;
  return entries.length === 0 ? open + close : inlineOpen + entries.join(', ') + inlineClose;
}

/** A column as gofmt lays it out: the values of neighbors begin at the same place. */
const padded = (key: string, keys: string[], dialect: Dialect): string =>
  dialect === GO ? key.padEnd(Math.max(...keys.map(one => one.length))) : key;

/** Data as this language writes it; what is long gets a line for each field. */
export function literal(value: unknown, dialect: Dialect, depth = 0): string {
  const short = inline(value, dialect);
  if (short.length <= LONGEST_INLINE || typeof value !== 'object' || value === null || Array.isArray(value))
    return short;
  const inner = dialect.indent.repeat(depth + 1);
  const keys = Object.keys(value).map(dialect.key);
  const lines = Object.entries(value).map(
    ([name, one]) => `${inner}${padded(dialect.key(name), keys, dialect)}${inline(one, dialect)},`,
  );
  const [open, close] = dialect.object;
  return `${open}\n${lines.join('\n')}\n${dialect.indent.repeat(depth)}${close}`;
}
