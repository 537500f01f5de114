import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { SelectField } from '../../ui/field.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';

/** Enough for a retry, for an unpaid order to expire, for all retries to fail, and for a dispute to end. */
const JUMPS = [3_600, 86_400, 345_600, 2_592_000] as const;

/** Moves a sandbox order's clock, to answer questions such as “What happens after three days without an answer?” */
export function AdvanceDialog({ orderId, onClose }: { orderId: string; onClose(): void }) {
  const scope = useEnv();
  const [seconds, setSeconds] = useState<number>(JUMPS[2]);
  const advance = useAction(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/orders/{order_id}/advance', {
        params: { ...scope, order_id: orderId },
        body: { seconds },
      }),
    { quiet: true, done: () => t('order.advanced'), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('order.advanceAsk')}
      action={t('order.advanceDo')}
      danger={false}
      busy={advance.isPending}
      error={advance.error}
      onConfirm={() => advance.mutate()}
      onClose={onClose}
    >
      <p className="pb-4">{t('order.advanceAbout')}</p>
      <SelectField
        label={t('order.advanceBy')}
        value={String(seconds)}
        onChange={({ target }) => setSeconds(Number(target.value))}
      >
        {JUMPS.map(jump => (
          <option key={jump} value={jump}>
            {t(`order.advance.${jump}`)}
          </option>
        ))}
      </SelectField>
    </ConfirmDialog>
  );
}
