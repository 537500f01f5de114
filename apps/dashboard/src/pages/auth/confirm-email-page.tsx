import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { problemText } from '../../kit/problems.ts';
import { useSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { FormProblem, TextLink } from '../../ui/form.tsx';
import { Notice } from '../../ui/page.tsx';
import { AuthLayout, tokenInHash } from './auth-layout.tsx';

/** Where the token waits in this tab while its owner signs in; an address would reach a server's log. */
const TOKEN_KEY = 'coinslot.confirm-email';

const SignInFirst = ({ token }: { token: string }) => (
  <AuthLayout
    title={t('confirmEmail.title')}
    about={t('confirmEmail.signInFirst')}
    below={
      <>
        {t('confirmEmail.notYours')} <TextLink to="/forgot">{t('confirmEmail.reset')}</TextLink>
      </>
    }
  >
    <div className="grid">
      <Link
        to="/sign-in"
        search={{ next: '/confirm-email' }}
        onClick={() => sessionStorage.setItem(TOKEN_KEY, token)}
        className={buttonClass({ look: 'primary', size: 'big' })}
      >
        {t('signIn.do')}
      </Link>
    </div>
  </AuthLayout>
);

/** The member has to press a button, because mail programs open links to scan them. */
export function ConfirmEmailPage() {
  const [token] = useState(() => tokenInHash(location.hash) || (sessionStorage.getItem(TOKEN_KEY) ?? ''));
  const session = useSession();
  const confirm = useAction(() => call('POST /dashboard/api/email_changes/use', { body: { token } }), {
    quiet: true,
    after: () => sessionStorage.removeItem(TOKEN_KEY),
  });
  const { error } = confirm;
  const isSignedOut = session.data?.user === null && !confirm.isSuccess;
  if (isSignedOut || error?.code === 'sign_in_required') return <SignInFirst token={token} />;
  const isOver = confirm.isSuccess || error?.code === 'link_invalid';
  return (
    <AuthLayout title={t('confirmEmail.title')} about={isOver ? undefined : t('confirmEmail.about')}>
      <div className="grid gap-4">
        {confirm.isSuccess && (
          <Notice tone="good" icon={<CircleCheck size={16} aria-hidden />}>
            {t('confirmEmail.done')}
          </Notice>
        )}
        <FormProblem text={error ? problemText(error) : undefined} />
        {isOver ? (
          <Link to="/" className={buttonClass({ look: 'primary', size: 'big' })}>
            {t('notFound.home')}
          </Link>
        ) : (
          <Button
            look="primary"
            size="big"
            busy={confirm.isPending || session.isPending}
            onClick={() => confirm.mutate()}
          >
            {t('confirmEmail.do')}
          </Button>
        )}
      </div>
    </AuthLayout>
  );
}
