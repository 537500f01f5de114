import { useState } from 'react';
import type { Problem } from '../kit/api.ts';
import { t } from '../kit/texts.ts';
import { issueOf } from '../kit/use-read.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { problemText } from './toast.tsx';

interface PasswordDialogProps {
  title: string;
  about: string;
  action: string;
  busy: boolean;
  error: Problem | null;
  onConfirm(password: string): void;
  onClose(): void;
}

/** For what must be asked of the person and not only of the open browser. */
export function PasswordDialog({ title, about, action, busy, error, onConfirm, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => onConfirm(password)}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={password === ''}>
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{about}</p>
        <TextField
          type="password"
          autoComplete="current-password"
          label={t('password.again')}
          value={password}
          error={error ? (issueOf(error, '/password') ?? problemText(error)) : undefined}
          onChange={({ target }) => setPassword(target.value)}
        />
      </div>
    </Dialog>
  );
}
