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

const INT_BYTES = 4;
/** Of an array: dimensions, whether it has nulls, the type, how many rows, the number of the first. */
const HEAD_BYTES = 5 * INT_BYTES;
const FIRST_BYTES = 2_048;
const TEXT_TYPE = 25;
const MOST_BYTES_OF_CHARACTER = 3;
/** Copied here; longer text by Node, for which a call costs as much as this many characters. */
const SHORT_TEXT = 48;
const LAST_ASCII = 127;

/** Writes rows behind each other into one piece of memory, property by property. */
export class RowsWriter {
  readonly #columns: readonly SentColumn[];
  readonly #size: Size;
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #at = HEAD_BYTES;
  #count = 0;

  constructor(columns: readonly SentColumn[]) {
    this.#columns = columns;
    this.#size = sizeFor(columns.length);
  }

  /** Answers the number of the row. */
  add(row: object): number {
    const start = this.#at;
    this.#reserve(2 * INT_BYTES);
    this.#at = this.#bytes.writeInt32BE(this.#size, start + INT_BYTES);
    for (const column of this.#columns)
      this.#write(column === ROW_NUMBER ? String(this.#count) : column.textOf(row[column.name as never]));
    // The type has more columns than the statement reads.
    this.#writeNulls(this.#size - this.#columns.length);
    this.#bytes.writeInt32BE(this.#at - start - INT_BYTES, start);
    return this.#count++;
  }

  /** PostgreSQL takes the type that the statement names: a type that is not built in has another number in each database. */
  end(): Buffer {
    const head = [1, 0, 0, this.#count, 1];
    for (const [i, number] of head.entries()) this.#bytes.writeInt32BE(number, i * INT_BYTES);
    return this.#bytes.subarray(0, this.#at);
  }

  #write(text: string | null): void {
    if (text === null) {
      this.#writeNulls(1);
      return;
    }
    const { length } = text;
    this.#reserve(2 * INT_BYTES + length * MOST_BYTES_OF_CHARACTER);
    const at = this.#at;
    const from = at + 2 * INT_BYTES;
    const bytes = (length <= SHORT_TEXT && this.#copyAscii(text, from)) || this.#bytes.write(text, from);
    // Byte by byte, which the compiler makes less of than of a call of the buffer's own.
    const buffer = this.#bytes;
    buffer[at] = 0;
    buffer[at + 1] = 0;
    buffer[at + 2] = 0;
    buffer[at + 3] = TEXT_TYPE;
    buffer[at + 4] = bytes >>> 24;
    buffer[at + 5] = bytes >>> 16;
    buffer[at + 6] = bytes >>> 8;
    buffer[at + 7] = bytes;
    this.#at = from + bytes;
  }

  #writeNulls(count: number): void {
    this.#reserve(count * 2 * INT_BYTES);
    const buffer = this.#bytes;
    const end = this.#at + count * 2 * INT_BYTES;
    for (let at = this.#at; at < end; at += 2 * INT_BYTES) {
      buffer[at] = 0;
      buffer[at + 1] = 0;
      buffer[at + 2] = 0;
      buffer[at + 3] = TEXT_TYPE;
      for (let i = 4; i < 8; i++) buffer[at + i] = 255;
    }
    this.#at = end;
  }

  /** Answers how many bytes were written; 0: the text is empty, or has a character that is not ASCII. */
  #copyAscii(text: string, from: number): number {
    const buffer = this.#bytes;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > LAST_ASCII) return 0;
      buffer[from + i] = code;
    }
    return text.length;
  }

  #reserve(more: number): void {
    const needed = this.#at + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
