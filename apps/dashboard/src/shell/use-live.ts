import type { ChangeKind } from '@coinslot/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf } from '../kit/address.ts';
import { currentConnection, onConnection, suspectServer, watchSilence } from '../kit/connection.ts';
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

/** Reads again what the server says has changed, and everything once the server is back. */
export function useLive(): void {
  const { game_id, mode } = useEnv();
  const queries = useQueryClient();
  const [opened, setOpened] = useState(0);
  useEffect(() => {
    const address = addressOf('/dashboard/api/games/{game_id}/{mode}/changes', { params: { game_id, mode } });
    const stream = new EventSource(address);
    const { heard, opening, stop } = watchSilence();
    stream.addEventListener('beat', heard);
    stream.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      heard();
      const { lists } = JSON.parse(data) as { lists: ChangeKind[] };
      void queries.invalidateQueries({ predicate: ({ queryKey }) => isTouched(String(queryKey[0]), lists) });
    });
    stream.addEventListener('end', () => {
      stream.close();
      void queries.invalidateQueries({ queryKey: SESSION_KEY });
    });
    stream.addEventListener('error', () => {
      opening();
      void suspectServer();
    });
    stream.addEventListener('open', heard);
    let wasLost = currentConnection().isLost;
    // Changes during the gap were not announced, so everything is read again.
    const stopListening = onConnection(() => {
      const { isLost } = currentConnection();
      if (wasLost && !isLost) {
        void queries.invalidateQueries();
        // The browser gives up on a stream that a proxy answered with an error.
        if (stream.readyState === EventSource.CLOSED) setOpened(times => times + 1);
      }
      wasLost = isLost;
    });
    return () => {
      stop();
      stopListening();
      stream.close();
    };
  }, [game_id, mode, queries, opened]);
}
