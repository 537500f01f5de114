import { FlaskConical, Shuffle } from 'lucide-react';
import { call } from '../../kit/api.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Switch } from '../../ui/field.tsx';
import { PageSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { Notice, Page, Section } from '../../ui/page.tsx';

function Chaos({ enabled }: { enabled: boolean }) {
  const params = useEnv();
  const { may } = useCurrentGame();
  const change = useAction(
    (on: boolean) => call('PUT /dashboard/api/games/{game_id}/{mode}/chaos', { params, body: { enabled: on } }),
    { done: changed => t(changed.enabled ? 'sandboxTools.chaosOn' : 'sandboxTools.chaosOff') },
  );
  return (
    <Section title={t('sandboxTools.chaos')} about={t('sandboxTools.chaosAbout')}>
      <div className="flex items-center gap-4">
        <Switch
          label={t('sandboxTools.chaos')}
          on={change.isPending ? change.variables : enabled}
          disabled={!may('useSandboxTools')}
          onChange={on => change.mutate(on)}
        />
        <span className="text-soft">{t(enabled ? 'sandboxTools.chaosIsOn' : 'sandboxTools.chaosIsOff')}</span>
      </div>
      <ul className="grid list-disc gap-1 pt-4 pl-5 text-soft">
        <li>{t('sandboxTools.chaosLate')}</li>
        <li>{t('sandboxTools.chaosTwice')}</li>
        <li>{t('sandboxTools.chaosLost')}</li>
        <li>{t('sandboxTools.chaosProvider')}</li>
      </ul>
    </Section>
  );
}

/** Tools that let a developer find mistakes before players do. */
export function SandboxPage() {
  const params = useEnv();
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/chaos', { params });
  if (read.isPending) return <PageSkeleton />;
  return (
    <Page title={t('nav.sandboxTools')} about={t('sandboxTools.about')} guide="sandbox">
      {params.mode === 'live' ? (
        <Notice tone="info" icon={<FlaskConical size={16} aria-hidden />}>
          {t('sandboxTools.onlySandbox')}
        </Notice>
      ) : read.isError ? (
        <ReadProblem error={read.error} retry={() => void read.refetch()} />
      ) : (
        <>
          <Chaos enabled={read.data.enabled} />
          <Notice tone="info" icon={<Shuffle size={16} aria-hidden />}>
            {t('sandboxTools.time')}
          </Notice>
        </>
      )}
    </Page>
  );
}
