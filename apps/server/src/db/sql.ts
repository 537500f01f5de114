/** A named, prepared statement: PostgreSQL plans it once for each connection. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** A fixed piece of a statement, such as a list of columns that several share. Written by us, never by a caller. */
export interface Fragment {
  readonly sqlText: string;
}

export const fragment = (strings: TemplateStringsArray): Fragment => ({ sqlText: strings.join('') });

const isFragment = (value: unknown): value is Fragment =>
  typeof value === 'object' && value !== null && 'sqlText' in value;

const texts = new WeakMap<TemplateStringsArray, string>();

/** A place in the text always holds the same fragment, so the text is made once for each template. */
function textOf(strings: TemplateStringsArray, values: unknown[]): string {
  const known = texts.get(strings);
  if (known !== undefined) return known;
  let text = strings[0]!;
  let parameters = 0;
  for (const [i, value] of values.entries()) {
    text += (isFragment(value) ? value.sqlText : `$${++parameters}`) + strings[i + 1];
  }
  texts.set(strings, text);
  return text;
}

/** sql('order_find')`select … where id = ${id}`: values never become text. */
export const sql =
  (name: string) =>
  (strings: TemplateStringsArray, ...values: unknown[]): Statement => ({
    name,
    text: textOf(strings, values),
    values: values.some(isFragment) ? values.filter(value => !isFragment(value)) : values,
  });

/**
 * For a list with many optional filters: planned anew for the values it is given. One plan for all of them could use
 * none of the indexes that a single filter has.
 */
export const sqlUnprepared =
  (name: string) =>
  (strings: TemplateStringsArray, ...values: unknown[]): Statement => ({ ...sql(name)(strings, ...values), name: '' });

/** Every row gets its number as `n`, so it may have none of its own. */
export type NumberedRow = object & { n?: never };

/**
 * A statement for any number of rows of one kind, which it is given as one JSON text. What it answers says by `n`, which
 * every row carries, whose answer it is.
 */
export interface RowsStatement<Row extends NumberedRow, Answer = never> {
  readonly name: string;
  readonly text: string;
  /** Only for the compiler. */
  readonly types?: { row: Row; answer: Answer };
}

/** Where the rows stand in such a statement. */
export const ROWS = fragment`$1::json`;

/** sqlForRows<Key, Row>('order_lock')`select … from json_to_recordset(${ROWS}) as t (n int, id text) join …` */
export const sqlForRows =
  <Row extends NumberedRow, Answer = never>(name: string) =>
  (strings: TemplateStringsArray, ...fragments: Fragment[]): RowsStatement<Row, Answer> => ({
    name,
    text: textOf(strings, fragments),
  });
