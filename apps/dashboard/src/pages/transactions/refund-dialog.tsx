import type { RefundPreview } from '@coinslot/contract';
import { Banknote, CircleAlert, PackageMinus, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { call } from '../../kit/api.ts';
import { itemsText } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { problemText } from '../../kit/problems.ts';
import { useIsBySso } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { Bar } from '../../ui/loading.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { ProofFields } from '../../ui/overlay/passkey-button.tsx';
import { Notice } from '../../ui/page.tsx';

const ICONS: Readonly<Record<RefundPreview['effects'][number], ReactNode>> = {
  money_released: <Banknote size={16} />,
  money_returned: <Banknote size={16} />,
  items_removed: <PackageMinus size={16} />,
  grant_withdrawn: <PackageMinus size={16} />,
  removal_waits: <CircleAlert size={16} />,
  no_money: <Banknote size={16} />,
};

function Effects({ preview }: { preview: RefundPreview }) {
  const values = {
    amount: formatMoney(language, preview.amount, preview.currency),
    items: itemsText(preview.items),
  };
  return (
    <>
      <ul className="grid gap-3">
        {preview.effects.map(effect => (
          <li key={effect} className="flex gap-3">
            <span className="mt-0.5 text-soft">{ICONS[effect]}</span>
            {t(`refund.effect.${effect}`, values)}
          </li>
        ))}
      </ul>
      {!preview.allowed && (
        <Notice tone="warn" icon={<TriangleAlert size={16} aria-hidden />}>
          {preview.refusal}
        </Notice>
      )}
    </>
  );
}

interface ConfirmStepProps {
  needsPassword: boolean;
  password: string;
  setPassword(password: string): void;
  problem: string | undefined;
  isBusy: boolean;
  onPasskey(answer: Record<string, unknown>): void;
}

const ConfirmStep = ({ needsPassword, password, setPassword, problem, isBusy, onPasskey }: ConfirmStepProps) => (
  <>
    <Notice tone="warn" icon={<TriangleAlert size={16} aria-hidden />}>
      {t('refund.final')}
    </Notice>
    {needsPassword && <ProofFields {...{ password, setPassword, isBusy, onPasskey }} />}
    <FormProblem text={problem} />
  </>
);

interface RefundDialogProps {
  paymentId: string;
  onClose(): void;
}

/** Shows the consequences and asks for a reason first, then asks for confirmation. Only the last button is red. */
export function RefundDialog({ paymentId, onClose }: RefundDialogProps) {
  const scope = useEnv();
  const params = { ...scope, payment_id: paymentId };
  const [reason, setReason] = useState('');
  const [password, setPassword] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [wasEmpty, setWasEmpty] = useState(false);
  const preview = useRead('GET /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/refund', { params });
  const amount = preview.data ? formatMoney(language, preview.data.amount, preview.data.currency) : '';
  const refund = useAction(
    (proof: { password?: string; answer?: Record<string, unknown> }) =>
      call('POST /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/refund', {
        params,
        body: { reason: reason.trim(), ...proof },
      }),
    { quiet: true, done: () => t('refund.done', { amount }), after: onClose },
  );
  const next = (): void => {
    if (reason.trim() === '') setWasEmpty(true);
    else if (isAsking) refund.mutate(password === '' ? {} : { password });
    else setAsking(true);
  };
  const needsPassword = !useIsBySso() && scope.mode === 'live';
  return (
    <Dialog
      title={isAsking ? t('refund.ask', { amount }) : t('refund.title')}
      onClose={onClose}
      onSubmit={next}
      actions={
        <>
          <Button onClick={isAsking ? () => setAsking(false) : onClose}>
            {isAsking ? t('dialog.back') : t('dialog.cancel')}
          </Button>
          <Button
            type="submit"
            look={isAsking ? 'danger' : 'plain'}
            disabled={!preview.data?.allowed || (isAsking && needsPassword && password === '')}
            busy={refund.isPending}
            key={isAsking ? 'ask' : 'tell'}
          >
            {isAsking ? t('refund.do', { amount }) : t('refund.next')}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {preview.data ? <Effects preview={preview.data} /> : <Bar className="w-full" />}
        {isAsking ? (
          <ConfirmStep
            needsPassword={needsPassword}
            password={password}
            setPassword={setPassword}
            problem={refund.error ? problemText(refund.error) : undefined}
            isBusy={refund.isPending}
            onPasskey={answer => refund.mutate({ answer })}
          />
        ) : (
          <TextField
            label={t('refund.reason')}
            hint={t('refund.reasonHint')}
            error={wasEmpty && reason.trim() === '' ? t('refund.reasonNeeded') : undefined}
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </div>
    </Dialog>
  );
}
