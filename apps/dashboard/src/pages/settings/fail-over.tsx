import { call } from '../../kit/api.ts';
import { useHere } from '../../kit/session.ts';
import { useAct } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';

/** Only where there is another provider to go to. */
export function FailOver({ on }: { on: boolean }) {
  const { company_id, may } = useHere();
  const change = useAct(
    () =>
      call('PATCH /dashboard/api/companies/{company_id}/providers', {
        params: { company_id },
        body: { fails_over: !on },
      }),
    { done: () => t(on ? 'provider.failOverOff' : 'provider.failOverOn') },
  );
  return (
    <Section
      title={t('provider.failOver')}
      about={t('provider.failOverAbout')}
      actions={
        may('connectProvider') && (
          <Button busy={change.isPending} onClick={() => change.mutate()}>
            {t(on ? 'provider.failOverStop' : 'provider.failOverStart')}
          </Button>
        )
      }
    >
      <p>{t(on ? 'provider.failOverIsOn' : 'provider.failOverIsOff')}</p>
    </Section>
  );
}
