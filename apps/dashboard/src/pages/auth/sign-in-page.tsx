import type { SessionState } from '@coinslot/contract';
import { Link, useSearch } from '@tanstack/react-router';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { hasPasskeys, signInByPasskey } from '../../kit/passkeys.ts';
import { issueOf, Problem, problemText } from '../../kit/problems.ts';
import { useSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { safeNext } from '../../shell/paths.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormProblem, TextLink } from '../../ui/form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { useStartSession } from './use-start-session.ts';

const SECOND_STEP = new Set<string>(['totp_required', 'totp_invalid', 'passkey_required']);

const wantsCode = (error: Problem | null): boolean => error instanceof Problem && SECOND_STEP.has(error.code);

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

interface PasskeyButtonProps {
  busy: boolean;
  /** The password was right, and the server now asks for the passkey. */
  isAsked: boolean;
  onPress(): void;
}

const PasskeyButton = ({ busy, isAsked, onPress }: PasskeyButtonProps) => (
  <Button
    look={isAsked ? 'primary' : 'plain'}
    size="big"
    icon={<Fingerprint size={18} aria-hidden />}
    busy={busy}
    autoFocus={isAsked}
    onClick={() => onPress()}
  >
    {t('signIn.passkey')}
  </Button>
);

const NewHere = () => (
  <>
    {t('signIn.new')} <TextLink to="/register">{t('signIn.register')}</TextLink>
  </>
);

type SecondStep = 'app' | 'passkey';

interface CodeFieldProps {
  step: SecondStep;
  code: string;
  setCode(code: string): void;
  error: Problem | null;
  autoFocus: boolean;
}

const CodeField = ({ step, code, setCode, error, autoFocus }: CodeFieldProps) => (
  <TextField
    label={t(step === 'passkey' ? 'signIn.recovery' : 'signIn.code')}
    autoComplete="one-time-code"
    autoFocus={autoFocus}
    value={code}
    error={error?.code === 'totp_invalid' ? t('signIn.codeWrong') : undefined}
    onChange={({ target }) => setCode(target.value)}
  />
);

function headingOf(step: SecondStep | null): { title: string; about?: string } {
  if (step === null) return { title: t('signIn.title') };
  if (step === 'app') return { title: t('signIn.codeTitle'), about: t('signIn.codeAbout') };
  return { title: t('signIn.passkeyTitle'), about: t('signIn.passkeyAbout') };
}

export function SignInPage() {
  const { next } = useSearch({ strict: false }) as { next?: string };
  const startSession = useStartSession();
  const after = (session: SessionState): void => startSession(session, safeNext(next));
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null);
  const isSecondStep = secondStep !== null;
  // A session without a user brings the CSRF token that signing in needs.
  const { data: state } = useSession();
  const signIn = useAction(
    async () => {
      try {
        const body = { email: email.trim(), password, ...(isSecondStep && { code: code.trim() }) };
        return await call('POST /dashboard/api/sign_in', { body });
      } catch (error) {
        if (error instanceof Problem && wantsCode(error))
          setSecondStep(was => was ?? (error.code === 'passkey_required' ? 'passkey' : 'app'));
        throw error;
      }
    },
    { quiet: true, after },
  );
  const byPasskey = useAction(signInByPasskey, { quiet: true, after });
  const startOver = (): void => {
    signIn.reset();
    byPasskey.reset();
    setSecondStep(null);
    setCode('');
    setPassword('');
  };
  const isPasskeyAsked = secondStep === 'passkey' && hasPasskeys();
  const passkey = <PasskeyButton busy={byPasskey.isPending} isAsked={isPasskeyAsked} onPress={byPasskey.mutate} />;
  const { error } = signIn;
  const problem = byPasskey.error ?? (error && !wantsCode(error) && error.issues.length === 0 ? error : null);
  return (
    <AuthLayout
      {...headingOf(secondStep)}
      below={
        isSecondStep ? (
          <Button look="quiet" onClick={startOver}>
            {t('signIn.other')}
          </Button>
        ) : (
          state?.registration_open !== false && <NewHere />
        )
      }
    >
      <Form onSubmit={() => signIn.mutate()}>
        {isPasskeyAsked && passkey}
        {isSecondStep ? (
          <CodeField key="code" {...{ step: secondStep, code, setCode, error, autoFocus: !isPasskeyAsked }} />
        ) : (
          <Credentials {...{ email, setEmail, password, setPassword, error }} />
        )}
        <FormProblem text={problem ? problemText(problem) : undefined} />
        <Button type="submit" look={isPasskeyAsked ? 'plain' : 'primary'} size="big" busy={signIn.isPending}>
          {t(isSecondStep ? 'signIn.codeDo' : 'signIn.do')}
        </Button>
        {!isSecondStep && hasPasskeys() && passkey}
      </Form>
    </AuthLayout>
  );
}
