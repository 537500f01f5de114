import type { TransactionDetail } from '@coinslot/contract';
import type { ReactNode } from 'react';
import { t } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { PurchaseTimeline } from './purchase-timeline.tsx';
import { RawObjects } from './raw-objects.tsx';

interface PurchaseLayoutProps extends Pick<TransactionDetail, 'timeline' | 'raw'> {
  /** Sections beside the timeline. */
  aside: ReactNode;
  /** Sections between the timeline and the raw objects. */
  children: ReactNode;
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
