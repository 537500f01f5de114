import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { EnvLink } from './env-link.tsx';
import { type Guide, GuideLink } from './guide-link.tsx';
import { Part } from './part.tsx';

interface PageProps {
  title: string;
  /** A status or count beside the title. */
  badge?: ReactNode;
  about?: ReactNode;
  /** The guide that answers the question this page raises. */
  guide?: Guide;
  actions?: ReactNode;
  back?: { to: string; label: string };
  children: ReactNode;
}

/** The heading receives focus when a page opens, so that screen readers announce the page. */
export function Page({ title, badge, about, guide, actions, back, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Coinslot`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pt-6 pb-16 md:px-8 md:pt-8">
      {back && (
        <EnvLink to={back.to} className="mb-2 inline-flex items-center gap-1 text-soft hover:text-ink">
          <ChevronLeft size={16} aria-hidden />
          {back.label}
        </EnvLink>
      )}
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pb-6">
        <div className="min-w-0">
          <div className="flex min-w-0 flex-wrap items-center gap-3">
            <h1
              ref={heading}
              tabIndex={-1}
              title={title}
              className="line-clamp-2 max-w-full text-28 break-words font-semibold tracking-[-0.01em]"
            >
              {title}
            </h1>
            {badge}
          </div>
          {about && <p className="max-w-[65ch] pt-1 text-soft">{about}</p>}
          {guide && (
            <p className="pt-1">
              <GuideLink guide={guide} />
            </p>
          )}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  /** The level of the heading: 3 inside a part that has an h2 of its own. */
  level?: 2 | 3;
}

const HEADINGS = { 2: 'h2', 3: 'h3' } as const;

const Heading = ({ level, title }: Required<Pick<SectionProps, 'level' | 'title'>>) => {
  const Name = HEADINGS[level];
  return <Name className={level === 2 ? 'text-16 font-semibold' : 'text-soft'}>{title}</Name>;
};

export const Section = ({ title, about, actions, children, className = '', level = 2 }: SectionProps) => (
  <section className={`min-w-0 border-t border-line py-6 ${className}`}>
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-4">
      <div className="min-w-0 flex-1 basis-60">
        <Heading level={level} title={title} />
        {about && <p className="max-w-[65ch] text-soft">{about}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
    <Part>{children}</Part>
  </section>
);

export const Card = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <div className={`rounded-lg border border-line bg-surface ${className}`}>{children}</div>
);

export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[minmax(112px,auto)_1fr] gap-x-6 gap-y-3">{children}</dl>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);

const TONES = {
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  info: 'bg-info-wash text-info',
  good: 'bg-good-wash text-good',
} as const;

interface NoticeProps {
  tone: keyof typeof TONES;
  icon: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

export const Notice = ({ tone, icon, children, action }: NoticeProps) => (
  <div className={`flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md px-4 py-3 ${TONES[tone]}`}>
    <span className="flex min-w-0 flex-1 basis-64 items-start gap-3">
      <span className="mt-0.5 shrink-0">{icon}</span>
      <span className="min-w-0">{children}</span>
    </span>
    {action}
  </div>
);
