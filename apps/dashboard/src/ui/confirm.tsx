import { type ReactNode, useState } from 'react';
import { t } from '../kit/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';

interface ConfirmProps {
  question: string;
  children?: ReactNode;
  /** On the button: what will be done. */
  action: string;
  danger?: boolean;
  busy: boolean;
  /** Asks for a sentence that goes with it. */
  reason?: string;
  onConfirm(reason: string): void;
  onClose(): void;
}

/** The question before what cannot be undone. The button says what it does, never "OK". */
export function Confirm({ question, children, action, danger = true, busy, reason, onConfirm, onClose }: ConfirmProps) {
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
      </div>
    </Dialog>
  );
}
