import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './kit/problems.ts';
import { SESSION_KEY } from './kit/session.ts';
import { makeRouter } from './router.tsx';
import { Toasts } from './ui/overlay/toast.tsx';

const LONGEST_PAUSE_MS = 5_000;

export function startApp(place: HTMLElement): void {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // The server would refuse again; one that cannot be reached is asked until it answers.
        retry: (_failures, error) => error instanceof Problem && error.code === 'network',
        retryDelay: failures => Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures),
        // The browser's own idea of being online is not asked: a server on this machine needs no network.
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
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={makeRouter(queries)} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
}
