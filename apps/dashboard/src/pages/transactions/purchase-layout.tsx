import type { TransactionDetail } from '@coinslot/contract';
import { type ReactNode, useState } from 'react';
import { prettyText } from '../../kit/format.ts';
import { t } from '../../texts/texts.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Section } from '../../ui/page.tsx';
import { PurchaseTimeline } from './purchase-timeline.tsx';

interface PurchaseLayoutProps extends Pick<TransactionDetail, 'timeline' | 'raw'> {
  /** Sections beside the timeline. */
  aside: ReactNode;
  /** Sections between the timeline and the raw objects. */
  children: ReactNode;
}

function RawObjects({ raw }: { raw: readonly { name: string; json: string }[] }) {
  const [at, setAt] = useState(0);
  const shown = raw[at];
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-1">
        {raw.map(({ name }, index) => (
          <button
            type="button"
            key={name}
            title={name}
            aria-pressed={index === at}
            onClick={() => setAt(index)}
            className="h-8 rounded-full border border-line px-3 font-mono text-12 text-soft hover:text-ink aria-pressed:border-edge aria-pressed:bg-sunk aria-pressed:text-ink touch-44"
          >
            {name.split(' ')[0]}
          </button>
        ))}
      </div>
      {shown && <CodeBlock text={prettyText(shown.json)} label={t('raw.label', { name: shown.name })} tall />}
    </div>
  );
}

/** A payment's page and an order's page share this layout. */
export const PurchaseLayout = ({ timeline, raw, aside, children }: PurchaseLayoutProps) => (
  <>
    <div className="grid gap-x-12 lg:grid-cols-[1fr_400px]">
      <div className="min-w-0">
        <Section title={t('transaction.timeline')}>
          <PurchaseTimeline entries={timeline} />
        </Section>
      </div>
      <div className="min-w-0">{aside}</div>
    </div>
    {children}
    <Section title={t('raw.title')} about={t('raw.about')}>
      <RawObjects raw={raw} />
    </Section>
  </>
);
