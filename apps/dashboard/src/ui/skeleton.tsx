import { t } from '../kit/texts.ts';

/** A grey bar in the shape of the text that will come. */
export const Bar = ({ className = 'w-24' }: { className?: string }) => (
  <span aria-hidden className={`breathe block h-3 rounded-sm bg-line ${className}`} />
);

export const Loading = () => (
  <span role="status" className="sr-only">
    {t('loading')}
  </span>
);

/** A page of facts before it is there. */
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
