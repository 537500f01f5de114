import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Filters = Readonly<Record<string, string | undefined>>;

/** What the address says behind the question mark. Changing a filter leaves the page one was on. */
export function useFilters(): [Filters, (patch: Filters, options?: { replace?: boolean }) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Filters, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: (before: Filters) => ({ ...before, cursor: undefined, ...patch }),
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [filters, change];
}
