import { CircleCheck } from 'lucide-react';
import { useRead } from '../kit/use-read.ts';
import { Passkeys } from '../pages/profile/passkeys.tsx';
import { TwoStep } from '../pages/profile/two-step.tsx';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/button.tsx';
import { PageSkeleton, ReadProblem } from '../ui/loading.tsx';
import { Notice, Page, Section } from '../ui/page.tsx';
import { AccountLinks } from './user-menu.tsx';

/** Shown to members of a company that requires a second factor, until they have one. */
interface SecondFactorGateProps {
  company: string;
  /** The member has set up a second factor. */
  isDone: boolean;
  onDone(): void;
}

export function SecondFactorGate({ company, isDone, onDone }: SecondFactorGateProps) {
  const read = useRead('GET /dashboard/api/me', {});
  if (read.isPending) return <PageSkeleton />;
  return (
    <main className="mx-auto max-w-[760px] px-4 py-6">
      <Page title={t('secondFactor.title')} about={t('secondFactor.about', { company })}>
        {isDone && (
          <Notice
            tone="good"
            icon={<CircleCheck size={16} aria-hidden />}
            action={
              <Button look="primary" onClick={onDone}>
                {t('secondFactor.goOn')}
              </Button>
            }
          >
            {t('secondFactor.done')}
          </Notice>
        )}
        {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
        {read.data && (
          <>
            <Section title={t('passkeys.title')} about={t('passkeys.about')}>
              <Passkeys profile={read.data} />
            </Section>
            <Section title={t('twoStep.title')} about={t('twoStep.about')}>
              <TwoStep profile={read.data} />
            </Section>
          </>
        )}
      </Page>
      <AccountLinks />
    </main>
  );
}
