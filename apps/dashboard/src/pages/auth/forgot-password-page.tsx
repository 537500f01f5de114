import { MailCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../kit/api.ts';
import { problemText } from '../../kit/problems.ts';
import { readSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, TextLink } from '../../ui/form.tsx';
import { Notice } from '../../ui/page.tsx';
import { AuthLayout } from './auth-layout.tsx';

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  useEffect(() => void readSession().catch(() => undefined), []);
  const ask = useAction(() => call('POST /dashboard/api/password_resets', { body: { email: email.trim() } }), {
    quiet: true,
  });
  return (
    <AuthLayout
      title={t('forgot.title')}
      about={t('forgot.about')}
      below={<TextLink to="/sign-in">{t('forgot.back')}</TextLink>}
    >
      {ask.isSuccess ? (
        <Notice tone="good" icon={<MailCheck size={16} aria-hidden />}>
          {t('forgot.sent', { email: email.trim() })}
        </Notice>
      ) : (
        <Form onSubmit={() => ask.mutate()}>
          <TextField
            type="email"
            label={t('column.email')}
            autoComplete="username"
            value={email}
            error={ask.error ? problemText(ask.error) : undefined}
            onChange={({ target }) => setEmail(target.value)}
          />
          <Button type="submit" look="primary" size="big" busy={ask.isPending}>
            {t('forgot.do')}
          </Button>
        </Form>
      )}
    </AuthLayout>
  );
}
