import type { Payment } from '@coinslot/contract';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useHere } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAct } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Notice } from '../../ui/page.tsx';

type Decision = 'accept' | 'refund';

interface DecideProps {
  payment: Payment;
  decision: Decision;
  onClose(): void;
}

function Decide({ payment, decision, onClose }: DecideProps) {
  const params = { ...useEnv(), payment_id: payment.payment_id };
  const resolve = useAct(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/payments/{payment_id}/settle', { params, body: { decision } }),
    { done: () => t(`review.done.${decision}`), after: onClose },
  );
  return (
    <Confirm
      question={t(`review.ask.${decision}`)}
      action={t(`review.${decision}`)}
      danger={decision === 'refund'}
      busy={resolve.isPending}
      onConfirm={() => resolve.mutate()}
      onClose={onClose}
    >
      <p>{payment.problem}</p>
      <p className="pt-2">{t(`review.about.${decision}`)}</p>
    </Confirm>
  );
}

/** A payment that needs attention; one in review can be accepted or refunded here. */
export function PaymentProblem({ payment, problem }: { payment: Payment; problem: string }) {
  const { may } = useHere();
  const [decision, setDecision] = useState<Decision | null>(null);
  const canDecide = may('reviewPayment') && payment.in_review;
  return (
    <div className="pb-6">
      <Notice
        tone="bad"
        icon={<TriangleAlert size={16} aria-hidden />}
        action={
          canDecide && (
            <>
              <Button size="small" onClick={() => setDecision('accept')}>
                {t('review.accept')}
              </Button>
              <Button size="small" onClick={() => setDecision('refund')}>
                {t('review.refund')}
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
