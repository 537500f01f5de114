import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAct } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { SelectField } from '../../ui/field.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';

/** What is asked most: a retry, the end of an unpaid order, the end of all retries, the end of a dispute. */
const JUMPS = [3_600, 86_400, 345_600, 2_592_000] as const;

/** “What happens after three days without an answer?” */
export function AdvanceDialog({ orderId, onClose }: { orderId: string; onClose(): void }) {
  const scope = useEnv();
  const [seconds, setSeconds] = useState<number>(JUMPS[2]);
  const advance = useAct(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/orders/{order_id}/advance', {
        params: { ...scope, order_id: orderId },
        body: { seconds },
      }),
    { quiet: true, done: () => t('order.advanced'), after: onClose },
  );
  return (
    <Confirm
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
    </Confirm>
  );
}
