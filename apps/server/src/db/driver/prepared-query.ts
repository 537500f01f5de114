import pg from 'pg';
import type { Statement } from '../sql.ts';
import { executionMessage } from './execution-message.ts';
import { type AnswerColumn, type ReadRow, rowReader } from './read-rows.ts';
import { driverValues } from './sent-rows.ts';
import { parserOf } from './value-types.ts';

type Done = (error: Error | null, rows: object[]) => void;

/** What the driver's own query does and its types leave out. */
interface DriverQuery {
  text: string;
  name: string | undefined;
  values: unknown[] | undefined;
  callback: Done;
  /** Answers an error, or nothing. */
  submit(connection: pg.Connection): unknown;
  handleError(error: Error, connection: pg.Connection): void;
}

const DriverQuery = pg.Query as unknown as new (text: string, values: undefined, done: Done) => DriverQuery;

/** How this connection's prepared statements answer; null: with no rows. It cannot change: PostgreSQL refuses a plan that would. */
const readersOf = new WeakMap<pg.Connection, Map<string, ReadRow | null>>();

/** What the driver has had prepared on a connection, by name. */
type Prepared = pg.Connection & { readonly parsedStatements: Readonly<Record<string, string>> };

/**
 * A statement on its way. The driver's own asks PostgreSQL each time how the statement answers, and makes its readers of rows from that;
 * this one does so once for each connection and statement.
 */
export class PreparedQuery extends DriverQuery {
  #rows: object[] = [];
  #readRow: ReadRow | null = null;
  #unread: Error | null = null;

  constructor({ name, text, values }: Statement, done: Done) {
    // The driver would copy an object, property by property.
    super(text, undefined, done);
    this.name = name === '' ? undefined : name;
    this.values = values;
  }

  /** For a session that is ours for one transaction only. */
  forget(): this {
    this.name = undefined;
    return this;
  }

  override submit(connection: pg.Connection): unknown {
    const message = this.#knownMessage(connection as Prepared);
    if (!message) {
      this.values = driverValues(this.values!);
      return super.submit(connection);
    }
    if (connection.stream.writable) connection.stream.write(message);
    return null;
  }

  handleRowDescription({ fields }: { fields: AnswerColumn[] }): void {
    this.#readRow = rowReader(fields, parserOf);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#unread) return;
    try {
      this.#rows.push(this.#readRow!(fields));
    } catch (error) {
      this.#unread = error as Error;
    }
  }

  handleCommandComplete(_message: unknown, connection: pg.Connection): void {
    if (this.name === undefined) return;
    const readers = readersOf.get(connection) ?? new Map<string, ReadRow | null>();
    readersOf.set(connection, readers.set(this.name, this.#readRow));
  }

  handleReadyForQuery(connection: pg.Connection): void {
    if (this.#unread) this.handleError(this.#unread, connection);
    else this.callback(null, this.#rows);
  }

  /** Null: the driver sends it, because it is new to the connection or has a value of a rarer kind. */
  #knownMessage(connection: Prepared): Buffer | null {
    const { name } = this;
    const readRow = name === undefined ? undefined : readersOf.get(connection)?.get(name);
    if (readRow === undefined || connection.parsedStatements[name!] !== this.text) return null;
    this.#readRow = readRow;
    return executionMessage(name!, this.values!);
  }
}
