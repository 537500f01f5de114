import type { DashboardRoute } from '@coinslot/contract';
import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type AnswerOf, call, type RequestOf } from './api.ts';
import { notifyDone, notifyProblem } from './messages.ts';
import type { Problem } from './problems.ts';

export type ReadRoute = Extract<DashboardRoute, `GET ${string}`>;

type Call = (route: string, request: unknown, signal: AbortSignal) => Promise<unknown>;

interface ReadOptions<Answer> {
  enabled?: boolean;
  keep?: boolean;
  /** How long to wait before reading again, or false to stop. */
  refetchMs?(answer: Answer | undefined): number | false;
}

/** Reads a route. Route and request form the cache key, so that live updates can invalidate by route. */
export function useRead<Route extends ReadRoute>(
  route: Route,
  request: RequestOf<Route>,
  { enabled = true, keep = false, refetchMs }: ReadOptions<AnswerOf<Route>> = {},
): UseQueryResult<AnswerOf<Route>, Problem> {
  const result = useQuery<AnswerOf<Route>, Problem>({
    queryKey: [route, request],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      (call as Call)(route, request, signal) as Promise<AnswerOf<Route>>,
    enabled,
    ...(keep && { placeholderData: keepPreviousData }),
    ...(refetchMs && {
      refetchInterval: (query: { state: { data?: AnswerOf<Route> } }) => refetchMs(query.state.data),
    }),
  } as never);
  return keepDataOffline(result);
}

/** Keeps showing the last data while the server is offline. The shell's banner says that it is old. */
export function keepDataOffline<Data>(result: UseQueryResult<Data, Problem>): UseQueryResult<Data, Problem> {
  if (!result.isError || result.data === undefined || result.error.code !== 'network') return result;
  return { ...result, isError: false, error: null, status: 'success', isSuccess: true } as never;
}

interface ActionOptions<Given, Answer> {
  /** What was done, in the past tense, for the toast. */
  done?(answer: Answer, given: Given): string;
  undo?(answer: Answer, given: Given): (() => void) | undefined;
  after?(answer: Answer, given: Given): void;
  /** Shows problems beside a field instead of in a toast. */
  quiet?: boolean;
}

/** Runs a change, tells the member what was done, and refreshes everything on the screen. */
export function useAction<Given = void, Answer = unknown>(
  act: (given: Given) => Promise<Answer>,
  { done, undo, after, quiet = false }: ActionOptions<Given, Answer> = {},
): UseMutationResult<Answer, Problem, Given> {
  const queries = useQueryClient();
  return useMutation<Answer, Problem, Given>({
    mutationFn: act,
    onSuccess: async (answer, given) => {
      await queries.invalidateQueries();
      if (done) notifyDone(done(answer, given), undo?.(answer, given));
      after?.(answer, given);
    },
    onError: error => {
      if (!quiet) notifyProblem(error);
    },
  });
}
