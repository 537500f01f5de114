import { Navigate, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePlace, useSession } from '../kit/session.tsx';
import { NotFound } from '../pages/not-found.tsx';
import { useEnv } from '../ui/env-link.tsx';
import { ReadProblem } from '../ui/list-view.tsx';
import { PageSkeleton } from '../ui/skeleton.tsx';
import { keepPlace } from './last-place.ts';
import { Shell } from './shell.tsx';

/** Nothing of a game is drawn before it is known who asks and that the game is theirs. */
export function EnvironmentGate() {
  const session = useSession();
  const place = usePlace();
  const { game_id, mode } = useEnv();
  const here = useLocation({ select: ({ href }) => href });
  useEffect(() => {
    if (place) keepPlace(game_id, mode);
  }, [place, game_id, mode]);
  if (session.isError) return <ReadProblem error={session.error} retry={() => void session.refetch()} />;
  if (!session.data) return <PageSkeleton />;
  if (!session.data.user) return <Navigate to="/sign-in" search={{ next: here }} replace />;
  if (!place) return <NotFound />;
  return <Shell key={`${game_id}/${mode}`} />;
}
