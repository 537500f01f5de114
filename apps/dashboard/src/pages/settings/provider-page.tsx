import type { LeavingAccount, ProviderState } from '@coinslot/contract';
import { Plus, Unplug } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { Notice, Page } from '../../ui/page.tsx';
import { EraseDialog } from './accounts/account-dialogs.tsx';
import { AccountSection } from './accounts/account-section.tsx';
import { accountName } from './accounts/account-text.ts';
import { FailoverSetting } from './failover-setting.tsx';
import { ProviderDialog } from './provider-dialog.tsx';

function leavingText(one: LeavingAccount): string {
  const account = accountName(one);
  if (!one.has_keys) return t('provider.leavingGone', { account, count: one.open_payments });
  if (one.open_payments > 0) return t('provider.leavingOpen', { account, count: one.open_payments });
  if (one.until === null) return t('provider.leavingDone', { account });
  return t('provider.leavingUntil', { account, date: formatDate(language, one.until) });
}

/** Accounts that take no new payments, and what they are still needed for. */
function LeavingNotices({ state }: { state: ProviderState }) {
  const { may } = useCurrentGame();
  const [erasing, setErasing] = useState<LeavingAccount | null>(null);
  return (
    <>
      {state.leaving.map(one => (
        <Notice key={one.account_id} tone={one.has_keys ? 'info' : 'bad'} icon={<Unplug size={16} aria-hidden />}>
          <span className="flex flex-wrap items-center justify-between gap-2">
            {leavingText(one)}
            {one.has_keys && may('connectProvider') && (
              <Button onClick={() => setErasing(one)}>{t('provider.erase')}</Button>
            )}
          </span>
        </Notice>
      ))}
      {erasing !== null && <EraseDialog state={state} account={erasing} onClose={() => setErasing(null)} />}
    </>
  );
}

/** Shows the accounts at a provider, or how to connect one. */
function ProviderSection({ state }: { state: ProviderState }) {
  const { may } = useCurrentGame();
  const [isConnecting, setConnecting] = useState(false);
  const { connections, title } = state;
  const hasOwn = connections.some(({ source }) => source === 'dashboard');
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-16 font-semibold">{title}</h2>
        {hasOwn && may('connectProvider') && (
          <Button icon={<Plus size={16} aria-hidden />} onClick={() => setConnecting(true)}>
            {t('provider.addAccount')}
          </Button>
        )}
      </div>
      <LeavingNotices state={state} />
      {connections.length > 1 && <p className="text-soft">{t('provider.severalAbout')}</p>}
      {connections.map(connection => (
        <AccountSection key={connection.account_id ?? ''} state={state} connection={connection} />
      ))}
      {connections.length === 0 && (
        <EmptyState
          picture={<Unplug size={24} />}
          title={t('provider.empty', { provider: title })}
          action={
            may('connectProvider') && (
              <Button look="primary" onClick={() => setConnecting(true)}>
                {t('provider.connect', { provider: title })}
              </Button>
            )
          }
        >
          {t('provider.takes', { methods: state.methods.length })}
        </EmptyState>
      )}
      {isConnecting && <ProviderDialog state={state} onClose={() => setConnecting(false)} />}
    </div>
  );
}

export function ProviderPage() {
  const { company_id } = useCurrentGame();
  const read = useRead('GET /dashboard/api/companies/{company_id}/providers', { params: { company_id } });
  if (read.isPending) return <PageSkeleton />;
  const providers = read.data?.data ?? [];
  const count = providers.flatMap(({ connections }) => connections).length;
  return (
    <Page title={t('nav.provider')} about={t('provider.about')} guide="goLive">
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {read.data && count === 0 && (
        <div className="pb-6">
          <Notice tone="info" icon={<Unplug size={16} aria-hidden />}>
            {t('provider.emptyAbout')}
          </Notice>
        </div>
      )}
      {providers.map(state => (
        <ProviderSection key={state.provider} state={state} />
      ))}
      {count > 1 && <FailoverSetting on={read.data?.fails_over ?? false} />}
    </Page>
  );
}
