import { type ReactNode, useId } from 'react';

const COLUMNS = {
  fit: 'md:grid-cols-[repeat(auto-fit,minmax(136px,1fr))]',
  two: '',
  four: 'md:grid-cols-4',
} as const;

/** Two columns on a phone. A wide screen shows as many as fit, or as many as the page says. */
export const Figures = ({ children, columns = 'fit' }: { children: ReactNode; columns?: keyof typeof COLUMNS }) => (
  <dl className={`grid grid-cols-2 border-t border-line ${COLUMNS[columns]}`}>{children}</dl>
);

interface FigureProps {
  name: string;
  /** A sentence that says what exactly is counted. */
  about?: string;
  children: ReactNode;
  note?: ReactNode;
  tone?: 'bad' | 'good';
}

const SHORT_CHARS = 9;
const MIDDLE_CHARS = 13;

/** A long total gets a smaller font. It is never cut or wrapped, because half a number is a wrong number. */
export const figureSize = (text: string): string => {
  if (text.length <= SHORT_CHARS) return 'text-20 md:text-28';
  return text.length <= MIDDLE_CHARS ? 'text-16 md:text-20' : 'text-14 md:text-16';
};

/** The tooltip opens for mouse, keyboard and tap, closes on Escape, and stays inside the screen. */
function NameWithTooltip({ name, about }: { name: string; about: string }) {
  const id = useId();
  return (
    <span className="group/about relative inline-block">
      <button
        type="button"
        aria-describedby={id}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        className="cursor-help text-left underline decoration-dotted underline-offset-4"
      >
        {name}
      </button>
      <span
        role="tooltip"
        id={id}
        className="absolute top-full left-0 z-20 hidden w-max max-w-56 rounded-md bg-ink px-3 py-2 text-12 text-surface shadow-float group-focus-within/about:block group-hover/about:block max-md:group-even/figure:right-0 max-md:group-even/figure:left-auto md:group-[:nth-child(4n)]/figure:right-0 md:group-[:nth-child(4n)]/figure:left-auto"
      >
        {about}
      </span>
    </span>
  );
}

export const Figure = ({ name, about, children, note, tone }: FigureProps) => (
  <div className="group/figure min-w-0 border-b border-line py-4 pr-4 max-md:last:odd:col-span-2">
    <dt className="text-soft">{about ? <NameWithTooltip name={name} about={about} /> : name}</dt>
    <dd
      className={`pt-1 font-semibold tracking-[-0.01em] whitespace-nowrap ${figureSize(typeof children === 'string' ? children : '')} ${tone === 'bad' ? 'text-bad' : tone === 'good' ? 'text-good' : ''}`}
    >
      {children}
    </dd>
    {note && <dd className="text-12 text-soft">{note}</dd>}
  </div>
);
