import { LIMITS } from '@coinslot/contract';
import { AppError } from '../kit/app-error.ts';
import { type IdPrefix, isId } from '../kit/ids.ts';

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

export interface PageQuery {
  limit?: number;
  cursor?: string;
}

const encode = (id: string): string => Buffer.from(id).toString('base64url');

function decode(cursor: string, prefix: IdPrefix): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (isId(id, prefix) && encode(id) === cursor) return id;
  throw new AppError('validation_failed', {
    issues: [{ pointer: '/cursor', code: 'cursor', message: 'Use next_cursor of the page before, unchanged.' }],
  });
}

/** Newest first, by id: ids sort by time, so a page stays the same however much is added in front of it. */
export async function pageOf<Row, View>(
  query: PageQuery,
  prefix: IdPrefix,
  read: (beforeId: string | null, limit: number) => Promise<Row[]>,
  idOf: (row: Row) => string,
  view: (rows: Row[]) => Promise<View[]> | View[],
): Promise<Page<View>> {
  const limit = query.limit ?? LIMITS.pageSizeDefault;
  const rows = await read(query.cursor === undefined ? null : decode(query.cursor, prefix), limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { data: await view(shown), next_cursor: rows.length > limit && last ? encode(idOf(last)) : null };
}

export const fromUnix = (seconds: number | undefined): Date | null =>
  seconds === undefined ? null : new Date(seconds * 1000);
