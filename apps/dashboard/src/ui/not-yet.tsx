import type { UseQueryResult } from '@tanstack/react-query';
import type { Problem } from '../kit/api.ts';
import { ReadProblem } from './read-problem.tsx';
import { PageSkeleton } from './skeleton.tsx';

/** In place of a page about one thing: its shape while it is read, or why it could not be. */
export const NotYet = ({ read }: { read: UseQueryResult<unknown, Problem> }) =>
  read.isError ? (
    <div className="p-8">
      <ReadProblem error={read.error} retry={() => void read.refetch()} />
    </div>
  ) : (
    <PageSkeleton />
  );
