import { useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    heard => {
      const media = matchMedia(query);
      media.addEventListener('change', heard);
      return () => media.removeEventListener('change', heard);
    },
    () => matchMedia(query).matches,
  );
}

/** The same width as `md` in the style. */
export const useIsPhone = (): boolean => useMedia('(max-width: 859px)');
