import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { issueOf, Problem, problemText } from '../../kit/problems.ts';
import { useSession } from '../../kit/session.ts';
import { useAct } from '../../kit/use-read.ts';
import { safeNext } from '../../shell/places.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormProblem, TextLink } from '../../ui/form.tsx';
import { Entrance } from './entrance.tsx';
import { useEnter } from './use-enter.ts';

const wantsCode = (error: Problem | null): boolean =>
  error instanceof Problem && (error.code === 'totp_required' || error.code === 'totp_invalid');

interface CredentialsProps {
  email: string;
  setEmail(text: string): void;
  password: string;
  setPassword(text: string): void;
  error: Problem | null;
}

const Credentials = ({ email, setEmail, password, setPassword, error }: CredentialsProps) => (
  <>
    <TextField
      type="email"
      label={t('column.email')}
      autoComplete="username"
      value={email}
      error={issueOf(error, '/email')}
      onChange={({ target }) => setEmail(target.value)}
    />
    <TextField
      type="password"
      label={t('password.label')}
      autoComplete="current-password"
      value={password}
      error={issueOf(error, '/password')}
      aside={
        <Link to="/forgot" className="text-link underline-offset-4 hover:underline">
          {t('signIn.forgot')}
        </Link>
      }
      onChange={({ target }) => setPassword(target.value)}
    />
  </>
);

export function SignInPage() {
  const { next } = useSearch({ strict: false }) as { next?: string };
  const enter = useEnter();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isSecondStep, setSecondStep] = useState(false);
  // The token for the first change comes with the session of a stranger.
  const { data: state } = useSession();
  const signIn = useAct(
    async () => {
      try {
        const body = { email: email.trim(), password, ...(isSecondStep && { code: code.trim() }) };
        return await call('POST /dashboard/api/sign_in', { body });
      } catch (error) {
        if (error instanceof Problem && wantsCode(error)) setSecondStep(true);
        throw error;
      }
    },
    { quiet: true, after: session => enter(session, safeNext(next)) },
  );
  const startOver = (): void => {
    signIn.reset();
    setSecondStep(false);
    setCode('');
    setPassword('');
  };
  const { error } = signIn;
  const general = error && !wantsCode(error) && error.issues.length === 0 ? problemText(error) : undefined;
  return (
    <Entrance
      title={t(isSecondStep ? 'signIn.codeTitle' : 'signIn.title')}
      {...(isSecondStep && { about: t('signIn.codeAbout') })}
      below={
        isSecondStep ? (
          <Button look="quiet" onClick={startOver}>
            {t('signIn.other')}
          </Button>
        ) : state?.registration_open === false ? undefined : (
          <>
            {t('signIn.new')} <TextLink to="/register">{t('signIn.register')}</TextLink>
          </>
        )
      }
    >
      <Form onSubmit={() => signIn.mutate()}>
        {isSecondStep ? (
          <TextField
            key="code"
            label={t('signIn.code')}
            autoComplete="one-time-code"
            autoFocus
            value={code}
            error={error?.code === 'totp_invalid' ? t('signIn.codeWrong') : undefined}
            onChange={({ target }) => setCode(target.value)}
          />
        ) : (
          <Credentials {...{ email, setEmail, password, setPassword, error }} />
        )}
        <FormProblem text={general} />
        <Button type="submit" look="primary" size="big" busy={signIn.isPending}>
          {t(isSecondStep ? 'signIn.codeDo' : 'signIn.do')}
        </Button>
      </Form>
    </Entrance>
  );
}
