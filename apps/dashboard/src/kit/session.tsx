import type { CompanyLine, Role, SessionState } from '@coinslot/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEnv } from '../ui/env-link.tsx';
import { call, keepToken, type Problem } from './api.ts';

export const SESSION_KEY = ['GET /dashboard/api/session'] as const;

let reading: Promise<SessionState> | null = null;

/** One at a time: a stranger who asks twice side by side could end with the cookie of one answer and the token of the other. */
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
  useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });

const RANK: Readonly<Record<Role, number>> = { viewer: 0, support: 1, developer: 2, owner: 3 };

export interface Place {
  company: CompanyLine;
  game: CompanyLine['games'][number];
  companies: readonly CompanyLine[];
  may(role: Role): boolean;
}

/** The game of the address and the company it belongs to; null when it is not one of ours. */
export function usePlace(): Place | null {
  const { game_id } = useEnv();
  const { data } = useSession();
  const companies = data?.companies ?? [];
  for (const company of companies) {
    const game = company.games.find(({ id }) => id === game_id);
    if (game) return { company, game, companies, may: role => RANK[company.role] >= RANK[role] };
  }
  return null;
}

/** For pages inside the shell, which shows nothing until the place is known. */
export function useHere(): Place & { company_id: string } {
  const place = usePlace();
  if (!place) throw new Error('a page of a game outside of its shell');
  return { ...place, company_id: place.company.id };
}
