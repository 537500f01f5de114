import { Navigate, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadWhenOnline } from '../kit/connection.ts';
import { useCurrentGameOrNull, useSession } from '../kit/session.ts';
import { useEnv } from '../kit/use-env.ts';
import { NotFound } from '../pages/not-found.tsx';
import { withTexts } from '../texts/texts.ts';
import { ReadProblem } from '../ui/loading.tsx';
import { rememberEnvironment } from './paths.ts';
import { Shell } from './shell.tsx';
import { ShellSkeleton } from './shell-skeleton.tsx';

/** Loaded on demand, because few members see it and the code for QR codes and passkeys is large. */
const SecondFactorGate = lazy(
  loadWhenOnline(
    withTexts('setup', () =>
      import('./second-factor-gate.tsx').then(({ SecondFactorGate: component }) => ({ default: component })),
    ),
  ),
);

/** Reads the address once, because it becomes the sign-in page's own while that page loads. */
function ToSignIn() {
  const here = useLocation({ select: ({ href }) => href });
  const [next] = useState(here);
  return <Navigate to="/sign-in" search={{ next }} replace />;
}

/** Renders nothing of a game until the member's access to it is confirmed. */
export function EnvironmentGate() {
  const session = useSession();
  const current = useCurrentGameOrNull();
  const { game_id, mode } = useEnv();
  const isMissing = current?.company.second_factor_missing ?? false;
  // The recovery codes are shown only once, so the page stays open until the member continues.
  const [isSetupOpen, setSetupOpen] = useState(false);
  if (isMissing && !isSetupOpen) setSetupOpen(true);
  useEffect(() => {
    if (current) rememberEnvironment(game_id, mode);
  }, [current, game_id, mode]);
  if (session.isError) return <ReadProblem error={session.error} retry={() => void session.refetch()} />;
  if (!session.data) return <ShellSkeleton />;
  if (!session.data.user) return <ToSignIn />;
  if (!current) return <NotFound />;
  if (isMissing || isSetupOpen)
    return (
      <Suspense fallback={<ShellSkeleton />}>
        <SecondFactorGate company={current.company.name} isDone={!isMissing} onDone={() => setSetupOpen(false)} />
      </Suspense>
    );
  return <Shell key={`${game_id}/${mode}`} />;
}
