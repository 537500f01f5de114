import { type Cell, csvLine } from '@coinslot/contract/csv-cell';
import type { Db } from '../../../db/db.ts';
import type { List } from './define-list.ts';

export const isoTime = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;

/** `2 × potion; sword`, by sku, because names may change. */
export const itemsCell = (items: readonly { sku: string; quantity: number }[]): string =>
  items.map(({ sku, quantity }) => (quantity > 1 ? `${quantity} × ${sku}` : sku)).join('; ');

/** So that spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}';

/** Pages of rows as CSV, one after the other: the memory is the same for a hundred rows and for millions. */
export async function* writeCsv<Row, Column extends string>(
  columns: readonly Column[],
  pages: AsyncIterable<Row[]>,
  cellsOf: (rows: Row[]) => Promise<(row: Row, column: Column) => Cell>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns);
  for await (const rows of pages) {
    const cellOf = await cellsOf(rows);
    yield rows.map(row => csvLine(columns.map(column => cellOf(row, column)))).join('');
  }
}

const EXPORT_BATCH = 500;

interface Exporter<Listed, Column extends string, More> {
  cells: Record<Column, (found: Listed, more: More) => string | number | null>;
  /** What cells know besides the rows of a batch, read at once for all of them. */
  readMore(
    db: Db,
    environment: ExportedFrom,
    rows: Listed[],
    columns: readonly Column[],
  ): Promise<(found: Listed) => More>;
}

interface ExportedFrom {
  id: string;
  mode: 'live' | 'sandbox';
}

export type ExportCsv<Query, Column extends string> = (
  db: Db,
  environment: ExportedFrom,
  query: Query,
  columns: readonly Column[],
) => AsyncGenerator<string>;

export const defineExport =
  <Query, Listed, Column extends string, More>(
    list: List<Query, Listed>,
    { cells, readMore }: Exporter<Listed, Column, More>,
  ): ExportCsv<Query, Column> =>
  (db, environment, query, columns) =>
    writeCsv(columns, list.pages(db, environment.id, query, EXPORT_BATCH), async rows => {
      const moreOf = await readMore(db, environment, rows, columns);
      return (row, column) => cells[column](row, moreOf(row));
    });
