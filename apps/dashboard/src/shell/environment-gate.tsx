import { Navigate, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadWhenOnline } from '../kit/connection.ts';
import { useCurrentGameOrNull, useSession } from '../kit/session.ts';
import { useEnv } from '../kit/use-env.ts';
import { NotFound } from '../pages/not-found.tsx';
import { withTexts } from '../texts/texts.ts';
import { Mark } from '../ui/images.tsx';
import { Bar, PageSkeleton, ReadProblem } from '../ui/loading.tsx';
import { rememberEnvironment } from './paths.ts';
import { Shell } from './shell.tsx';

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

/** Repeats the outline of index.html, so that nothing moves until the session has arrived. */
const ShellSkeleton = () => (
  <div aria-busy>
    <div className="flex h-14 items-center gap-3 border-b border-line bg-surface px-4 text-16 font-semibold">
      <Mark />
      Coinslot
    </div>
    <div className="flex min-h-[calc(100dvh-56px)]">
      <div className="grid w-[248px] shrink-0 content-start gap-5 border-r border-line bg-ground p-5 max-md:hidden">
        {['w-24', 'w-32', 'w-28', 'w-20'].map(width => (
          <Bar key={width} className={width} />
        ))}
      </div>
      <div className="min-w-0 flex-1">
        <PageSkeleton />
      </div>
    </div>
  </div>
);

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
