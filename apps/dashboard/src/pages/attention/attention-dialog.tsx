import type { AttentionAction, AttentionItem } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { formatMoney } from '../../kit/money.ts';
import { fieldProblem, issueOf, otherProblem } from '../../kit/problems.ts';
import { useIsBySso } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { ProofFields } from '../../ui/overlay/passkey-button.tsx';
import { recheckResult } from './waiting-for.ts';

type ConfirmedAction = Exclude<AttentionAction, 'ask_again'>;

interface ActionInput {
  action: AttentionAction;
  reason?: string;
  password?: string;
  answer?: Record<string, unknown>;
}

function useAttentionCall(item: AttentionItem): (body: ActionInput) => Promise<AttentionItem> {
  const params = { ...useEnv(), payment_id: item.payment_id };
  return body => call('POST /dashboard/api/games/{game_id}/{mode}/attention/{payment_id}', { params, body });
}

/** Checking again only repeats what was already requested, so it asks for no confirmation. */
export function useRecheck(item: AttentionItem) {
  const act = useAttentionCall(item);
  return useAction(() => act({ action: 'ask_again' }), {
    done: after => t(`attention.answer.${recheckResult(item, after)}`),
  });
}

interface AttentionDialogProps {
  item: AttentionItem;
  action: ConfirmedAction;
  onClose(): void;
}

export function AttentionDialog({ item, action, onClose }: AttentionDialogProps) {
  const { mode } = useEnv();
  const [reason, setReason] = useState('');
  const [password, setPassword] = useState('');
  const [wasEmpty, setWasEmpty] = useState(false);
  const send = useAttentionCall(item);
  const values = { amount: formatMoney(language, item.amount, item.currency), player: item.player_id };
  const given = { ...(reason.trim() !== '' && { reason: reason.trim() }) };
  const act = useAction((proof: Pick<ActionInput, 'password' | 'answer'>) => send({ action, ...given, ...proof }), {
    quiet: true,
    done: () => t(`attention.done.${action}`, values),
    after: onClose,
  });
  const needsReason = action === 'settle_elsewhere';
  const needsPassword = !useIsBySso() && action === 'refund' && mode === 'live';
  const submit = (): void => {
    if (needsReason && reason.trim() === '') setWasEmpty(true);
    else act.mutate(password === '' ? {} : { password });
  };
  const isWrongPassword = act.error?.code === 'password_wrong';
  return (
    <Dialog
      title={t(`attention.ask.${action}`, values)}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button
            type="submit"
            look={action === 'refund' || action === 'void' ? 'danger' : 'primary'}
            busy={act.isPending}
            disabled={needsPassword && password === ''}
          >
            {t(`attention.do.${action}`)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t(`attention.aboutDo.${action}`, values)}</p>
        {(needsReason || action === 'refund') && (
          <TextField
            label={t(needsReason ? 'attention.reason' : 'attention.optionalReason')}
            maxLength={500}
            value={reason}
            error={wasEmpty && reason.trim() === '' ? t('dialog.reasonNeeded') : issueOf(act.error, '/reason')}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
        {needsPassword && (
          <ProofFields
            password={password}
            setPassword={setPassword}
            error={isWrongPassword ? fieldProblem(act.error, '/password') : undefined}
            isBusy={act.isPending}
            onPasskey={answer => act.mutate({ answer })}
          />
        )}
        {!isWrongPassword && <FormProblem text={otherProblem(act.error, '/reason')} />}
      </div>
    </Dialog>
  );
}
