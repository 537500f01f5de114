import type { ProviderConnection, ProviderState } from '@coinslot/contract';
import { Plug, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type AnswerOf, call } from '../../../kit/api.ts';
import { formatCountry } from '../../../kit/format.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useAction } from '../../../kit/use-read.ts';
import { language, t } from '../../../texts/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Ago, Dash, Time } from '../../../ui/cells.tsx';
import { CodeBlock, CopyId } from '../../../ui/code-block.tsx';
import { Fact, Facts, Notice, Section } from '../../../ui/page.tsx';
import { ConnectionChecks } from '../connection-checks.tsx';
import { ProviderDialog } from '../provider-dialog.tsx';
import { DisconnectDialog } from './account-dialogs.tsx';
import { accountName, accountQuery, scopeText } from './account-text.ts';
import { ScopeDialog } from './scope-dialog.tsx';

type ProviderTest = AnswerOf<'POST /dashboard/api/companies/{company_id}/providers/{provider}/test'>;

interface FactsProps {
  connection: ProviderConnection;
  names: ProviderState['key_names'];
}

function ConnectionFacts({ connection, names }: FactsProps) {
  const { games } = useCurrentGame().company;
  return (
    <Facts>
      <Fact name={t('provider.account')}>
        <span className="flex flex-wrap items-center gap-x-2">
          {connection.label ?? connection.display_name ?? connection.account_id ?? <Dash />}
          {connection.is_test && (
            <span className="rounded-full bg-warn-wash px-2 text-12 font-medium whitespace-nowrap text-warn">
              {t('provider.test')}
            </span>
          )}
        </span>
      </Fact>
      <Fact name={t('provider.scopeTakes')}>{scopeText(connection, games)}</Fact>
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

interface AccountProps {
  state: ProviderState;
  connection: ProviderConnection;
}

function AccountActions({ state, connection }: AccountProps) {
  const { company_id, may } = useCurrentGame();
  const [open, setOpen] = useState<'keys' | 'scope' | 'disconnect' | null>(null);
  const close = () => setOpen(null);
  const test = useAction(
    () =>
      call('POST /dashboard/api/companies/{company_id}/providers/{provider}/test', {
        params: { company_id, provider: state.provider },
        query: accountQuery(connection),
      }),
    { done: testResultText },
  );
  const mayChange = may('connectProvider') && connection.source === 'dashboard';
  return (
    <span className="flex flex-wrap gap-2">
      {may('testProvider') && (
        <Button icon={<Plug size={16} aria-hidden />} busy={test.isPending} onClick={() => test.mutate()}>
          {t('provider.doTest')}
        </Button>
      )}
      {mayChange && (
        <>
          <Button onClick={() => setOpen('keys')}>{t('provider.change')}</Button>
          <Button onClick={() => setOpen('scope')}>{t('provider.scope')}</Button>
          <Button onClick={() => setOpen('disconnect')}>{t('provider.disconnect')}</Button>
        </>
      )}
      {open === 'keys' && <ProviderDialog state={state} connection={connection} onClose={close} />}
      {open === 'scope' && <ScopeDialog state={state} connection={connection} onClose={close} />}
      {open === 'disconnect' && <DisconnectDialog state={state} connection={connection} onClose={close} />}
    </span>
  );
}

function CallbackSection({ state, connection }: AccountProps) {
  const { company_id, may } = useCurrentGame();
  const register = useAction(
    () =>
      call('POST /dashboard/api/companies/{company_id}/providers/{provider}/callback', {
        params: { company_id, provider: state.provider },
        query: accountQuery(connection),
      }),
    { done: () => t('provider.callbackDone') },
  );
  return (
    <Section
      title={t('provider.callbacks')}
      about={t('provider.callbackAbout', { provider: state.title })}
      actions={
        may('connectProvider') &&
        connection.source === 'dashboard' && (
          <Button busy={register.isPending} onClick={() => register.mutate()}>
            {t('provider.callbackDo', { provider: state.title })}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        <CodeBlock text={connection.callback_url ?? ''} label={t('provider.callbackUrl')} />
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

const AccountDetails = ({ state, connection }: AccountProps) => (
  <>
    {connection.checks.length > 0 && (
      <Section title={t('provider.tests')} about={t('provider.testsAbout')}>
        <ConnectionChecks checks={connection.checks} />
      </Section>
    )}
    {state.key_names.callback_secret !== null && connection.callback_url !== null && (
      <CallbackSection state={state} connection={connection} />
    )}
  </>
);

/** Shows one account at a provider: what it takes, whether it works, and where its callbacks go. */
export function AccountSection({ state, connection }: AccountProps) {
  const isOnly = state.connections.length === 1;
  const { silent_since, problem, checks } = connection;
  return (
    <>
      <Section
        title={isOnly ? t('provider.connection') : accountName(connection)}
        about={connection.source === 'settings' ? t('provider.bySettings') : undefined}
        actions={<AccountActions state={state} connection={connection} />}
      >
        {silent_since !== null && (
          <div className="pb-4">
            <Notice tone="bad" icon={<TriangleAlert size={16} aria-hidden />}>
              {t('provider.silent', { provider: state.title })} <Time at={silent_since} />
            </Notice>
          </div>
        )}
        {problem && (
          <div className="pb-4">
            <Notice tone="bad" icon={<TriangleAlert size={16} aria-hidden />}>
              {problem}
            </Notice>
          </div>
        )}
        <ConnectionFacts connection={connection} names={state.key_names} />
        {!isOnly && (
          <details className="pt-4" open={checks.some(({ broken }) => broken)}>
            <summary className="pb-4 text-soft">{t('provider.details')}</summary>
            <AccountDetails state={state} connection={connection} />
          </details>
        )}
      </Section>
      {isOnly && <AccountDetails state={state} connection={connection} />}
    </>
  );
}
