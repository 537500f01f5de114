import { LIMITS } from '@coinslot/contract';
import { invalidField } from '../kit/app-error.ts';
import { type IdPrefix, isId } from '../kit/ids.ts';

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

export interface PageQuery {
  limit?: number;
  cursor?: string;
}

export const encodeCursor = (text: string): string => Buffer.from(text).toString('base64url');

/** Returns the key of the last row of the previous page, or null for the first page. With a prefix the key must be such an id. */
export function cursorOf({ cursor }: PageQuery, prefix: IdPrefix | null): string | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  const isName = prefix === null ? !text.includes('\0') : isId(text, prefix);
  if (isName && encodeCursor(text) === cursor) return text;
  throw invalidField('/cursor', 'cursor', 'Use next_cursor of the page before, unchanged.');
}

export const limitOf = ({ limit }: PageQuery): number => limit ?? LIMITS.pageSizeDefault;

type ReadPage<Row> = (cursor: string | null, limit: number) => Promise<Row[]>;
type ViewPage<Row, View> = (rows: Row[]) => Promise<View[]> | View[];

/** Pages by a key that never changes, so that a page stays the same however many rows are added in front. */
export async function pageBy<Row, View>(
  query: PageQuery,
  prefix: IdPrefix | null,
  read: ReadPage<Row>,
  view: ViewPage<Row, View>,
  keyOf: (row: Row) => string,
): Promise<Page<View>> {
  const limit = limitOf(query);
  const rows = await read(cursorOf(query, prefix), limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { data: await view(shown), next_cursor: rows.length > limit && last ? encodeCursor(keyOf(last)) : null };
}

export const pageOf = <Row extends { id: string }, View>(
  ...page: [query: PageQuery, prefix: IdPrefix, read: ReadPage<Row>, view: ViewPage<Row, View>]
): Promise<Page<View>> => pageBy(...page, ({ id }) => id);

export const fromUnix = (seconds: number | undefined): Date | null =>
  seconds === undefined ? null : new Date(seconds * 1000);
