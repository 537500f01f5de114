import { asText } from './text-values.ts';

/** How many texts a row of `sent_row_8`, `sent_row_16` and `sent_row_32` has (see the migration that makes these types). */
const SIZES = [8, 16, 32] as const;

type Size = (typeof SIZES)[number];

const typeOfSize = (size: Size): string => `sent_row_${size}`;

function sizeFor(columns: number): Size {
  const size = SIZES.find(one => one >= columns);
  if (size === undefined) throw new Error(`a row that is sent has at most ${SIZES.at(-1)} columns, not ${columns}`);
  return size;
}

/** The type of a row with so many columns, and what it calls them. */
export const rowTypeFor = (columns: number): string => typeOfSize(sizeFor(columns));
export const columnAt = (index: number): string => `c${index + 1}`;

/** A value as the text of its column; null: the column has none. */
type ColumnText = (value: unknown) => string | null;

function plainText(value: unknown): string | null {
  const text = asText(value);
  if (text === undefined) throw new TypeError('a column of a row was given an object; its type is not json');
  return text;
}

const jsonText = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

export interface SentColumn {
  /** The property of the row. */
  readonly name: string;
  readonly textOf: ColumnText;
}

export const sentColumn = (name: string, type: string): SentColumn => ({
  name,
  textOf: type === 'json' ? jsonText : plainText,
});

/** Has no property: each row gets its number. */
export const ROW_NUMBER: SentColumn = sentColumn('n', 'int');

/** Equal for rows of which the same is sent. */
export const sentText = (row: object, columns: readonly SentColumn[]): string =>
  JSON.stringify(columns.map(({ name, textOf }) => textOf(row[name as never])));

/** A parameter that is rows: an array of composite values in PostgreSQL's binary form, each character one byte. */
export class SentRows {
  readonly bytes: string;

  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** Values as the driver takes them. */
export const driverValues = (values: readonly unknown[]): unknown[] =>
  values.map(value => (value instanceof SentRows ? Buffer.from(value.bytes, 'latin1') : value));

const int32 = (value: number): string =>
  String.fromCharCode((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);

const TEXT_TYPE = int32(25);
const NULL = `${TEXT_TYPE}${int32(-1)}`;
/** Each character is one byte of UTF-8. */
const ASCII = /^[\0-\x7f]*$/;

/** What stands before a text of so many bytes. Nearly all are short, and made once. */
const heads: string[] = [];
const MOST_HEADS = 1_024;

function headOf(bytes: number): string {
  if (bytes >= MOST_HEADS) return TEXT_TYPE + int32(bytes);
  heads[bytes] ??= TEXT_TYPE + int32(bytes);
  return heads[bytes];
}

/**
 * Writes rows behind each other as one text, property by property: text is put together without a copy, and becomes bytes once, in the message
 * for the socket.
 */
export class RowsWriter {
  readonly #columns: readonly SentColumn[];
  readonly #begin: string;
  /** The type has more columns than the statement reads. */
  readonly #rest: string;
  #rows = '';
  #count = 0;

  constructor(columns: readonly SentColumn[]) {
    const size = sizeFor(columns.length);
    this.#columns = columns;
    this.#begin = int32(size);
    this.#rest = NULL.repeat(size - columns.length);
  }

  /** Answers the number of the row. */
  add(row: object): number {
    let text = this.#begin;
    for (const column of this.#columns) {
      const value = column === ROW_NUMBER ? String(this.#count) : column.textOf(row[column.name as never]);
      if (value === null) {
        text += NULL;
      } else {
        const bytes = ASCII.test(value) ? value : Buffer.from(value).toString('latin1');
        text += headOf(bytes.length) + bytes;
      }
    }
    text += this.#rest;
    this.#rows += int32(text.length) + text;
    return this.#count++;
  }

  /**
   * One dimension, no nulls, no type, so many rows from the first. PostgreSQL takes the type that the statement names: one that is not built in
   * has another number in each database.
   */
  end(): SentRows {
    return new SentRows(int32(1) + int32(0) + int32(0) + int32(this.#count) + int32(1) + this.#rows);
  }
}
