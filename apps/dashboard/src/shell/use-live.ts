import type { ChangeKind } from '@coinslot/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from '../kit/api.ts';
import { SESSION_KEY } from '../kit/session.ts';
import { useEnv } from '../kit/use-env.ts';

/** Which reads show a change, by a part of their route. */
const SHOWN_BY: Readonly<Record<ChangeKind, readonly string[]>> = {
  orders: ['/orders', '/checklist', '/attention'],
  payments: ['/transactions', '/players', '/attention'],
  deliveries: ['/deliveries', '/webhooks'],
  grants: ['/grants', '/attention'],
  home: ['/home', '/checklist'],
};

export const isTouched = (route: string, lists: readonly ChangeKind[]): boolean =>
  lists.some(list => SHOWN_BY[list]?.some(part => route.includes(`{mode}${part}`)));

/** Reads again what the server says has changed. A broken stream is reopened by the browser itself. */
export function useLive(): void {
  const { game_id, mode } = useEnv();
  const queries = useQueryClient();
  useEffect(() => {
    const address = addressOf('/dashboard/api/games/{game_id}/{mode}/changes', { params: { game_id, mode } });
    const stream = new EventSource(address);
    let wasCut = false;
    stream.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      const { lists } = JSON.parse(data) as { lists: ChangeKind[] };
      void queries.invalidateQueries({ predicate: ({ queryKey }) => isTouched(String(queryKey[0]), lists) });
    });
    stream.addEventListener('end', () => {
      stream.close();
      void queries.invalidateQueries({ queryKey: SESSION_KEY });
    });
    stream.addEventListener('error', () => {
      wasCut = true;
    });
    // Changes during the gap were not announced, so everything is read again.
    stream.addEventListener('open', () => {
      if (wasCut) void queries.invalidateQueries();
      wasCut = false;
    });
    return () => stream.close();
  }, [game_id, mode, queries]);
}
