import type { ReactNode } from 'react';

interface EmptyStateProps {
  picture: ReactNode;
  title: string;
  /** `h1` if it fills the whole page. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  action?: ReactNode;
}

/** Says what this list is for and what to do first. */
export const EmptyState = ({ picture, title, heading: Heading = 'h2', children, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center px-4 py-16 text-center">
    <div className="relative mb-5 grid size-16 place-items-center rounded-full border border-dashed border-edge text-soft">
      {picture}
      <svg aria-hidden viewBox="0 0 24 8" className="absolute -bottom-1 w-8 fill-mark">
        <rect x="0" y="2" width="24" height="3" rx="1.5" />
      </svg>
    </div>
    <Heading className="text-20 font-semibold">{title}</Heading>
    {children && <div className="max-w-[48ch] pt-1 text-soft">{children}</div>}
    {action && <div className="flex flex-wrap justify-center gap-2 pt-5">{action}</div>}
  </div>
);
