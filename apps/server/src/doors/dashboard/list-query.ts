import { ALL_IDS, type Bounds } from '../../domain/reporting/lists/index-scan.sql.ts';
import type { ScannedPage } from '../../domain/reporting/lists/index-scan.ts';
import { encodeCursor, type Page, type PageQuery } from '../../http/paging.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { type IdPrefix, idBound, idTime } from '../../kit/ids.ts';

export interface ListQuery extends PageQuery {
  created_from?: number;
  created_to?: number;
}

/** Ids hold their time, so a span of time is a span of ids; `slackMs` where another clock than the database's made them. */
export const boundsOf = ({ created_from: from, created_to: to }: ListQuery, prefix: IdPrefix, slackMs = 0): Bounds => ({
  from: from === undefined ? ALL_IDS.from : idBound(prefix, from * 1000 - slackMs),
  below: to === undefined ? ALL_IDS.below : idBound(prefix, to * 1000 + slackMs),
});

export interface ScannedPageView<View> extends Page<View> {
  searched_back_to: number | null;
}

export const pageView = <Row, View>(page: ScannedPage<Row>, view: (row: Row) => View): ScannedPageView<View> => ({
  data: page.rows.map(view),
  next_cursor: page.nextBefore && encodeCursor(page.nextBefore),
  searched_back_to: page.isShort && page.nextBefore ? toUnixSeconds(idTime(page.nextBefore)) : null,
});

/** A list with commas; its words were checked by the schema. */
export const wordsOf = <Word extends string>(text: string | undefined): Word[] =>
  text === undefined ? [] : ([...new Set(text.split(','))] as Word[]);
