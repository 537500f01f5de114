import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './kit/problems.ts';
import { readSession, SESSION_KEY } from './kit/session.ts';
import { makeRouter } from './router.tsx';
import { ReauthenticateDialog } from './ui/overlay/reauthenticate-dialog.tsx';
import { Toasts } from './ui/overlay/toast.tsx';

const LONGEST_PAUSE_MS = 5_000;

interface AppParts {
  queries: QueryClient;
  router: ReturnType<typeof makeRouter>;
}

/** Starts loading what the first page needs before anything can be rendered. */
export function prepareApp(): AppParts {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A refusal would only be repeated, so it is not retried. An unreachable server is retried until it answers.
        retry: (_failures, error) => error instanceof Problem && error.code === 'network',
        retryDelay: failures => Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures),
        // `navigator.onLine` is ignored, because a server on this machine can be reached without a network.
        networkMode: 'always',
      },
      mutations: {
        networkMode: 'always',
      },
    },
  });
  queries.getQueryCache().subscribe(({ query }) => {
    const { error } = query.state;
    if (!(error instanceof Problem) || error.code !== 'sign_in_required') return;
    if (query.queryKey[0] !== SESSION_KEY[0]) void queries.invalidateQueries({ queryKey: SESSION_KEY });
  });
  const router = makeRouter(queries);
  void queries.prefetchQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });
  void router.load();
  return { queries, router };
}

export function startApp(place: HTMLElement, { queries, router }: AppParts): void {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <ReauthenticateDialog />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
}
