import { useNavigate } from '@tanstack/react-router';
import { call } from '../../kit/api.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';

export const orderExample = (base: string): string => `curl ${base}/s2s/v1/orders \\
  -H "Authorization: Bearer $S2S_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"player_id":"player-1","items":[{"sku":"sword"}]}'`;

/** Creates the first order by a button, or shows the call with which the game's backend would create it. */
export function TestOrder() {
  const params = useEnv();
  const { may } = useCurrentGame();
  const navigate = useNavigate();
  const make = useAction(() => call('POST /dashboard/api/games/{game_id}/{mode}/test_orders', { params }), {
    done: () => t('checklist.orderMade'),
    after: ({ order }) => void navigate({ to: `/g/${params.game_id}/${params.mode}/orders/${order.order_id}` }),
  });
  return (
    <div className="grid gap-3">
      <p className="max-w-[65ch]">{t('checklist.orderAbout')}</p>
      {may('makeTestOrder') && (
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
