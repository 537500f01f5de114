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
import { tellDone, tellProblem } from './messages.ts';
import type { Problem } from './problems.ts';

export type ReadRoute = Extract<DashboardRoute, `GET ${string}`>;

type Call = (route: string, request: unknown, signal: AbortSignal) => Promise<unknown>;

interface ReadOptions<Answer> {
  enabled?: boolean;
  keep?: boolean;
  /** How long until the next look at what changes by itself; false to stop. */
  againMs?(answer: Answer | undefined): number | false;
}

/** Reads by route. Route and request are the cache key, so that a change can name what to read again. */
export function useRead<Route extends ReadRoute>(
  route: Route,
  request: RequestOf<Route>,
  { enabled = true, keep = false, againMs }: ReadOptions<AnswerOf<Route>> = {},
): UseQueryResult<AnswerOf<Route>, Problem> {
  const result = useQuery<AnswerOf<Route>, Problem>({
    queryKey: [route, request],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      (call as Call)(route, request, signal) as Promise<AnswerOf<Route>>,
    enabled,
    ...(keep && { placeholderData: keepPreviousData }),
    ...(againMs && { refetchInterval: (query: { state: { data?: AnswerOf<Route> } }) => againMs(query.state.data) }),
  } as never);
  return keptWhileAway(result);
}

/** What was read before stays on the screen while the server cannot be reached; the shell says that it is old. */
export function keptWhileAway<Data>(result: UseQueryResult<Data, Problem>): UseQueryResult<Data, Problem> {
  if (!result.isError || result.data === undefined || result.error.code !== 'network') return result;
  return { ...result, isError: false, error: null, status: 'success', isSuccess: true } as never;
}

interface ActOptions<Given, Answer> {
  /** What was done, in the past tense. */
  done?(answer: Answer, given: Given): string;
  undo?(answer: Answer, given: Given): (() => void) | undefined;
  after?(answer: Answer, given: Given): void;
  /** Problems are shown beside a field instead of in a toast. */
  quiet?: boolean;
}

/** A change: tells the member what was done, and everything on the screen is read again. */
export function useAct<Given = void, Answer = unknown>(
  act: (given: Given) => Promise<Answer>,
  { done, undo, after, quiet = false }: ActOptions<Given, Answer> = {},
): UseMutationResult<Answer, Problem, Given> {
  const queries = useQueryClient();
  return useMutation<Answer, Problem, Given>({
    mutationFn: act,
    onSuccess: async (answer, given) => {
      await queries.invalidateQueries();
      if (done) tellDone(done(answer, given), undo?.(answer, given));
      after?.(answer, given);
    },
    onError: error => {
      if (!quiet) tellProblem(error);
    },
  });
}
