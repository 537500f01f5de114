import { Mark } from '../ui/images.tsx';
import { Bar, PageSkeleton } from '../ui/loading.tsx';

/** Repeats the outline of index.html, so that nothing moves until the session has arrived. */
export const ShellSkeleton = () => (
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
