import type { LeavingAccount, ProviderConnection, ProviderState } from '@coinslot/contract';
import { call } from '../../../kit/api.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useAction } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { accountName, accountQuery } from './account-text.ts';

interface DisconnectDialogProps {
  state: ProviderState;
  connection: ProviderConnection;
  onClose(): void;
}

export function DisconnectDialog({ state, connection, onClose }: DisconnectDialogProps) {
  const { company_id } = useCurrentGame();
  const account = state.connections.length === 1 ? state.title : accountName(connection);
  const disconnect = useAction(
    () =>
      call('DELETE /dashboard/api/companies/{company_id}/providers/{provider}', {
        params: { company_id, provider: state.provider },
        query: accountQuery(connection),
      }),
    { quiet: true, done: () => t('provider.disconnected', { account }), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('provider.disconnectAsk', { account })}
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

interface EraseDialogProps {
  state: ProviderState;
  account: LeavingAccount;
  onClose(): void;
}

export function EraseDialog({ state, account, onClose }: EraseDialogProps) {
  const { company_id } = useCurrentGame();
  const erase = useAction(
    () =>
      call('DELETE /dashboard/api/companies/{company_id}/providers/{provider}', {
        params: { company_id, provider: state.provider },
        query: { confirm: 'true', account_id: account.account_id },
      }),
    { quiet: true, done: () => t('provider.erased'), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('provider.eraseAsk', { account: accountName(account) })}
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
