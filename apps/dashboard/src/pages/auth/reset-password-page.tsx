import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../kit/api.ts';
import { issueOf, problemText } from '../../kit/problems.ts';
import { readSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, TextLink } from '../../ui/form.tsx';
import { AuthLayout, tokenInHash } from './auth-layout.tsx';

export function ResetPasswordPage() {
  const navigate = useNavigate();
  const [token] = useState(() => tokenInHash(location.hash));
  const [password, setPassword] = useState('');
  useEffect(() => void readSession().catch(() => undefined), []);
  const reset = useAction(() => call('POST /dashboard/api/password_resets/use', { body: { token, password } }), {
    quiet: true,
    done: () => t('reset.done'),
    after: () => void navigate({ to: '/sign-in' }),
  });
  return (
    <AuthLayout
      title={t('reset.title')}
      about={t('reset.about')}
      below={<TextLink to="/forgot">{t('reset.another')}</TextLink>}
    >
      <Form onSubmit={() => reset.mutate()}>
        <TextField
          type="password"
          label={t('password.new')}
          hint={t('password.hint')}
          autoComplete="new-password"
          value={password}
          error={reset.error ? (issueOf(reset.error, '/password') ?? problemText(reset.error)) : undefined}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Button type="submit" look="primary" size="big" busy={reset.isPending}>
          {t('reset.do')}
        </Button>
      </Form>
    </AuthLayout>
  );
}
