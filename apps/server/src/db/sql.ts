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

/** The type of a column of rows. */
export type RowType = 'text' | 'int' | 'bigint' | 'float8' | 'boolean' | 'json' | 'timestamptz' | 'text[]';

/** Which properties of a row the statement reads, and as what. */
export type ColumnsOf<Row> = { readonly [Key in keyof Row & string]?: RowType };

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** What a statement reads of its rows. */
export interface RowColumns {
  readonly names: readonly string[];
  readonly types: readonly RowType[];
}

const described = new WeakMap<object, RowColumns>();

/** Descriptions of columns are made once, so their lists are too. */
export function rowColumns(columns: Readonly<Record<string, RowType | undefined>>): RowColumns {
  const known = described.get(columns) ?? { names: Object.keys(columns), types: Object.values(columns) as RowType[] };
  described.set(columns, known);
  return known;
}

/** A list of lists would be one list of all their elements, so each of its lists travels as a text. */
const elementOf = (type: RowType): RowType => (type === 'text[]' ? 'text' : type);

/** Rows as a table to select from: `environmentId` is its column `environment_id`. */
function tableOf({ names, types }: RowColumns, parameter: () => string): string {
  const columns = names.map(name => `"${snakeCase(name)}"`);
  const read = columns.map((column, i) => (types[i] === 'text[]' ? `${column}::text[] as ${column}` : column));
  const arrays = types.map(type => `${parameter()}::${elementOf(type)}[]`);
  return `(select ${read.join(', ')} from unnest(${arrays.join(', ')}) as r (${columns.join(', ')}))`;
}

const SPECIAL = /["\\]/;
const ALL_SPECIAL = /["\\]/g;

const quoted = (text: string): string =>
  SPECIAL.test(text) ? `"${text.replaceAll(ALL_SPECIAL, String.raw`\$&`)}"` : `"${text}"`;

/** As an element of an array of SQL. */
function elementText(value: unknown, type: RowType): string {
  if (value === null || value === undefined) return 'NULL';
  if (type === 'json') return quoted(JSON.stringify(value));
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return quoted(value.toISOString());
  return quoted(
    Array.isArray(value) ? `{${value.map(one => elementText(one, 'text')).join(',')}}` : JSON.stringify(value),
  );
}

/** What a statement reads of a row, as elements of an array for each column. */
export const elementsOf = (row: object, { names, types }: RowColumns): string[] =>
  names.map((name, i) => elementText(row[name as never], types[i]!));

/** An array of SQL for each column, which rows are added to. */
export class ColumnArrays {
  readonly #texts: string[];

  constructor(count: number) {
    this.#texts = Array.from({ length: count }, () => '');
  }

  add(elements: readonly string[]): void {
    const texts = this.#texts;
    const separator = texts[0] === '' ? '{' : ',';
    for (let i = 0; i < elements.length; i++) texts[i] += separator + elements[i]!;
  }

  values(): string[] {
    return this.#texts.map(text => (text === '' ? '{}' : `${text}}`));
  }
}

class Rows {
  readonly columns: RowColumns;
  readonly rows: readonly object[];

  constructor(columns: RowColumns, rows: readonly object[]) {
    this.columns = columns;
    this.rows = rows;
  }

  list(): string[] {
    const arrays = new ColumnArrays(this.columns.names.length);
    for (const row of this.rows) arrays.add(elementsOf(row, this.columns));
    return arrays.values();
  }
}

/**
 * sql('item_insert')`insert into items (sku, image_url) select t.sku, t.image_url from ${rowsAs({ sku: 'text', imageUrl:
 * 'text' }, items)} as t`. Each column travels as an array: the database need not look for it by its name in each row.
 */
export const rowsAs = <Row extends object>(columns: ColumnsOf<Row>, rows: readonly Row[]): Rows =>
  new Rows(rowColumns(columns), rows);

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
    else if (value instanceof Rows) text += tableOf(value.columns, () => `$${++parameters}`);
    else if (value instanceof RowValues) text += value.textFrom(() => `$${++parameters}`);
    else text += `$${++parameters}`;
    text += strings[i + 1];
  }
  texts.set(strings, text);
  return text;
}

const sentAs = (value: unknown): unknown[] => {
  if (value instanceof RowValues || value instanceof Rows) return value.list();
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
  /** What it reads of a row; its number comes before these. */
  readonly columns: RowColumns;
  /** Only for the compiler. */
  readonly types?: { row: Row; answer: Answer };
}

/** The table of the given rows in a statement for rows: their columns in snake case, and `n`. */
export const ROWS = fragment`:rows`;

/** sqlForRows<Key, Row>('order_lock', { id: 'text' })`select t.n, … from ${ROWS} as t join orders o on o.id = t.id` */
export const sqlForRows =
  <Row extends NumberedRow, Answer = never>(name: string, columns: ColumnsOf<Row>) =>
  (strings: TemplateStringsArray, ...fragments: Fragment[]): RowsStatement<Row, Answer> => {
    const read = rowColumns(columns);
    let parameters = 0;
    const numbered = { names: ['n', ...read.names], types: ['int', ...read.types] } as const;
    const rows: Fragment = { sqlText: tableOf(numbered, () => `$${++parameters}`) };
    return {
      name,
      columns: read,
      text: textOf(
        strings,
        fragments.map(one => (one === ROWS ? rows : one)),
      ),
    };
  };
