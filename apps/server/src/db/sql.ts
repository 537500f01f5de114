import {
  columnAt,
  ROW_NUMBER,
  RowsWriter,
  rowTypeFor,
  type SentColumn,
  type SentRows,
  sentColumn,
} from './driver/sent-rows.ts';

/** A named, prepared statement: PostgreSQL plans it once for each connection. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

export type Send = <Row>(statement: Statement) => Promise<Row[]>;

/** A fixed piece of a statement, such as a list of columns that several share. Written by us, never by a caller. */
export interface Fragment {
  readonly sqlText: string;
}

export const fragment = (strings: TemplateStringsArray, ...parts: Fragment[]): Fragment => ({
  sqlText: strings.map((text, i) => text + (parts[i]?.sqlText ?? '')).join(''),
});

/** Words of ours in a statement: `status in (${words(OPEN)})`. They are written into the text, so the plan can use a narrow index. */
export const words = (values: readonly string[]): Fragment => ({
  sqlText: values.map(value => `'${value}'`).join(', '),
});

const isFragment = (value: unknown): value is Fragment =>
  typeof value === 'object' && value !== null && 'sqlText' in value;

/** The type of a column of rows that are sent. */
export type SentType = 'text' | 'int' | 'bigint' | 'float8' | 'boolean' | 'json' | 'timestamptz' | 'text[]';

/** Which properties of a row the statement reads, and as what. */
export type ColumnsOf<Row> = { readonly [Key in keyof Row & string]?: SentType };

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

type Columns = Readonly<Record<string, SentType | undefined>>;

/** Rows as a table to select from: `environmentId` is its column `environment_id`. They travel as rows of texts. */
function tableOf(columns: Columns, parameter: string): string {
  const entries = Object.entries(columns);
  const read = entries.map(([name, type], i) => {
    const column = columnAt(i);
    return `${type === 'text' ? column : `${column}::${type}`} as "${snakeCase(name)}"`;
  });
  return `(select ${read.join(', ')} from unnest(${parameter}::${rowTypeFor(entries.length)}[]))`;
}

const sentColumnsOf = new WeakMap<Columns, readonly SentColumn[]>();

/** Descriptions of columns are made once, so what is derived from them is too. */
function sentColumns(columns: Columns): readonly SentColumn[] {
  const known = sentColumnsOf.get(columns) ?? Object.entries(columns).map(([name, type]) => sentColumn(name, type!));
  sentColumnsOf.set(columns, known);
  return known;
}

class GivenRows {
  readonly columns: Columns;
  readonly rows: readonly object[];

  constructor(columns: Columns, rows: readonly object[]) {
    this.columns = columns;
    this.rows = rows;
  }

  sent(): SentRows {
    const writer = new RowsWriter(sentColumns(this.columns));
    for (const row of this.rows) writer.add(row);
    return writer.end();
  }
}

/**
 * sql('item_insert')`insert into items (sku, image_url) select t.sku, t.image_url from ${givenRows({ sku: 'text', imageUrl:
 * 'text' }, items)} as t`.
 */
export const givenRows = <Row extends object>(columns: ColumnsOf<Row>, rows: readonly Row[]): GivenRows =>
  new GivenRows(columns, rows);

/** The values of one row, each a parameter of its own: in a list, or behind the column that each is assigned to. */
export class RowValues {
  readonly columns: Readonly<Record<string, { readonly type: string }>>;
  readonly row: object;
  readonly assigned: readonly string[] | null;

  constructor(columns: RowValues['columns'], row: object, assigned: RowValues['assigned'] = null) {
    this.columns = columns;
    this.row = row;
    this.assigned = assigned;
  }

  textFrom(parameter: () => string): string {
    const names = this.assigned?.map(name => `${name} = `) ?? Object.keys(this.columns).map(() => '');
    return names.map(name => name + parameter()).join(', ');
  }

  /** The driver would take an array for one of SQL. */
  list(): unknown[] {
    return Object.entries(this.columns).map(([key, { type }]) => {
      const value: unknown = this.row[key as never];
      return type.startsWith('json') && value !== null ? JSON.stringify(value) : value;
    });
  }
}

const texts = new WeakMap<TemplateStringsArray, string>();

/** A place in the text always holds the same fragment or the same columns, so the text is made once for each template. */
function textOf(strings: TemplateStringsArray, values: unknown[]): string {
  const known = texts.get(strings);
  if (known !== undefined) return known;
  let text = strings[0]!;
  let parameters = 0;
  for (const [i, value] of values.entries()) {
    if (isFragment(value)) text += value.sqlText;
    else if (value instanceof GivenRows) text += tableOf(value.columns, `$${++parameters}`);
    else if (value instanceof RowValues) text += value.textFrom(() => `$${++parameters}`);
    else text += `$${++parameters}`;
    text += strings[i + 1];
  }
  texts.set(strings, text);
  return text;
}

const sentAs = (value: unknown): unknown[] => {
  if (value instanceof RowValues) return value.list();
  if (value instanceof GivenRows) return [value.sent()];
  return isFragment(value) ? [] : [value];
};

/** sql('order_find')`select … where id = ${id}`: values never become text. */
export const sql =
  (name: string) =>
  (strings: TemplateStringsArray, ...values: unknown[]): Statement => ({
    name,
    text: textOf(strings, values),
    values: values.flatMap(sentAs),
  });

/**
 * For a list with many optional filters: planned again for each set of values. One plan for all of them could use
 * none of the indexes that a single filter has.
 */
export const sqlUnprepared =
  (name: string) =>
  (strings: TemplateStringsArray, ...values: unknown[]): Statement => ({ ...sql(name)(strings, ...values), name: '' });

/** Every row gets its number as `n`, so it may have none of its own. */
export type NumberedRow = object & { n?: never };

/** A statement for any number of rows of one kind. What it answers says by `n`, which every row carries, whose it is. */
export interface RowsStatement<Row extends NumberedRow, Answer = never> {
  readonly name: string;
  readonly text: string;
  /** The fields that it reads of each row, the number first. */
  readonly columns: readonly SentColumn[];
  /** Only for the compiler. */
  readonly types?: { row: Row; answer: Answer };
}

/** The table of the given rows in a statement for rows: their columns in snake case, and `n`. */
export const ROWS = fragment`:rows`;

/** sqlForRows<Key, Row>('order_lock', { id: 'text' })`select t.n, … from ${ROWS} as t join orders o on o.id = t.id` */
export const sqlForRows =
  <Row extends NumberedRow, Answer = never>(name: string, columns: ColumnsOf<Row>) =>
  (strings: TemplateStringsArray, ...fragments: Fragment[]): RowsStatement<Row, Answer> => {
    const numbered: Columns = { n: 'int', ...columns };
    const rows: Fragment = { sqlText: tableOf(numbered, '$1') };
    return {
      name,
      columns: [ROW_NUMBER, ...sentColumns(columns)],
      text: textOf(
        strings,
        fragments.map(one => (one === ROWS ? rows : one)),
      ),
    };
  };
