import type { ReactNode } from 'react';
import { formatExactTime, formatFullTime } from '../kit/format.ts';
import { language } from '../texts/texts.ts';

export type StepTone = 'plain' | 'good' | 'warn' | 'bad';

const DOTS: Readonly<Record<StepTone, string>> = {
  plain: 'border-edge text-soft bg-surface',
  good: 'border-good text-good bg-good-wash',
  warn: 'border-warn text-warn bg-warn-wash',
  bad: 'border-bad text-bad bg-bad-wash',
};

interface StepProps {
  at: number;
  tone: StepTone;
  icon: ReactNode;
  title: string;
  children?: ReactNode;
}

export const Timeline = ({ children }: { children: ReactNode }) => <ol className="relative">{children}</ol>;

export const Step = ({ at, tone, icon, title, children }: StepProps) => (
  <li className="relative flex gap-4 pb-6 last:pb-0 not-last:before:absolute not-last:before:top-8 not-last:before:bottom-0 not-last:before:left-4 not-last:before:w-px not-last:before:bg-line">
    <span className={`grid size-8 shrink-0 place-items-center rounded-full border ${DOTS[tone]}`}>{icon}</span>
    <div className="min-w-0 flex-1 pt-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-semibold">{title}</p>
        <time
          dateTime={new Date(at * 1_000).toISOString()}
          title={formatFullTime(language, at)}
          className="text-12 text-faint"
        >
          {formatExactTime(language, at)}
        </time>
      </div>
      {children && <div className="pt-0.5 text-soft">{children}</div>}
    </div>
  </li>
);
