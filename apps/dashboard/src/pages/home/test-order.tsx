import { useNavigate } from '@tanstack/react-router';
import { call } from '../../kit/api.ts';
import { useHere } from '../../kit/session.tsx';
import { t } from '../../kit/texts.ts';
import { useAct } from '../../kit/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { useEnv } from '../../ui/env-link.tsx';
import { orderExample } from './order-example.ts';

/** The first order: by a press, or as the game's backend would. */
export function TestOrder() {
  const params = useEnv();
  const { may } = useHere();
  const navigate = useNavigate();
  const make = useAct(() => call('POST /dashboard/api/games/{game_id}/{mode}/test_orders', { params }), {
    done: () => t('checklist.orderMade'),
    after: ({ order }) => void navigate({ to: `/g/${params.game_id}/${params.mode}/orders/${order.order_id}` }),
  });
  return (
    <div className="grid gap-3">
      <p className="max-w-[65ch]">{t('checklist.orderAbout')}</p>
      {may('developer') && (
        <div>
          <Button look="primary" size="small" busy={make.isPending} onClick={() => make.mutate()}>
            {t('checklist.orderDo')}
          </Button>
        </div>
      )}
      <details>
        <summary>{t('checklist.orderByHand')}</summary>
        <div className="pt-2">
          <CodeBlock text={orderExample(location.origin)} label={t('checklist.order')} />
        </div>
      </details>
    </div>
  );
}
