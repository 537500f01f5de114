import type { CompanyLine, SessionState } from '@coinslot/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call, storeCsrfToken } from './api.ts';
import { isAllowed, type Permission } from './permissions.ts';
import type { Problem } from './problems.ts';
import { useEnv } from './use-env.ts';
import { keepDataOffline } from './use-read.ts';

export const SESSION_KEY = ['GET /dashboard/api/session'] as const;

let reading: Promise<SessionState> | null = null;

/**
 * Only one request runs at a time, because two could leave the browser with the cookie of one answer and the CSRF token
 * of the other.
 */
export function readSession(): Promise<SessionState> {
  reading ??= call('GET /dashboard/api/session')
    .then(session => {
      storeCsrfToken(session.csrf_token);
      return session;
    })
    .finally(() => {
      reading = null;
    });
  return reading;
}

export const useSession = (): UseQueryResult<SessionState, Problem> =>
  keepDataOffline(useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 }));

/** Members who came by their company's identity provider prove who they are there, and have no password here. */
export const useIsBySso = (): boolean => useSession().data?.user?.by_sso ?? false;

const AFTER_SSO_KEY = 'coinslot.after-sso';

/** Leaves for the company's identity provider. `next` is the page to come back to. */
export async function beginSso(companyId: string, next: string | null): Promise<void> {
  const { url } = await call('POST /dashboard/api/sso/begin', { body: { company_id: companyId } });
  if (next === null) sessionStorage.removeItem(AFTER_SSO_KEY);
  else sessionStorage.setItem(AFTER_SSO_KEY, next);
  location.assign(url);
}

export function takeNextPage(): string | undefined {
  const next = sessionStorage.getItem(AFTER_SSO_KEY) ?? undefined;
  sessionStorage.removeItem(AFTER_SSO_KEY);
  return next;
}

export interface CurrentGame {
  company: CompanyLine;
  game: CompanyLine['games'][number];
  companies: readonly CompanyLine[];
  may(act: Permission): boolean;
}

/** Finds the game of the address and its company. Null if the member has no access to such a game. */
export function currentGameOf(companies: readonly CompanyLine[], gameId: string): CurrentGame | null {
  for (const company of companies) {
    const game = company.games.find(({ id }) => id === gameId);
    if (game) return { company, game, companies, may: act => isAllowed(company.role, act) };
  }
  return null;
}

export function useCurrentGameOrNull(): CurrentGame | null {
  const { game_id } = useEnv();
  const { data } = useSession();
  return currentGameOf(data?.companies ?? [], game_id);
}

/** For pages inside the shell, which renders nothing until the game is known. */
export function useCurrentGame(): CurrentGame & { company_id: string } {
  const current = useCurrentGameOrNull();
  if (!current) throw new Error('a game page outside of its shell');
  return { ...current, company_id: current.company.id };
}

/** Live without a payment provider, for demonstrations and tests. */
export function useIsSimulated(): boolean {
  const { mode } = useEnv();
  const { data } = useSession();
  return mode === 'live' && (data?.live_is_simulated ?? false);
}
