import type { SessionState } from '@coinslot/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { storeCsrfToken } from '../../kit/api.ts';
import { SESSION_KEY } from '../../kit/session.ts';
import { lastEnvironment, startPath } from '../../shell/paths.ts';
import { language, switchLanguage } from '../../texts/texts.ts';

/** Replaces the old session and its CSRF token after sign-in. */
export function useStartSession(): (session: SessionState, to?: string | null) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (session, to = null) => {
    queries.clear();
    storeCsrfToken(session.csrf_token);
    queries.setQueryData(SESSION_KEY, session);
    const games = session.companies.flatMap(company => company.games);
    void navigate({ to: to ?? startPath(games, lastEnvironment()) ?? '/', replace: true }).then(() => {
      const wanted = session.user?.locale;
      if (wanted && wanted !== language) switchLanguage(wanted);
    });
  };
}
