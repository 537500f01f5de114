import type { ProviderConnection, ProviderState } from '@coinslot/contract';
import { CircleAlert, CircleCheck, Plug, TriangleAlert, Unplug } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { formatCountry } from '../../kit/format.ts';
import { useHere } from '../../kit/session.ts';
import { useAct, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Ago, Dash } from '../../ui/cells.tsx';
import { CodeBlock, CopyId } from '../../ui/code-block.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Fact, Facts, Notice, Page, Section } from '../../ui/page.tsx';
import { PageSkeleton, ReadProblem } from '../../ui/reading.tsx';
import { ProviderDialog } from './provider-dialog.tsx';

function ConnectionFacts({ connection }: { connection: ProviderConnection }) {
  return (
    <Facts>
      <Fact name={t('provider.account')}>
        <span className="flex flex-wrap items-center gap-x-2">
          {connection.display_name ?? connection.account_id ?? <Dash />}
          {connection.is_test && (
            <span className="rounded-full bg-warn-wash px-2 text-12 font-medium whitespace-nowrap text-warn">
              {t('provider.test')}
            </span>
          )}
        </span>
      </Fact>
      <Fact name={t('provider.accountId')}>
        {connection.account_id ? <CopyId id={connection.account_id} label={t('provider.accountId')} /> : <Dash />}
      </Fact>
      <Fact name={t('column.country')}>
        {connection.country ? formatCountry(language, connection.country) : <Dash />}
      </Fact>
      <Fact name={t('column.currency')}>{connection.default_currency?.toUpperCase() ?? <Dash />}</Fact>
      <Fact name={t('provider.charges')}>{t(connection.charges_enabled ? 'provider.yes' : 'provider.no')}</Fact>
      <Fact name={t('provider.secretKey')}>
        {connection.secret_key_hint ? (
          <code className="font-mono text-12">•••• {connection.secret_key_hint}</code>
        ) : (
          <Dash />
        )}
      </Fact>
      <Fact name={t('provider.publishableKey')}>
        {connection.publishable_key ? (
          <CopyId id={connection.publishable_key} label={t('provider.publishableKey')} />
        ) : (
          <Dash />
        )}
      </Fact>
      <Fact name={t('provider.callbacks')}>
        {t(connection.has_callback_secret ? 'provider.callbackKept' : 'provider.callbackMissing')}
      </Fact>
      {connection.checked_at !== null && (
        <Fact name={t('provider.checked')}>
          <Ago at={connection.checked_at} />
        </Fact>
      )}
    </Facts>
  );
}

function TestResult({ result }: { result: { ok: boolean; advice: string[] } }) {
  return (
    <div className="pt-4" role="status">
      <Notice
        tone={result.ok ? 'good' : 'bad'}
        icon={result.ok ? <CircleCheck size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
      >
        {t(result.ok ? 'provider.works' : 'provider.worksNot')}
        {result.advice.length > 0 && (
          <ol className="list-decimal pl-5">
            {result.advice.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ol>
        )}
      </Notice>
    </div>
  );
}

function Connected({ connection }: { connection: ProviderConnection }) {
  const { company_id, may } = useHere();
  const params = { company_id };
  const test = useAct(() => call('POST /dashboard/api/companies/{company_id}/provider/test', { params }), {
    done: ({ ok }) => t(ok ? 'provider.works' : 'provider.worksNot'),
  });
  return (
    <Section
      title={t('provider.connection')}
      about={connection.source === 'settings' ? t('provider.bySettings') : undefined}
      actions={
        may('testProvider') && (
          <Button icon={<Plug size={16} aria-hidden />} busy={test.isPending} onClick={() => test.mutate()}>
            {t('provider.doTest')}
          </Button>
        )
      }
    >
      {connection.problem && (
        <div className="pb-4">
          <Notice tone="bad" icon={<TriangleAlert size={16} aria-hidden />}>
            {connection.problem}
          </Notice>
        </div>
      )}
      <ConnectionFacts connection={connection} />
      {test.data && <TestResult result={test.data} />}
    </Section>
  );
}

function Callback({ state }: { state: ProviderState }) {
  const { company_id, may } = useHere();
  const register = useAct(
    () => call('POST /dashboard/api/companies/{company_id}/provider/callback', { params: { company_id } }),
    { done: () => t('provider.callbackDone') },
  );
  return (
    <Section
      title={t('provider.callbacks')}
      about={t('provider.callbackAbout')}
      actions={
        may('connectProvider') &&
        state.connection?.source === 'dashboard' && (
          <Button busy={register.isPending} onClick={() => register.mutate()}>
            {t('provider.callbackDo')}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        <CodeBlock text={state.callback_url} label={t('provider.callbackUrl')} />
        <details>
          <summary className="text-soft">{t('provider.callbackEvents')}</summary>
          <div className="pt-3">
            <CodeBlock text={state.callback_events.join('\n')} label={t('provider.callbackEvents')} />
          </div>
        </details>
      </div>
    </Section>
  );
}

function Disconnect({ onClose }: { onClose(): void }) {
  const { company_id } = useHere();
  const [isInUse, setInUse] = useState(false);
  const disconnect = useAct(
    () =>
      call('DELETE /dashboard/api/companies/{company_id}/provider', {
        params: { company_id },
        query: isInUse ? { confirm: 'true' } : {},
      }),
    { done: () => t('provider.disconnected'), after: onClose },
  );
  return (
    <Confirm
      question={t(isInUse ? 'provider.inUseAsk' : 'provider.disconnectAsk')}
      action={t('provider.disconnectDo')}
      busy={disconnect.isPending}
      onConfirm={() => disconnect.mutate(undefined, { onError: error => setInUse(error.code === 'provider_in_use') })}
      onClose={onClose}
    >
      {t(isInUse ? 'provider.inUse' : 'provider.disconnectAbout')}
    </Confirm>
  );
}

export function ProviderPage() {
  const { company_id, may } = useHere();
  const [open, setOpen] = useState<'connect' | 'disconnect' | null>(null);
  const read = useRead('GET /dashboard/api/companies/{company_id}/provider', { params: { company_id } });
  if (read.isPending) return <PageSkeleton />;
  const state = read.data;
  const connection = state?.connection ?? null;
  const connect = may('connectProvider') && (
    <Button look={connection ? 'plain' : 'primary'} onClick={() => setOpen('connect')}>
      {t(connection ? 'provider.change' : 'provider.connect')}
    </Button>
  );
  return (
    <Page
      title={t('nav.provider')}
      about={t('provider.about')}
      actions={
        connection?.source === 'dashboard' && (
          <>
            {connect}
            {may('connectProvider') && (
              <Button onClick={() => setOpen('disconnect')}>{t('provider.disconnect')}</Button>
            )}
          </>
        )
      }
    >
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {state && !connection && (
        <Empty picture={<Unplug size={24} />} title={t('provider.empty')} action={connect}>
          {t('provider.emptyAbout')}
        </Empty>
      )}
      {connection && <Connected connection={connection} />}
      {state && <Callback state={state} />}
      {open === 'connect' && state && <ProviderDialog state={state} onClose={() => setOpen(null)} />}
      {open === 'disconnect' && <Disconnect onClose={() => setOpen(null)} />}
    </Page>
  );
}
