import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { mayHelpToRetry, type Problem, problemText } from '../kit/problems.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Notice } from './page.tsx';

/** A gray bar in place of a text that is loading. */
export const Bar = ({ className = 'w-24' }: { className?: string }) => (
  <span aria-hidden className={`breathe block h-3 rounded-sm bg-line ${className}`} />
);

export const Loading = () => (
  <span role="status" className="sr-only">
    {t('loading')}
  </span>
);

export const PageSkeleton = () => (
  <div className="mx-auto w-full max-w-[1200px] px-4 pt-8 md:px-8">
    <Loading />
    <Bar className="h-7 w-56" />
    <div className="grid gap-4 pt-10">
      {[72, 88, 64, 80].map(width => (
        <Bar key={width} className={width > 70 ? 'w-full' : 'w-2/3'} />
      ))}
    </div>
  </div>
);

/** For lists whose entries are taller than a row. */
export const ListSkeleton = () => (
  <div className="grid gap-8 pt-4">
    <Loading />
    {[1, 2, 3].map(one => (
      <div key={one} className="grid gap-3">
        <Bar className="w-1/3" />
        <Bar className="w-2/3" />
      </div>
    ))}
  </div>
);

export const ReadProblem = ({ error, retry }: { error: Problem; retry(): void }) => (
  <Notice
    tone="bad"
    icon={<CircleAlert size={16} aria-hidden />}
    action={
      mayHelpToRetry(error) && (
        <Button size="small" onClick={retry}>
          {t('problem.again')}
        </Button>
      )
    }
  >
    {problemText(error)}
  </Notice>
);

/** Replaces a page about one object while it loads or if it failed to load. */
export const LoadingOrProblem = ({ read }: { read: UseQueryResult<unknown, Problem> }) =>
  read.isError ? (
    <div className="p-8">
      <ReadProblem error={read.error} retry={() => void read.refetch()} />
    </div>
  ) : (
    <PageSkeleton />
  );
