import type { Readable } from 'node:stream';
import { auditScope, writeAudit } from '../../domain/audit/audit.ts';
import { findCompanyAccess } from '../../domain/company/company.sql.ts';
import { hasRole } from '../../domain/company/manage-members.ts';
import { roleIn } from '../../domain/company/sso/role-in.ts';
import type { ExportCsv } from '../../domain/reporting/lists/csv.ts';
import { type List, wordsOf } from '../../domain/reporting/lists/define-list.ts';
import { assertMayExport, streamExport } from '../../http/limits/export-turns.ts';
import { cursorOf, encodeCursor, limitOf, type Page, type PageQuery } from '../../http/paging.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { idTime } from '../../kit/ids.ts';
import { type CompanyContext, type DashboardShop, type EnvironmentContext, listsOf } from './define-route.ts';

export interface ScannedPageView<View> extends Page<View> {
  searched_back_to: number | null;
}

export async function answerPage<Query, Row, View>(
  shop: DashboardShop,
  context: EnvironmentContext,
  list: List<Query, Row>,
  query: Query & PageQuery,
  viewAll: (found: Row[]) => View[] | Promise<View[]>,
): Promise<ScannedPageView<View>> {
  const options = { before: cursorOf(query, list.idPrefix), limit: limitOf(query) };
  const page = await list.page(listsOf(shop, context), context.environment.id, query, options);
  return {
    data: await viewAll(page.rows),
    next_cursor: page.nextBefore && encodeCursor(page.nextBefore),
    searched_back_to: page.isShort && page.nextBefore ? toUnixSeconds(idTime(page.nextBefore)) : null,
  };
}

/** By the session's id: a proof of who the member is gives it another token, and ends no export. */
async function mayGoOn({ db }: DashboardShop, { signedIn, company, role }: CompanyContext): Promise<boolean> {
  const access = await findCompanyAccess(db, signedIn, company.id);
  const now = access === null || access.isEnded ? null : roleIn(signedIn, access);
  return now !== null && hasRole(now, role);
}

export const answerFile = (shop: DashboardShop, context: CompanyContext, steps: AsyncGenerator<string>): Readable =>
  streamExport({
    companyId: context.company.id,
    clock: shop.clock,
    steps,
    mayGoOn: () => mayGoOn(shop, context),
  });

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
  assertMayExport(context.company.id);
  const { columns: asked, ...filters } = query;
  const columns = asked === undefined ? [...allColumns] : wordsOf<Column>(asked);
  const day = new Date(shop.clock.nowMs()).toISOString().slice(0, 10);
  setHeader('content-disposition', `attachment; filename="${name}-${environment.mode}-${day}.csv"`);
  const after = { columns, filters: Object.keys(filters) };
  await shop.db.transaction(async tx =>
    writeAudit(tx, actor, { ...auditScope(environment), kind: `${name}.exported`, after }),
  );
  return answerFile(shop, context, exportCsv(listsOf(shop, context), environment, query, columns));
}
