import { call } from '../../kit/api.ts';
import { formatMoney } from '../../kit/money.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';

interface ReleaseGrantDialogProps {
  deliveryId: string;
  amount: number;
  currency: string;
  playerId: string;
  onClose(): void;
}

export function ReleaseGrantDialog({ deliveryId, amount, currency, playerId, onClose }: ReleaseGrantDialogProps) {
  const scope = useEnv();
  const money = formatMoney(language, amount, currency);
  const release = useAction(
    (reason: string) =>
      call('POST /dashboard/api/games/{game_id}/{mode}/grants/{delivery_id}/release', {
        params: { ...scope, delivery_id: deliveryId },
        body: { reason },
      }),
    { quiet: true, done: () => t('grants.released', { amount: money }), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('grants.releaseAsk', { amount: money })}
      action={t('grants.releaseDo', { amount: money })}
      reason={t('grants.releaseReason')}
      busy={release.isPending}
      error={release.error}
      onConfirm={release.mutate}
      onClose={onClose}
    >
      {t('grants.releaseAbout', { player: playerId })}
    </ConfirmDialog>
  );
}

export function useRetryGrant(): (deliveryId: string) => void {
  const scope = useEnv();
  const retry = useAction(
    (deliveryId: string) =>
      call('POST /dashboard/api/games/{game_id}/{mode}/grants/{delivery_id}/retry', {
        params: { ...scope, delivery_id: deliveryId },
      }),
    { done: () => t('grants.retried') },
  );
  return deliveryId => retry.mutate(deliveryId);
}
