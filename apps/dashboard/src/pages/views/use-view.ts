import type { SavedView, ViewedList } from '@coinslot/contract';
import { type Filters, pickFilters, readSearch, useFilters, writeSearch } from '../../kit/filters.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';

/** The filters as a query string, empty if nothing is filtered. */
const viewOf = (filters: Filters, keys: readonly string[]): string =>
  writeSearch(pickFilters(filters, ...keys)).slice(1);

/** What the address holds while a view is open. */
export const searchOf = ({ id, filters }: SavedView): Record<string, string> => ({ ...readSearch(filters), view: id });

export interface Views {
  list: ViewedList;
  keys: readonly string[];
  /** All of this list, pinned ones first. */
  all: readonly SavedView[];
  /** The one that is open, if this member sees it. */
  open: SavedView | undefined;
  /** The one that the address names, also while the views are being read. */
  openId: string | undefined;
  /** The columns that the member chose for the list, separated by commas. */
  chosen: string | null;
  /** Whether the server has answered. */
  isRead: boolean;
  /** What the filters say now, which may be more than the open view. */
  current: string;
}

export const VIEWS_ROUTE = 'GET /dashboard/api/games/{game_id}/{mode}/views';

/** The views of a list, and which one the address names. */
export function useViews(list: ViewedList, keys: readonly string[]): Views {
  const params = useEnv();
  const [filters] = useFilters();
  const read = useRead(VIEWS_ROUTE, { params });
  const all = (read.data?.data ?? []).filter(view => view.list === list);
  return {
    list,
    keys,
    all,
    open: all.find(({ id }) => id === filters.view),
    openId: filters.view,
    chosen: read.data?.columns.find(one => one.list === list)?.columns ?? null,
    isRead: read.data !== undefined,
    current: viewOf(filters, keys),
  };
}
