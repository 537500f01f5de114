import { Navigate, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { patiently } from '../kit/connection.ts';
import { usePlace, useSession } from '../kit/session.ts';
import { useEnv } from '../kit/use-env.ts';
import { NotFound } from '../pages/not-found.tsx';
import { withTexts } from '../texts/texts.ts';
import { ReadProblem } from '../ui/reading.tsx';
import { keepPlace } from './places.ts';
import { Shell } from './shell.tsx';
import { ShellSkeleton } from './shell-skeleton.tsx';

/** Few members ever see it, and codes and passkeys are large. */
const SecondFactorGate = lazy(
  patiently(
    withTexts('setup', () =>
      import('./second-factor-gate.tsx').then(({ SecondFactorGate: component }) => ({ default: component })),
    ),
  ),
);

/** The address is read once, because while the sign-in page loads it is already the sign-in's own. */
function ToSignIn() {
  const here = useLocation({ select: ({ href }) => href });
  const [next] = useState(here);
  return <Navigate to="/sign-in" search={{ next }} replace />;
}

/** Nothing of a game is drawn before the member is known to have access to it. */
export function EnvironmentGate() {
  const session = useSession();
  const place = usePlace();
  const { game_id, mode } = useEnv();
  const isMissing = place?.company.second_factor_missing ?? false;
  // The recovery codes are shown only once, so the page stays until the member goes on.
  const [isHeld, setHeld] = useState(false);
  if (isMissing && !isHeld) setHeld(true);
  useEffect(() => {
    if (place) keepPlace(game_id, mode);
  }, [place, game_id, mode]);
  if (session.isError) return <ReadProblem error={session.error} retry={() => void session.refetch()} />;
  if (!session.data) return <ShellSkeleton />;
  if (!session.data.user) return <ToSignIn />;
  if (!place) return <NotFound />;
  if (isMissing || isHeld)
    return (
      <Suspense fallback={<ShellSkeleton />}>
        <SecondFactorGate company={place.company.name} isDone={!isMissing} onDone={() => setHeld(false)} />
      </Suspense>
    );
  return <Shell key={`${game_id}/${mode}`} />;
}
