import type { ChangeKind } from '@coinslot/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from '../kit/api.ts';
import { isTouched } from '../kit/live.ts';
import { SESSION_KEY } from '../kit/session.tsx';
import { useEnv } from '../ui/env-link.tsx';

/** Reads again what the server says has changed. The browser itself connects again when the line breaks. */
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
    // What happened while the line was down was told to nobody.
    stream.addEventListener('open', () => {
      if (wasCut) void queries.invalidateQueries();
      wasCut = false;
    });
    return () => stream.close();
  }, [game_id, mode, queries]);
}
