import type { LeavingAccount, ProviderConnection, ProviderState } from '@coinslot/contract';
import { Plug, TriangleAlert, Unplug } from 'lucide-react';
import { useState } from 'react';
import { type AnswerOf, call } from '../../kit/api.ts';
import { formatCountry, formatDate } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Ago, Dash, Time } from '../../ui/cells.tsx';
import { CodeBlock, CopyId } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Fact, Facts, Notice, Page, Section } from '../../ui/page.tsx';
import { ConnectionChecks } from './connection-checks.tsx';
import { FailoverSetting } from './failover-setting.tsx';
import { ProviderDialog } from './provider-dialog.tsx';

type ProviderTest = AnswerOf<'POST /dashboard/api/companies/{company_id}/providers/{provider}/test'>;

interface FactsProps {
  connection: ProviderConnection;
  names: ProviderState['key_names'];
}

function ConnectionFacts({ connection, names }: FactsProps) {
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
      <Fact name={names.secret_key}>
        {connection.secret_key_hint ? (
          <code className="font-mono text-12">•••• {connection.secret_key_hint}</code>
        ) : (
          <Dash />
        )}
      </Fact>
      <Fact name={names.publishable_key}>
        {connection.publishable_key ? (
          <CopyId id={connection.publishable_key} label={names.publishable_key} />
        ) : (
          <Dash />
        )}
      </Fact>
      <Fact name={t('provider.callbacks')}>
        {names.callback_secret === null
          ? t('provider.callbackByPayment')
          : t(connection.has_callback_secret ? 'provider.callbackKept' : 'provider.callbackMissing')}
      </Fact>
      {connection.checked_at !== null && (
        <Fact name={t('provider.checked')}>
          <Ago at={connection.checked_at} />
        </Fact>
      )}
    </Facts>
  );
}

function testResultText({ ok, checks }: ProviderTest): string {
  if (!ok) return t('provider.worksNot');
  const count = checks.filter(({ broken }) => broken).length;
  return count === 0 ? t('provider.works') : t('provider.worksBut', { count });
}

function ConnectionSection({ state, connection }: { state: ProviderState; connection: ProviderConnection }) {
  const { company_id, may } = useCurrentGame();
  const params = { company_id, provider: state.provider };
  const test = useAction(
    () => call('POST /dashboard/api/companies/{company_id}/providers/{provider}/test', { params }),
    {
      done: testResultText,
    },
  );
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
      {state.silent_since !== null && (
        <div className="pb-4">
          <Notice tone="bad" icon={<TriangleAlert size={16} aria-hidden />}>
            {t('provider.silent', { provider: state.title })} <Time at={state.silent_since} />
          </Notice>
        </div>
      )}
      {connection.problem && (
        <div className="pb-4">
          <Notice tone="bad" icon={<TriangleAlert size={16} aria-hidden />}>
            {connection.problem}
          </Notice>
        </div>
      )}
      <ConnectionFacts connection={connection} names={state.key_names} />
    </Section>
  );
}

function CallbackSection({ state }: { state: ProviderState }) {
  const { company_id, may } = useCurrentGame();
  const params = { company_id, provider: state.provider };
  const register = useAction(
    () => call('POST /dashboard/api/companies/{company_id}/providers/{provider}/callback', { params }),
    { done: () => t('provider.callbackDone') },
  );
  return (
    <Section
      title={t('provider.callbacks')}
      about={t('provider.callbackAbout', { provider: state.title })}
      actions={
        may('connectProvider') &&
        state.connection?.source === 'dashboard' && (
          <Button busy={register.isPending} onClick={() => register.mutate()}>
            {t('provider.callbackDo', { provider: state.title })}
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

function DisconnectDialog({ state, onClose }: { state: ProviderState; onClose(): void }) {
  const { company_id } = useCurrentGame();
  const disconnect = useAction(
    () =>
      call('DELETE /dashboard/api/companies/{company_id}/providers/{provider}', {
        params: { company_id, provider: state.provider },
        query: {},
      }),
    { quiet: true, done: () => t('provider.disconnected', { provider: state.title }), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('provider.disconnectAsk', { provider: state.title })}
      action={t('provider.disconnectDo')}
      busy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
    >
      {t('provider.disconnectAbout')}
    </ConfirmDialog>
  );
}

function EraseDialog({ state, account, onClose }: { state: ProviderState; account: string; onClose(): void }) {
  const { company_id } = useCurrentGame();
  const erase = useAction(
    () =>
      call('DELETE /dashboard/api/companies/{company_id}/providers/{provider}', {
        params: { company_id, provider: state.provider },
        query: { confirm: 'true' },
      }),
    { quiet: true, done: () => t('provider.erased'), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('provider.eraseAsk', { account })}
      action={t('provider.erase')}
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    >
      {t('provider.eraseAbout', { provider: state.title })}
    </ConfirmDialog>
  );
}

const nameOf = (one: LeavingAccount): string => one.display_name ?? one.account_id;

function leavingText(one: LeavingAccount): string {
  const account = nameOf(one);
  if (!one.has_keys) return t('provider.leavingGone', { account, count: one.open_payments });
  if (one.open_payments > 0) return t('provider.leavingOpen', { account, count: one.open_payments });
  if (one.until === null) return t('provider.leavingDone', { account });
  return t('provider.leavingUntil', { account, date: formatDate(language, one.until) });
}

/** Accounts that take no new payments, and what they are still needed for. */
function LeavingNotices({ state }: { state: ProviderState }) {
  const { may } = useCurrentGame();
  const [erasing, setErasing] = useState<string | null>(null);
  return (
    <>
      {state.leaving.map(one => (
        <Notice key={one.account_id} tone={one.has_keys ? 'info' : 'bad'} icon={<Unplug size={16} aria-hidden />}>
          <span className="flex flex-wrap items-center justify-between gap-2">
            {leavingText(one)}
            {one.has_keys && state.connection === null && may('connectProvider') && (
              <Button onClick={() => setErasing(nameOf(one))}>{t('provider.erase')}</Button>
            )}
          </span>
        </Notice>
      ))}
      {erasing !== null && <EraseDialog state={state} account={erasing} onClose={() => setErasing(null)} />}
    </>
  );
}

/** Shows how a provider is connected, or how to connect it. */
function ProviderSection({ state }: { state: ProviderState }) {
  const { may } = useCurrentGame();
  const [open, setOpen] = useState<'connect' | 'disconnect' | null>(null);
  const { connection, title } = state;
  const connect = may('connectProvider') && (
    <Button look={connection ? 'plain' : 'primary'} onClick={() => setOpen('connect')}>
      {connection ? t('provider.change') : t('provider.connect', { provider: title })}
    </Button>
  );
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-16 font-semibold">{title}</h2>
        {connection?.source === 'dashboard' && (
          <span className="flex gap-2">
            {connect}
            {may('connectProvider') && (
              <Button onClick={() => setOpen('disconnect')}>{t('provider.disconnect')}</Button>
            )}
          </span>
        )}
      </div>
      <LeavingNotices state={state} />
      {connection ? (
        <>
          <ConnectionSection state={state} connection={connection} />
          {connection.checks.length > 0 && (
            <Section title={t('provider.tests')} about={t('provider.testsAbout')}>
              <ConnectionChecks checks={connection.checks} />
            </Section>
          )}
          {state.key_names.callback_secret !== null && <CallbackSection state={state} />}
        </>
      ) : (
        <EmptyState picture={<Unplug size={24} />} title={t('provider.empty', { provider: title })} action={connect}>
          {t('provider.takes', { methods: state.methods.length })}
        </EmptyState>
      )}
      {open === 'connect' && <ProviderDialog state={state} onClose={() => setOpen(null)} />}
      {open === 'disconnect' && <DisconnectDialog state={state} onClose={() => setOpen(null)} />}
    </div>
  );
}

export function ProviderPage() {
  const { company_id } = useCurrentGame();
  const read = useRead('GET /dashboard/api/companies/{company_id}/providers', { params: { company_id } });
  if (read.isPending) return <PageSkeleton />;
  const providers = read.data?.data ?? [];
  return (
    <Page title={t('nav.provider')} about={t('provider.about')} guide="goLive">
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {read.data && providers.every(({ connection }) => !connection) && (
        <div className="pb-6">
          <Notice tone="info" icon={<Unplug size={16} aria-hidden />}>
            {t('provider.emptyAbout')}
          </Notice>
        </div>
      )}
      {providers.map(state => (
        <ProviderSection key={state.provider} state={state} />
      ))}
      {providers.filter(({ connection }) => connection).length > 1 && (
        <FailoverSetting on={read.data?.fails_over ?? false} />
      )}
    </Page>
  );
}
