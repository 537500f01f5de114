import { useState, useSyncExternalStore } from 'react';
import { call } from '../../kit/api.ts';
import { confirmByPasskey } from '../../kit/passkeys.ts';
import { fieldProblem, Problem, problemText } from '../../kit/problems.ts';
import { currentPrompt, onPrompt } from '../../kit/reauthenticate.ts';
import { beginSso, useIsBySso, useSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { TextField } from '../field.tsx';
import { FormProblem } from '../form.tsx';
import { Dialog } from './dialog.tsx';
import { PasskeyButton } from './passkey-button.tsx';

/** The password is right, and the user has a second factor. */
const WANTS_CODE = new Set<string>(['totp_required', 'totp_invalid', 'passkey_required']);

function PasswordPrompt({ settle }: { settle(isProven: boolean): void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const byPassword = useAction(
    async () => {
      const body = { password, ...(needsCode && { code: code.trim() }) };
      try {
        await call('POST /dashboard/api/me/confirm', { body });
      } catch (error) {
        if (error instanceof Problem && WANTS_CODE.has(error.code)) setNeedsCode(true);
        throw error;
      }
    },
    { quiet: true, after: () => settle(true) },
  );
  const { error } = byPassword;
  const isAboutCode = error !== null && WANTS_CODE.has(error.code);
  return (
    <Dialog
      title={t('askAgain.title')}
      onClose={() => settle(false)}
      onSubmit={() => byPassword.mutate()}
      actions={
        <>
          <Button onClick={() => settle(false)}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={byPassword.isPending} disabled={password === ''}>
            {t('dialog.next')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t('askAgain.about')}</p>
        <TextField
          type="password"
          autoComplete="current-password"
          label={t('password.again')}
          value={password}
          error={isAboutCode ? undefined : fieldProblem(error, '/password')}
          onChange={({ target }) => setPassword(target.value)}
        />
        {needsCode && (
          <TextField
            label={t('signIn.code')}
            hint={t('signIn.codeAbout')}
            autoComplete="one-time-code"
            autoFocus
            value={code}
            error={error?.code === 'totp_invalid' ? t('signIn.codeWrong') : undefined}
            onChange={({ target }) => setCode(target.value)}
          />
        )}
        <PasskeyButton prove={confirmByPasskey} onProven={() => settle(true)} />
      </div>
    </Dialog>
  );
}

/** The way to the identity provider leaves the page, so the waiting call ends. */
function SsoPrompt({ settle }: { settle(isProven: boolean): void }) {
  const company = useSession().data?.companies[0];
  const begin = useAction(() => beginSso(company?.id ?? '', location.pathname + location.search), { quiet: true });
  return (
    <Dialog
      title={t('askAgain.title')}
      onClose={() => settle(false)}
      onSubmit={() => begin.mutate()}
      actions={
        <>
          <Button onClick={() => settle(false)}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={begin.isPending}>
            {t('askAgain.sso')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t('askAgain.ssoAbout')}</p>
        <FormProblem text={begin.error ? problemText(begin.error) : undefined} />
      </div>
    </Dialog>
  );
}

function AnyPrompt({ settle }: { settle(isProven: boolean): void }) {
  return useIsBySso() ? <SsoPrompt settle={settle} /> : <PasswordPrompt settle={settle} />;
}

/** Asks the member to prove who they are if the server requires it again, and then lets the waiting call continue. */
export function ReauthenticateDialog() {
  const prompt = useSyncExternalStore(onPrompt, currentPrompt);
  return prompt && <AnyPrompt settle={prompt.settle} />;
}
