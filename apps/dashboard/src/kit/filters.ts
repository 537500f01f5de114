import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PAGE_ROWS } from '../bootstrap/early-reads.ts';

/** The query string of the address. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** Keeps addresses readable, such as `?status=declined&range=7d`, and drops every value that is not text. */
export const textFilters = (search: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : [])),
  );

export const readSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams(textFilters(search)).toString();
  return text === '' ? '' : `?${text}`;
}

/** A cursor belongs to the filters it came from, so changing a filter starts again at the first page. */
export const changedFilters = (before: Filters, patch: Filters): Filters => ({
  ...before,
  cursor: undefined,
  ...patch,
});

type Named<Key extends string> = { [Name in Key]?: string };

export const pickFilters = <Key extends string>(filters: Filters, ...keys: readonly Key[]): Named<Key> =>
  Object.fromEntries(keys.flatMap(key => (filters[key] ? [[key, filters[key]]] : []))) as Named<Key>;

export const isFiltered = (filters: Filters, keys: readonly string[]): boolean =>
  [...keys, 'cursor'].some(key => filters[key] !== undefined);

/** The query for one page of a list: the named filters and the cursor. */
export const pageQuery = <Key extends string = never>(filters: Filters, ...keys: readonly Key[]) => ({
  limit: PAGE_ROWS,
  ...pickFilters<Key | 'cursor'>(filters, ...keys, 'cursor'),
});

export interface Choice {
  value: string;
  label: string;
}

/** The address separates several values of one filter by commas. */
export const chosenOf = (value: string | undefined): string[] => (value ? value.split(',') : []);

/** Returns the filter's value after a choice was switched on or off. Without `many`, a choice replaces the other. */
export function toggleChoice(value: string | undefined, choice: string, isOn: boolean, many: boolean): string {
  if (!many) return isOn ? choice : '';
  const others = chosenOf(value).filter(one => one !== choice);
  return (isOn ? [...others, choice] : others).join(',');
}

/** Joins the labels of the chosen values. A value that is no choice, as in an old link, is shown as it is. */
export const choiceText = (value: string, choices: readonly Choice[] = []): string =>
  chosenOf(value)
    .map(one => choices.find(choice => choice.value === one)?.label ?? one)
    .join(', ');

export function useFilters(): [Filters, (patch: Filters, options?: { replace?: boolean }) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Filters, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: (before: Filters) => changedFilters(before, patch),
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [filters, change];
}
