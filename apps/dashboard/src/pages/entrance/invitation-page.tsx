import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type AnswerOf, call } from '../../kit/api.ts';
import { issueOf, type Problem, problemText } from '../../kit/problems.ts';
import { readSession, useSession } from '../../kit/session.ts';
import { useAct } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormProblem, TextLink } from '../../ui/form.tsx';
import { Notice } from '../../ui/page.tsx';
import { Bar, Loading } from '../../ui/reading.tsx';
import { Entrance, tokenOfAddress } from './entrance.tsx';
import { useEnter } from './use-enter.ts';

type Offer = AnswerOf<'POST /dashboard/api/invitations/read'>;

function useOffer(token: string): { offer: Offer | null; error: Problem | null } {
  const [state, setState] = useState<{ offer: Offer | null; error: Problem | null }>({ offer: null, error: null });
  useEffect(() => {
    readSession()
      .then(() => call('POST /dashboard/api/invitations/read', { body: { token } }))
      .then(
        offer => setState({ offer, error: null }),
        (error: Problem) => setState({ offer: null, error }),
      );
  }, [token]);
  return state;
}

function Accept({ offer, token }: { offer: Offer; token: string }) {
  const enter = useEnter();
  const session = useSession();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isSignedIn = session.data?.user?.email.toLowerCase() === offer.email.toLowerCase();
  const accept = useAct(
    () =>
      call('POST /dashboard/api/invitations/accept', {
        body: isSignedIn ? { token } : { token, name: name.trim(), password, locale: language },
      }),
    { quiet: true, done: () => t('invitation.done', { company: offer.company }), after: state => enter(state) },
  );
  if (offer.has_account && !isSignedIn) {
    return (
      <div className="grid gap-4">
        <p className="text-soft">{t('invitation.signInFirst', { email: offer.email })}</p>
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
          <TextField type="email" label={t('column.email')} value={offer.email} readOnly autoComplete="username" />
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
        {t('invitation.do', { company: offer.company })}
      </Button>
    </Form>
  );
}

export function InvitationPage() {
  const [token] = useState(() => tokenOfAddress(location.hash));
  const { offer, error } = useOffer(token);
  return (
    <Entrance
      title={offer ? t('invitation.title', { company: offer.company }) : t('invitation.plainTitle')}
      {...(offer && { about: t('invitation.about', { who: offer.invited_by, role: t(`role.${offer.role}`) }) })}
      {...(error && { below: <TextLink to="/sign-in">{t('forgot.back')}</TextLink> })}
    >
      {error && (
        <Notice tone="bad" icon={<CircleAlert size={16} aria-hidden />}>
          {problemText(error)}
        </Notice>
      )}
      {!offer && !error && (
        <>
          <Loading />
          <Bar className="w-full" />
        </>
      )}
      {offer && <Accept offer={offer} token={token} />}
    </Entrance>
  );
}
