import { type NamesIn, namesIn } from '../kit/on-wire.ts';
import { type ColumnsOf, type Fragment, RowValues, type SentType, snakeCase } from './sql.ts';

/** What the driver reads each type of a column as. */
interface ScalarTypes {
  text: string;
  int: number;
  bigint: number;
  float8: number;
  boolean: boolean;
  timestamptz: Date;
  bytea: Buffer;
  'text[]': string[];
}

type Scalar = keyof ScalarTypes;

/** A column by the name of its type, with a question mark where it may be null. */
type Named = Scalar | `${Scalar}?`;

/** A column that is narrower than its type in SQL, or whose JSON is read. */
export interface Column<Value> {
  readonly type: Named | 'json' | 'json?';
  /** Its name in SQL, where that is not the property's. */
  readonly column?: string;
  /** From JSON, never from null. */
  readonly read?: ((stored: never) => unknown) | undefined;
  /** Only for the compiler. */
  readonly value?: Value;
}

/** `status: typed<Status>('text')`. */
export const typed = <Value>(type: Named): Column<Value> => ({ type });

/** `kind: renamed('event_type', typed<EventKind>('text'))`. */
export const renamed = <Value>(column: string, as: Column<Value>): Column<Value> => ({ ...as, column });

export const json = <Value>(read?: (stored: never) => Value): Column<Value> => ({
  type: 'json',
  read,
});

export const jsonOrNull = <Value>(read?: (stored: never) => Value): Column<Value | null> => ({
  type: 'json?',
  read,
});

/** A reader of JSON in which the named properties are times, which JSON has as text. */
export const withDates =
  <Value extends object>(
    ...keys: { [Key in keyof Value]: Value[Key] extends Date | null ? Key : never }[keyof Value][]
  ) =>
  (stored: object): Value => {
    const value: Record<PropertyKey, unknown> = { ...stored };
    for (const key of keys) if (typeof value[key] === 'string') value[key] = new Date(value[key]);
    return value as Value;
  };

type ValueOf<One> =
  One extends Column<infer Value>
    ? Value
    : One extends `${infer Type extends Scalar}?`
      ? ScalarTypes[Type] | null
      : One extends Scalar
        ? ScalarTypes[One]
        : never;

type AnyColumns = Readonly<Record<string, Named | Column<unknown>>>;
type Plain<T> = { [Key in keyof T]: T[Key] };

declare const unread: unique symbol;

/** A row as the driver gives it, until its table reads it. */
export interface Stored<Row> {
  readonly [unread]: Row;
}

/** The row type of a table: `type Exam = RowOf<typeof EXAMS>`. */
export type RowOf<T> = T extends Table<infer Row> ? Row : never;

type Checked<List extends string, Row> = [NamesIn<List>] extends [keyof Row]
  ? unknown
  : `no column: ${Exclude<NamesIn<List>, keyof Row>}`;

const fragmentOf = (sqlText: string): Fragment => ({ sqlText });

/**
 * The columns of a table, described once: statements take their lists of columns from it, and rows are read by it.
 * `environmentId` is the column `environment_id`. It makes no statement: those are written out, as SQL.
 */
export class Table<Row extends object> {
  readonly name: string;
  readonly described: Readonly<Record<string, Column<unknown>>>;
  /** To select or return: `environment_id as "environmentId", …`. */
  readonly columns: Fragment;
  /** To insert: `environment_id, …`. */
  readonly names: Fragment;
  /** For rows that are sent. */
  readonly types: ColumnsOf<Row>;
  readonly #readers: readonly [string, (stored: never) => unknown][];
  readonly #times: readonly string[];
  readonly #byAlias = new Map<string, Fragment>();

  constructor(name: string, described: Table<Row>['described']) {
    this.name = name;
    this.described = described;
    this.columns = fragmentOf(this.#list(key => this.#selected(key, '')));
    this.names = fragmentOf(this.#list(key => this.columnOf(key)));
    this.types = Object.fromEntries(
      Object.entries(described).map(([key, { type }]) => [key, type.replace('?', '') as SentType]),
    ) as ColumnsOf<Row>;
    this.#readers = Object.entries(described).flatMap(([key, { read }]) => (read ? [[key, read] as const] : []));
    this.#times = Object.keys(described).filter(key => described[key]!.type.startsWith('timestamptz'));
  }

  columnOf(key: string): string {
    return this.described[key]!.column ?? snakeCase(key);
  }

  /** The columns of a table with an alias: `o.environment_id as "environmentId", …`. */
  of(alias: string): Fragment {
    return this.#once(`${alias}.`, key => this.#selected(key, `${alias}.`));
  }

  /** To update: `status = t.status, …`, from the rows `t`, or from `excluded`. */
  setFrom(alias: string): Fragment {
    return this.#once(`= ${alias}`, key => `${this.columnOf(key)} = ${alias}.${this.columnOf(key)}`);
  }

  /** A row's values in the order of `names`. */
  values(row: Row): RowValues {
    return new RowValues(this.described, row);
  }

  /** To update one row: `update exams set ${DONE.set(exam)} where …`. */
  set(row: Row): RowValues {
    return new RowValues(
      this.described,
      row,
      Object.keys(this.described).map(key => this.columnOf(key)),
    );
  }

  /** Only some of its columns, as a list: `ORDERS.pick('status, email')`. */
  pick<List extends string>(list: List & Checked<List, Row>): Table<Plain<Pick<Row, NamesIn<List> & keyof Row>>> {
    return new Table(this.name, Object.fromEntries(namesIn(list).map(key => [key, this.described[key]!])));
  }

  omit<List extends string>(list: List & Checked<List, Row>): Table<Plain<Omit<Row, NamesIn<List>>>> {
    const keys = namesIn(list);
    return new Table(
      this.name,
      Object.fromEntries(Object.entries(this.described).filter(([key]) => !keys.includes(key))),
    );
  }

  /** The driver's row itself becomes the value: to copy it property by property would cost as much as the driver does. */
  read = <Extra extends object = object>(row: Stored<Row> & Extra): Row & Extra => {
    const value = row as Record<string, unknown>;
    for (const [key, read] of this.#readers) if (value[key] !== null) value[key] = read(value[key] as never);
    return row as unknown as Row & Extra;
  };

  /** A row that came as JSON, in which times are text. */
  readJson(stored: object): Row {
    const row: Record<string, unknown> = { ...stored };
    for (const key of this.#times) if (row[key] !== null) row[key] = new Date(row[key] as string);
    return this.read(row as unknown as Stored<Row>);
  }

  async all(rows: Promise<Stored<Row>[]>): Promise<Row[]> {
    return (await rows).map(row => this.read(row));
  }

  async first(rows: Promise<Stored<Row>[]>): Promise<Row | null> {
    const [row] = await rows;
    return row ? this.read(row) : null;
  }

  #selected(key: string, prefix: string): string {
    const column = this.columnOf(key);
    return column === key ? prefix + column : `${prefix}${column} as "${key}"`;
  }

  #list(write: (key: string) => string): string {
    return Object.keys(this.described).map(write).join(', ');
  }

  #once(key: string, write: (key: string) => string): Fragment {
    const known = this.#byAlias.get(key) ?? fragmentOf(this.#list(write));
    this.#byAlias.set(key, known);
    return known;
  }
}

type Described<Columns> = Plain<{ -readonly [Key in keyof Columns]: ValueOf<Columns[Key]> }>;

/** Every table that was described, for the test that holds them against the schema. */
export const describedTables: Table<object>[] = [];

function describe<Row extends object>(name: string, columns: AnyColumns): Table<Row> {
  const described = Object.entries(columns).map(([key, one]) => [key, typeof one === 'string' ? { type: one } : one]);
  return new Table<Row>(name, Object.fromEntries(described));
}

/** Rows that no table has: those that a statement is given, or that a query makes. */
export const rowsOf = <const Columns extends AnyColumns>(columns: Columns): Table<Described<Columns>> =>
  describe('', columns);

/** `const EXAMS = table('exams', { id: 'text', status: typed<ExamStatus>('text'), endedAt: 'timestamptz?' })`. */
export function table<const Columns extends AnyColumns>(name: string, columns: Columns): Table<Described<Columns>> {
  const described = describe<Described<Columns>>(name, columns);
  describedTables.push(described);
  return described;
}
