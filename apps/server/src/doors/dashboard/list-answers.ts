import type { Readable } from 'node:stream';
import { auditScope, writeAudit } from '../../domain/audit/audit.ts';
import type { ExportCsv } from '../../domain/reporting/lists/csv.ts';
import { type List, wordsOf } from '../../domain/reporting/lists/define-list.ts';
import { cursorOf, encodeCursor, limitOf, type Page, type PageQuery } from '../../http/paging.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { idTime } from '../../kit/ids.ts';
import { type DashboardShop, type EnvironmentContext, listsOf } from './define-route.ts';
import { assertMayExport, streamExport } from './export-turns.ts';

export interface ScannedPageView<View> extends Page<View> {
  searched_back_to: number | null;
}

export async function answerPage<Query, Found, View>(
  shop: DashboardShop,
  context: EnvironmentContext,
  list: List<Query, Found>,
  query: Query & PageQuery,
  viewAll: (found: Found[]) => View[] | Promise<View[]>,
): Promise<ScannedPageView<View>> {
  const options = { before: cursorOf(query, list.idPrefix), limit: limitOf(query) };
  const page = await list.page(listsOf(shop, context), context.environment.id, query, options);
  return {
    data: await viewAll(page.rows),
    next_cursor: page.nextBefore && encodeCursor(page.nextBefore),
    searched_back_to: page.isShort && page.nextBefore ? toUnixSeconds(idTime(page.nextBefore)) : null,
  };
}

interface ExportRequest<Query> {
  query: Query & { columns?: string };
  setHeader(name: string, value: string): void;
}

/** The whole list as a file. The audit log says which columns, by which filters; not their values, which may name players. */
export async function answerExport<Query extends object, Column extends string>(
  shop: DashboardShop,
  context: EnvironmentContext,
  name: 'orders' | 'transactions',
  { query, setHeader }: ExportRequest<Query>,
  exportCsv: ExportCsv<Query, Column>,
  allColumns: readonly Column[],
): Promise<Readable> {
  const { environment, actor } = context;
  assertMayExport(context);
  const { columns: asked, ...filters } = query;
  const columns = asked === undefined ? [...allColumns] : wordsOf<Column>(asked);
  const day = new Date(shop.clock.nowMs()).toISOString().slice(0, 10);
  setHeader('content-disposition', `attachment; filename="${name}-${environment.mode}-${day}.csv"`);
  const after = { columns, filters: Object.keys(filters) };
  await shop.db.transaction(async tx =>
    writeAudit(tx, actor, { ...auditScope(environment), kind: `${name}.exported`, after }),
  );
  return streamExport(shop, context, exportCsv(listsOf(shop, context), environment, query, columns));
}
