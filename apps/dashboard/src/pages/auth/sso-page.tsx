import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../kit/api.ts';
import { problemText } from '../../kit/problems.ts';
import { beginSso, readSession, takeNextPage } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { safeNext } from '../../shell/paths.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormProblem, TextLink } from '../../ui/form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { useStartSession } from './use-start-session.ts';

/** The member has to press a button, so that no link of another site begins a session. */
export function SsoPage() {
  const { companyId } = useParams({ strict: false }) as { companyId: string };
  useEffect(() => void readSession().catch(() => undefined), []);
  const begin = useAction(() => beginSso(companyId, null), { quiet: true });
  return (
    <AuthLayout
      title={t('sso.beginTitle')}
      about={t('sso.beginAbout')}
      below={<TextLink to="/sign-in">{t('signIn.other')}</TextLink>}
    >
      <Form onSubmit={() => begin.mutate()}>
        <FormProblem text={begin.error ? problemText(begin.error) : undefined} />
        <Button type="submit" look="primary" size="big" busy={begin.isPending}>
          {t('sso.begin')}
        </Button>
      </Form>
    </AuthLayout>
  );
}

/** Hands over what the identity provider gave the browser. */
export function SsoCallbackPage() {
  const { companyId } = useParams({ strict: false }) as { companyId: string };
  const startSession = useStartSession();
  const [back] = useState(() => Object.fromEntries(new URLSearchParams(location.search)));
  const finish = useAction(
    async () => {
      await readSession();
      const { state = '', code = '', iss } = back;
      const body = { company_id: companyId, state, code, ...(iss !== undefined && { iss }) };
      return call('POST /dashboard/api/sso/finish', { body });
    },
    { quiet: true, after: session => startSession(session, safeNext(takeNextPage())) },
  );
  const { mutate } = finish;
  useEffect(() => mutate(), [mutate]);
  return (
    <AuthLayout
      title={t('sso.beginTitle')}
      about={finish.error ? problemText(finish.error) : t('sso.finishing')}
      below={<TextLink to="/sign-in">{t('signIn.other')}</TextLink>}
    >
      {null}
    </AuthLayout>
  );
}
