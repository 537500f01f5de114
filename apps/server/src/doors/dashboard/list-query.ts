import { LIMITS } from '@coinslot/contract';
import { ALL_IDS, type Bounds } from '../../domain/report/lists/index-scan.sql.ts';
import type { ScannedPage } from '../../domain/report/lists/index-scan.ts';
import { AppError } from '../../kit/app-error.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { type IdPrefix, idBound, idTime, isId } from '../../kit/ids.ts';

const badCursor = (): AppError =>
  new AppError('validation_failed', {
    issues: [{ pointer: '/cursor', code: 'cursor', message: 'Use next_cursor of the page before, unchanged.' }],
  });

export const encodeCursor = (text: string): string => Buffer.from(text).toString('base64url');

export function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (encodeCursor(text) !== cursor || text.includes('\0')) throw badCursor();
  return text;
}

export interface ListQuery {
  limit?: number;
  cursor?: string;
  created_from?: number;
  created_to?: number;
}

export const limitOf = ({ limit }: ListQuery): number => limit ?? LIMITS.pageSizeDefault;

/** The id below which the page begins; null for the first page. */
export function beforeOf({ cursor }: ListQuery, prefix: IdPrefix): string | null {
  if (cursor === undefined) return null;
  const id = decodeCursor(cursor);
  if (!isId(id, prefix)) throw badCursor();
  return id;
}

/** Ids hold their time, so a span of time is a span of ids. */
export const boundsOf = ({ created_from: from, created_to: to }: ListQuery, prefix: IdPrefix): Bounds => ({
  from: from === undefined ? ALL_IDS.from : idBound(prefix, from * 1000),
  below: to === undefined ? ALL_IDS.below : idBound(prefix, to * 1000),
});

export interface PageView<View> {
  data: View[];
  next_cursor: string | null;
  searched_back_to: number | null;
}

export const pageView = <Row, View>(page: ScannedPage<Row>, view: (row: Row) => View): PageView<View> => ({
  data: page.rows.map(view),
  next_cursor: page.nextBefore && encodeCursor(page.nextBefore),
  searched_back_to: page.isShort && page.nextBefore ? toUnixSeconds(idTime(page.nextBefore)) : null,
});

/** A list with commas; its words were checked by the schema. */
export const wordsOf = <Word extends string>(text: string | undefined): Word[] =>
  text === undefined ? [] : ([...new Set(text.split(','))] as Word[]);
