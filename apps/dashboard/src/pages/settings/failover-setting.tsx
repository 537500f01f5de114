import { call } from '../../kit/api.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';

/** Only shown if two providers are connected. */
export function FailoverSetting({ on }: { on: boolean }) {
  const { company_id, may } = useCurrentGame();
  const change = useAction(
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
