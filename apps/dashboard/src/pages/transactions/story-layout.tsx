import type { TransactionDetail } from '@coinslot/contract';
import type { ReactNode } from 'react';
import { t } from '../../kit/texts.ts';
import { Section } from '../../ui/page.tsx';
import { RawObjects } from './raw-objects.tsx';
import { Story } from './story.tsx';

interface StoryLayoutProps extends Pick<TransactionDetail, 'timeline' | 'raw'> {
  /** Sections beside the story. */
  aside: ReactNode;
  /** Sections between the story and the bytes. */
  children: ReactNode;
}

/** A payment and an order read alike: what happened, beside it what it is about, at the end the bytes. */
export const StoryLayout = ({ timeline, raw, aside, children }: StoryLayoutProps) => (
  <>
    <div className="grid gap-x-12 lg:grid-cols-[1fr_400px]">
      <div className="min-w-0">
        <Section title={t('transaction.story')}>
          <Story entries={timeline} />
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
