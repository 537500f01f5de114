import type { SessionState } from '@coinslot/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { keepToken } from '../../kit/api.ts';
import { SESSION_KEY } from '../../kit/session.ts';
import { lastPlace, placeToStart } from '../../shell/places.ts';
import { language, switchLanguage } from '../../texts/texts.ts';

/** After sign-in: the new session and its token replace the old ones. */
export function useEnter(): (session: SessionState, to?: string | null) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (session, to = null) => {
    queries.clear();
    keepToken(session.csrf_token);
    queries.setQueryData(SESSION_KEY, session);
    const games = session.companies.flatMap(company => company.games);
    void navigate({ to: to ?? placeToStart(games, lastPlace()) ?? '/', replace: true }).then(() => {
      const wanted = session.user?.locale;
      if (wanted && wanted !== language) switchLanguage(wanted);
    });
  };
}
