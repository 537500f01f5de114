import type { Profile } from '@coinslot/contract';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { type AnswerOf, call } from '../../kit/api.ts';
import { confirmByPasskey } from '../../kit/passkeys.ts';
import { problemText } from '../../kit/problems.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyId } from '../../ui/code-block.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { PasskeyButton } from '../../ui/overlay/passkey-button.tsx';
import { QrCode } from './qr-code.tsx';

type Secret = AnswerOf<'POST /dashboard/api/me/totp'>;

function StartDialog({ onSecret, onClose }: { onSecret(secret: Secret): void; onClose(): void }) {
  const begin = useAction((body: { password?: string }) => call('POST /dashboard/api/me/totp', { body }), {
    quiet: true,
    after: onSecret,
  });
  return (
    <PasswordDialog
      title={t('twoStep.onTitle')}
      about={t('twoStep.onAbout')}
      action={t('dialog.next')}
      busy={begin.isPending}
      error={begin.error}
      onConfirm={begin.mutate}
      onClose={onClose}
    />
  );
}

interface ConfirmCodeProps {
  secret: Secret;
  onCodes(codes: string[]): void;
  onClose(): void;
}

function ConfirmCodeDialog({ secret, onCodes, onClose }: ConfirmCodeProps) {
  const [code, setCode] = useState('');
  const confirm = useAction(() => call('POST /dashboard/api/me/totp/confirm', { body: { code: code.trim() } }), {
    quiet: true,
    done: () => t('twoStep.isOn'),
    after: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  return (
    <Dialog
      title={t('twoStep.scan')}
      onClose={onClose}
      onSubmit={() => confirm.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={confirm.isPending}>
            {t('twoStep.switchOn')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t('twoStep.scanAbout')}</p>
        <div className="flex justify-center">
          <QrCode text={secret.otpauth_uri} label={t('twoStep.qr')} />
        </div>
        <p className="text-soft">
          {t('twoStep.type')} <CopyId id={secret.secret} label={t('twoStep.secret')} />
        </p>
        <TextField
          label={t('signIn.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          error={confirm.error ? problemText(confirm.error) : undefined}
          onChange={({ target }) => setCode(target.value)}
        />
      </div>
    </Dialog>
  );
}

export const RecoveryCodes = ({ codes, onClose }: { codes: readonly string[]; onClose(): void }) => (
  <Dialog
    title={t('twoStep.codes')}
    onClose={onClose}
    actions={
      <Button look="primary" onClick={onClose}>
        {t('twoStep.kept')}
      </Button>
    }
  >
    <div className="grid gap-4">
      <p className="text-soft">{t('twoStep.codesAbout')}</p>
      <CodeBlock text={codes.join('\n')} label={t('twoStep.codes')} />
    </div>
  </Dialog>
);

function DisableDialog({ onClose }: { onClose(): void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const disable = useAction(
    (given: { password?: string }) =>
      call('POST /dashboard/api/me/totp/disable', { body: { ...given, code: code.trim() } }),
    { quiet: true, done: () => t('twoStep.isOff'), after: onClose },
  );
  const { error } = disable;
  return (
    <Dialog
      title={t('twoStep.offTitle')}
      onClose={onClose}
      onSubmit={() => disable.mutate({ password })}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="danger" busy={disable.isPending}>
            {t('twoStep.switchOff')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextField
          type="password"
          label={t('password.again')}
          autoComplete="current-password"
          value={password}
          error={error?.code === 'password_wrong' ? problemText(error) : undefined}
          onChange={({ target }) => setPassword(target.value)}
        />
        <TextField
          label={t('signIn.code')}
          hint={t('signIn.codeHint')}
          autoComplete="one-time-code"
          value={code}
          error={error && error.code !== 'password_wrong' ? problemText(error) : undefined}
          onChange={({ target }) => setCode(target.value)}
        />
        <PasskeyButton prove={confirmByPasskey} onProven={() => disable.mutate({})} disabled={disable.isPending} />
      </div>
    </Dialog>
  );
}

function RenewDialog({ onCodes, onClose }: { onCodes(codes: string[]): void; onClose(): void }) {
  const renew = useAction((body: { password?: string }) => call('POST /dashboard/api/me/recovery_codes', { body }), {
    quiet: true,
    after: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  return (
    <PasswordDialog
      title={t('twoStep.renew')}
      about={t('twoStep.renewAbout')}
      action={t('twoStep.renewDo')}
      busy={renew.isPending}
      error={renew.error}
      onConfirm={renew.mutate}
      onClose={onClose}
    />
  );
}

type Open = 'begin' | 'disable' | 'renew' | Secret | string[] | null;

export function TwoStep({ profile }: { profile: Profile }) {
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <div className="grid justify-items-start gap-3">
      <p className="flex items-center gap-2">
        {profile.totp_enabled ? (
          <ShieldCheck size={18} aria-hidden className="text-good" />
        ) : (
          <ShieldOff size={18} aria-hidden className="text-faint" />
        )}
        <span className="font-semibold">{t(profile.totp_enabled ? 'twoStep.stateOn' : 'twoStep.stateOff')}</span>
        {(profile.totp_enabled || profile.passkeys.length > 0) && (
          <span className="text-soft">{t('twoStep.left', { count: profile.recovery_codes_left })}</span>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        {(profile.totp_enabled || profile.passkeys.length > 0) && (
          <Button onClick={() => setOpen('renew')}>{t('twoStep.renew')}</Button>
        )}
        {profile.totp_enabled ? (
          <Button onClick={() => setOpen('disable')}>{t('twoStep.off')}</Button>
        ) : (
          <Button onClick={() => setOpen('begin')}>{t('twoStep.on')}</Button>
        )}
      </div>
      {open === 'begin' && <StartDialog onSecret={setOpen} onClose={close} />}
      {open === 'disable' && <DisableDialog onClose={close} />}
      {open === 'renew' && <RenewDialog onCodes={setOpen} onClose={close} />}
      {Array.isArray(open) && <RecoveryCodes codes={open} onClose={close} />}
      {open !== null && typeof open === 'object' && !Array.isArray(open) && (
        <ConfirmCodeDialog secret={open} onCodes={setOpen} onClose={close} />
      )}
    </div>
  );
}
