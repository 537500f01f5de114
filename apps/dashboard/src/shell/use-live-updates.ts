import type { ChangeKind } from '@coinslot/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf } from '../kit/address.ts';
import { checkServer, currentConnection, onConnection, watchHeartbeat } from '../kit/connection.ts';
import { SESSION_KEY } from '../kit/session.ts';
import { useEnv } from '../kit/use-env.ts';

/** Which routes show each kind of change. */
const ROUTES_SHOWING: Readonly<Record<ChangeKind, readonly string[]>> = {
  orders: ['/orders', '/checklist', '/attention'],
  payments: ['/transactions', '/players', '/attention'],
  deliveries: ['/deliveries', '/webhooks'],
  grants: ['/grants', '/attention'],
  home: ['/home', '/checklist'],
};

export const isAffected = (route: string, lists: readonly ChangeKind[]): boolean =>
  lists.some(list => ROUTES_SHOWING[list]?.some(part => route.includes(`{mode}${part}`)));

/** Refreshes what the server reports as changed, and everything once the server is back online. */
export function useLiveUpdates(): void {
  const { game_id, mode } = useEnv();
  const queries = useQueryClient();
  const [opened, setOpened] = useState(0);
  useEffect(() => {
    const address = addressOf('/dashboard/api/games/{game_id}/{mode}/changes', { params: { game_id, mode } });
    const stream = new EventSource(address);
    const { beat, opening, stop } = watchHeartbeat();
    stream.addEventListener('beat', beat);
    stream.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      beat();
      const { lists } = JSON.parse(data) as { lists: ChangeKind[] };
      void queries.invalidateQueries({ predicate: ({ queryKey }) => isAffected(String(queryKey[0]), lists) });
    });
    stream.addEventListener('end', () => {
      stream.close();
      void queries.invalidateQueries({ queryKey: SESSION_KEY });
    });
    stream.addEventListener('error', () => {
      opening();
      void checkServer();
    });
    stream.addEventListener('open', beat);
    let wasOffline = currentConnection().isOffline;
    // The server does not report changes that happened during the outage.
    const stopListening = onConnection(() => {
      const { isOffline } = currentConnection();
      if (wasOffline && !isOffline) {
        void queries.invalidateQueries();
        // The browser does not reopen a stream that a proxy answered with an error.
        if (stream.readyState === EventSource.CLOSED) setOpened(times => times + 1);
      }
      wasOffline = isOffline;
    });
    return () => {
      stop();
      stopListening();
      stream.close();
    };
  }, [game_id, mode, queries, opened]);
}
