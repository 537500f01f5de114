import type { Payment } from '@coinslot/contract';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useHere } from '../../kit/session.tsx';
import { t } from '../../kit/texts.ts';
import { useAct } from '../../kit/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useEnv } from '../../ui/env-link.tsx';
import { Notice } from '../../ui/page.tsx';

type Decision = 'accept' | 'refund';

interface DecideProps {
  payment: Payment;
  decision: Decision;
  onClose(): void;
}

function Decide({ payment, decision, onClose }: DecideProps) {
  const params = { ...useEnv(), payment_id: payment.payment_id };
  const settle = useAct(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/payments/{payment_id}/settle', { params, body: { decision } }),
    { done: () => t(`held.done.${decision}`), after: onClose },
  );
  return (
    <Confirm
      question={t(`held.ask.${decision}`)}
      action={t(`held.${decision}`)}
      danger={decision === 'refund'}
      busy={settle.isPending}
      onConfirm={() => settle.mutate()}
      onClose={onClose}
    >
      <p>{payment.problem}</p>
      <p className="pt-2">{t(`held.about.${decision}`)}</p>
    </Confirm>
  );
}

/** What people should look at; with the two ways out where the provider holds something else than was asked for. */
export function PaymentProblem({ payment, problem }: { payment: Payment; problem: string }) {
  const { may } = useHere();
  const [decision, setDecision] = useState<Decision | null>(null);
  const canDecide = may('support') && payment.in_review;
  return (
    <div className="pb-6">
      <Notice
        tone="bad"
        icon={<TriangleAlert size={16} aria-hidden />}
        action={
          canDecide && (
            <>
              <Button size="small" onClick={() => setDecision('accept')}>
                {t('held.accept')}
              </Button>
              <Button size="small" onClick={() => setDecision('refund')}>
                {t('held.refund')}
              </Button>
            </>
          )
        }
      >
        {problem}
      </Notice>
      {decision && <Decide payment={payment} decision={decision} onClose={() => setDecision(null)} />}
    </div>
  );
}
