import { type ReactNode, useState } from 'react';
import { confirmByPasskey } from '../../kit/passkeys.ts';
import { fieldProblem, type Problem, problemText } from '../../kit/problems.ts';
import { useIsBySso } from '../../kit/session.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { TextField } from '../field.tsx';
import { FormProblem } from '../form.tsx';
import { Dialog } from './dialog.tsx';
import { PasskeyButton } from './passkey-button.tsx';

interface ConfirmDialogProps {
  question: string;
  children?: ReactNode;
  /** The button's label, which names the action. */
  action: string;
  danger?: boolean;
  busy: boolean;
  /** The dialog stays open and shows the problem. */
  error: Problem | null;
  /** The label of a required field in which the member gives a reason. */
  reason?: string;
  onConfirm(reason: string): void;
  onClose(): void;
}

/** Asks before an action that cannot be undone. The button names the action instead of saying "OK". */
export function ConfirmDialog({
  question,
  children,
  action,
  danger = true,
  busy,
  error,
  reason,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const [wasEmpty, setWasEmpty] = useState(false);
  const confirm = (): void => {
    if (reason !== undefined && text.trim() === '') setWasEmpty(true);
    else onConfirm(text.trim());
  };
  return (
    <Dialog
      title={question}
      onClose={onClose}
      onSubmit={confirm}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {children && <div className="text-soft">{children}</div>}
        {reason !== undefined && (
          <TextField
            label={reason}
            maxLength={500}
            value={text}
            error={wasEmpty && text.trim() === '' ? t('dialog.reasonNeeded') : undefined}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <FormProblem text={error ? problemText(error) : undefined} />
      </div>
    </Dialog>
  );
}

interface PasswordDialogProps {
  title: string;
  about: string;
  action: string;
  busy: boolean;
  error: Problem | null;
  /** Called without a password if a passkey has confirmed the member instead, or if single sign-on has to. */
  onConfirm(given: { password?: string }): void;
  onClose(): void;
}

/** Asks for the password or a passkey again, because an open browser does not prove who is using it. */
export function PasswordDialog({ title, about, action, busy, error, onConfirm, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  const isBySso = useIsBySso();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => onConfirm(isBySso ? {} : { password })}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={!isBySso && password === ''}>
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{about}</p>
        {isBySso ? (
          <FormProblem text={error ? problemText(error) : undefined} />
        ) : (
          <>
            <TextField
              type="password"
              autoComplete="current-password"
              label={t('password.again')}
              value={password}
              error={fieldProblem(error, '/password')}
              onChange={({ target }) => setPassword(target.value)}
            />
            <PasskeyButton prove={confirmByPasskey} onProven={() => onConfirm({})} disabled={busy} />
          </>
        )}
      </div>
    </Dialog>
  );
}
