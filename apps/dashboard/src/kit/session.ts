import type { CompanyLine, SessionState } from '@coinslot/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call, keepToken } from './api.ts';
import { type Act, isAllowed } from './permissions.ts';
import type { Problem } from './problems.ts';
import { useEnv } from './use-env.ts';
import { keptWhileAway } from './use-read.ts';

export const SESSION_KEY = ['GET /dashboard/api/session'] as const;

let reading: Promise<SessionState> | null = null;

/** One request at a time: two side by side could leave the browser with the cookie of one answer and the token of the other. */
export function readSession(): Promise<SessionState> {
  reading ??= call('GET /dashboard/api/session')
    .then(session => {
      keepToken(session.csrf_token);
      return session;
    })
    .finally(() => {
      reading = null;
    });
  return reading;
}

export const useSession = (): UseQueryResult<SessionState, Problem> =>
  keptWhileAway(useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 }));

export interface Place {
  company: CompanyLine;
  game: CompanyLine['games'][number];
  companies: readonly CompanyLine[];
  may(act: Act): boolean;
}

/** The game of the address and the company it belongs to; null when the member has no such game. */
export function placeOf(companies: readonly CompanyLine[], gameId: string): Place | null {
  for (const company of companies) {
    const game = company.games.find(({ id }) => id === gameId);
    if (game) return { company, game, companies, may: act => isAllowed(company.role, act) };
  }
  return null;
}

export function usePlace(): Place | null {
  const { game_id } = useEnv();
  const { data } = useSession();
  return placeOf(data?.companies ?? [], game_id);
}

/** For pages inside the shell, which shows nothing until the place is known. */
export function useHere(): Place & { company_id: string } {
  const place = usePlace();
  if (!place) throw new Error('a game page outside of its shell');
  return { ...place, company_id: place.company.id };
}
