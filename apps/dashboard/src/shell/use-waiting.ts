import { useRead } from '../kit/use-read.ts';
import { useEnv } from '../ui/env-link.tsx';

/** How many players paid and wait for their items. */
export function useWaiting(): number {
  const params = useEnv();
  const { data } = useRead('GET /dashboard/api/games/{game_id}/{mode}/grants', { params, query: { limit: 1 } });
  return data?.waiting ?? 0;
}
