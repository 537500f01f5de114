import { Navigate, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { usePlace, useSession } from '../kit/session.tsx';
import { NotFound } from '../pages/not-found.tsx';
import { useEnv } from '../ui/env-link.tsx';
import { ReadProblem } from '../ui/read-problem.tsx';
import { PageSkeleton } from '../ui/skeleton.tsx';
import { keepPlace } from './last-place.ts';
import { Shell } from './shell.tsx';

/** The address is taken once: while the page of the entrance loads, the address is its own already. */
function ToSignIn() {
  const here = useLocation({ select: ({ href }) => href });
  const [next] = useState(here);
  return <Navigate to="/sign-in" search={{ next }} replace />;
}

/** Nothing of a game is drawn before it is known who asks and that the game is theirs. */
export function EnvironmentGate() {
  const session = useSession();
  const place = usePlace();
  const { game_id, mode } = useEnv();
  useEffect(() => {
    if (place) keepPlace(game_id, mode);
  }, [place, game_id, mode]);
  if (session.isError) return <ReadProblem error={session.error} retry={() => void session.refetch()} />;
  if (!session.data) return <PageSkeleton />;
  if (!session.data.user) return <ToSignIn />;
  if (!place) return <NotFound />;
  return <Shell key={`${game_id}/${mode}`} />;
}
