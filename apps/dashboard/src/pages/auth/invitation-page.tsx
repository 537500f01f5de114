import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type AnswerOf, call } from '../../kit/api.ts';
import { issueOf, type Problem, problemText } from '../../kit/problems.ts';
import { readSession, useSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormProblem, TextLink } from '../../ui/form.tsx';
import { Bar, Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/page.tsx';
import { AuthLayout, tokenInHash } from './auth-layout.tsx';
import { useStartSession } from './use-start-session.ts';

type InvitationDetails = AnswerOf<'POST /dashboard/api/invitations/read'>;

function useInvitation(token: string): { invitation: InvitationDetails | null; error: Problem | null } {
  const [state, setState] = useState<{ invitation: InvitationDetails | null; error: Problem | null }>({
    invitation: null,
    error: null,
  });
  useEffect(() => {
    readSession()
      .then(() => call('POST /dashboard/api/invitations/read', { body: { token } }))
      .then(
        invitation => setState({ invitation, error: null }),
        (error: Problem) => setState({ invitation: null, error }),
      );
  }, [token]);
  return state;
}

function AcceptForm({ invitation, token }: { invitation: InvitationDetails; token: string }) {
  const startSession = useStartSession();
  const session = useSession();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isSignedIn = session.data?.user?.email.toLowerCase() === invitation.email.toLowerCase();
  const accept = useAction(
    () =>
      call('POST /dashboard/api/invitations/accept', {
        body: isSignedIn ? { token } : { token, name: name.trim(), password, locale: language },
      }),
    {
      quiet: true,
      done: () => t('invitation.done', { company: invitation.company }),
      after: state => startSession(state),
    },
  );
  if (invitation.has_account && !isSignedIn) {
    return (
      <div className="grid gap-4">
        <p className="text-soft">{t('invitation.signInFirst', { email: invitation.email })}</p>
        <Link to="/sign-in" className={buttonClass({ look: 'primary', size: 'big' })}>
          {t('signIn.do')}
        </Link>
      </div>
    );
  }
  const general = accept.error && accept.error.issues.length === 0 ? problemText(accept.error) : undefined;
  return (
    <Form onSubmit={() => accept.mutate()}>
      {!isSignedIn && (
        <>
          <TextField type="email" label={t('column.email')} value={invitation.email} readOnly autoComplete="username" />
          <TextField
            label={t('register.name')}
            autoComplete="name"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            type="password"
            label={t('password.label')}
            hint={t('password.hint')}
            autoComplete="new-password"
            value={password}
            error={issueOf(accept.error, '/password')}
            onChange={({ target }) => setPassword(target.value)}
          />
        </>
      )}
      <FormProblem text={general} />
      <Button type="submit" look="primary" size="big" busy={accept.isPending}>
        {t('invitation.do', { company: invitation.company })}
      </Button>
    </Form>
  );
}

export function InvitationPage() {
  const [token] = useState(() => tokenInHash(location.hash));
  const { invitation, error } = useInvitation(token);
  return (
    <AuthLayout
      title={invitation ? t('invitation.title', { company: invitation.company }) : t('invitation.plainTitle')}
      {...(invitation && {
        about: t('invitation.about', { who: invitation.invited_by, role: t(`role.${invitation.role}`) }),
      })}
      {...(error && { below: <TextLink to="/sign-in">{t('forgot.back')}</TextLink> })}
    >
      {error && (
        <Notice tone="bad" icon={<CircleAlert size={16} aria-hidden />}>
          {problemText(error)}
        </Notice>
      )}
      {!invitation && !error && (
        <>
          <Loading />
          <Bar className="w-full" />
        </>
      )}
      {invitation && <AcceptForm invitation={invitation} token={token} />}
    </AuthLayout>
  );
}
