import type { ReactNode } from 'react';

export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 border-t border-line md:grid-cols-[repeat(auto-fit,minmax(136px,1fr))]">
    {children}
  </dl>
);

interface FigureProps {
  name: string;
  children: ReactNode;
  note?: ReactNode;
  tone?: 'bad' | 'good';
}

export const Figure = ({ name, children, note, tone }: FigureProps) => (
  <div className="min-w-0 border-b border-line py-4 pr-4">
    <dt className="text-soft">{name}</dt>
    <dd
      className={`truncate pt-1 text-20 font-semibold tracking-[-0.01em] md:text-28 ${tone === 'bad' ? 'text-bad' : tone === 'good' ? 'text-good' : ''}`}
    >
      {children}
    </dd>
    {note && <dd className="text-12 text-soft">{note}</dd>}
  </div>
);
