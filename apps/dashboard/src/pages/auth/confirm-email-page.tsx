import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../kit/api.ts';
import { problemText } from '../../kit/problems.ts';
import { readSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/page.tsx';
import { AuthLayout, tokenInHash } from './auth-layout.tsx';

/** The member has to press a button, because mail programs open links to scan them. */
export function ConfirmEmailPage() {
  const [token] = useState(() => tokenInHash(location.hash));
  useEffect(() => void readSession().catch(() => undefined), []);
  const confirm = useAction(() => call('POST /dashboard/api/email_changes/use', { body: { token } }), { quiet: true });
  const isSignInNeeded = confirm.error?.code === 'sign_in_required';
  return (
    <AuthLayout title={t('confirmEmail.title')} about={t('confirmEmail.about')}>
      {confirm.isSuccess ? (
        <div className="grid gap-4">
          <Notice tone="good" icon={<CircleCheck size={16} aria-hidden />}>
            {t('confirmEmail.done')}
          </Notice>
          <Link to="/" className={buttonClass({ look: 'primary', size: 'big' })}>
            {t('notFound.home')}
          </Link>
        </div>
      ) : (
        <div className="grid gap-4">
          {confirm.error && (
            <p role="alert" className={isSignInNeeded ? 'text-soft' : 'text-bad'}>
              {isSignInNeeded ? t('confirmEmail.signInFirst') : problemText(confirm.error)}
            </p>
          )}
          {isSignInNeeded ? (
            <Link to="/sign-in" className={buttonClass({ look: 'primary', size: 'big' })}>
              {t('signIn.do')}
            </Link>
          ) : (
            <Button look="primary" size="big" busy={confirm.isPending} onClick={() => confirm.mutate()}>
              {t('confirmEmail.do')}
            </Button>
          )}
        </div>
      )}
    </AuthLayout>
  );
}
