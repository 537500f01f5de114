import type { Profile } from '@coinslot/contract';
import { MailWarning } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { fieldProblem, issueOf, problemText } from '../../kit/problems.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { LANGUAGES, type LanguageCode } from '../../texts/languages.ts';
import { language, switchLanguage, t, tryText } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Time } from '../../ui/cells.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Bar, PageSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { Notice, Page, Section } from '../../ui/page.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { TwoStep } from './two-step.tsx';

function ProfileForm({ profile }: { profile: Profile }) {
  const [name, setName] = useState(profile.name);
  const save = useAction(() => call('PATCH /dashboard/api/me', { body: { name: name.trim() } }), {
    done: () => t('profile.saved'),
  });
  const changeLanguage = useAction((locale: LanguageCode) => call('PATCH /dashboard/api/me', { body: { locale } }), {
    after: (_answer, locale) => switchLanguage(locale),
  });
  return (
    <Form className="grid max-w-[480px] gap-4" onSubmit={() => save.mutate()}>
      <TextField
        label={t('register.name')}
        autoComplete="name"
        value={name}
        error={issueOf(save.error, '/name')}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label={t('profile.language')}
        value={language}
        onChange={({ target }) => changeLanguage.mutate(target.value as LanguageCode)}
      >
        {Object.entries(LANGUAGES).map(([code, label]) => (
          <option key={code} value={code}>
            {label}
          </option>
        ))}
      </SelectField>
      <div>
        <Button type="submit" look="primary" busy={save.isPending}>
          {t('dialog.save')}
        </Button>
      </div>
    </Form>
  );
}

function EmailForm({ profile }: { profile: Profile }) {
  const [email, setEmail] = useState('');
  const change = useAction(() => call('POST /dashboard/api/me/email', { body: { email: email.trim() } }), {
    quiet: true,
    done: () => t('profile.emailSent', { email: email.trim() }),
    after: () => setEmail(''),
  });
  return (
    <Form className="grid max-w-[480px] gap-4" onSubmit={() => change.mutate()}>
      <p>
        <span className="font-semibold">{profile.email}</span>
        {profile.pending_email && (
          <span className="text-soft"> · {t('profile.emailPending', { email: profile.pending_email })}</span>
        )}
      </p>
      <TextField
        type="email"
        label={t('profile.newEmail')}
        value={email}
        error={fieldProblem(change.error, '/email')}
        onChange={({ target }) => setEmail(target.value)}
      />
      <div>
        <Button type="submit" busy={change.isPending} disabled={email.trim() === ''}>
          {t('profile.changeEmail')}
        </Button>
      </div>
    </Form>
  );
}

function PasswordForm() {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useAction(
    () => call('POST /dashboard/api/me/password', { body: { current_password: current, password } }),
    {
      quiet: true,
      done: () => t('profile.passwordChanged'),
      after: () => {
        setCurrent('');
        setPassword('');
      },
    },
  );
  const { error } = change;
  const isWrong = error?.code === 'password_wrong';
  return (
    <Form className="grid max-w-[480px] gap-4" onSubmit={() => change.mutate()}>
      <TextField
        type="password"
        label={t('password.current')}
        autoComplete="current-password"
        value={current}
        error={isWrong ? problemText(error) : undefined}
        onChange={({ target }) => setCurrent(target.value)}
      />
      <TextField
        type="password"
        label={t('password.new')}
        hint={t('password.hint')}
        autoComplete="new-password"
        value={password}
        error={error && !isWrong ? (issueOf(error, '/password') ?? problemText(error)) : undefined}
        onChange={({ target }) => setPassword(target.value)}
      />
      <div>
        <Button type="submit" busy={change.isPending} disabled={current === '' || password === ''}>
          {t('profile.changePassword')}
        </Button>
      </div>
    </Form>
  );
}

const SHOWN = 20;

/** Lists what happened to the member's own account, so that they notice a sign-in by a stranger. */
function SecurityEvents() {
  const read = useRead('GET /dashboard/api/me/security_events', { query: { limit: SHOWN } });
  if (read.isError) return <ReadProblem error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Bar className="w-56" />;
  if (read.data.data.length === 0) return <p className="text-soft">{t('audit.empty')}</p>;
  return (
    <ul className="w-full">
      {read.data.data.map(event => (
        <li key={event.id} className="flex flex-wrap gap-x-4 border-b border-line py-3 first:border-t">
          <span className={`min-w-0 flex-1 basis-56 ${event.kind.endsWith('_failed') ? 'text-bad' : ''}`}>
            {tryText(`audit.${event.kind}`) ?? event.kind}
          </span>
          <span className="text-soft">{event.ip}</span>
          <Time at={event.created_at} className="text-soft" />
        </li>
      ))}
    </ul>
  );
}

/** Shown until the address is confirmed. An installation without a mail server shows the link itself. */
function UnverifiedEmail({ email }: { email: string }) {
  const send = useAction(() => call('POST /dashboard/api/me/email/verification'), {
    done: ({ url }) => (url ? t('verify.link') : t('verify.sent', { email })),
  });
  const url = send.data?.url;
  return (
    <Notice
      tone="warn"
      icon={<MailWarning size={16} aria-hidden />}
      action={
        url ? (
          <a href={url} className={buttonClass({ size: 'small' })}>
            {t('confirmEmail.do')}
          </a>
        ) : (
          <Button size="small" busy={send.isPending} onClick={() => send.mutate()}>
            {t('verify.send')}
          </Button>
        )
      }
    >
      {t('verify.about')}
    </Notice>
  );
}

export function ProfilePage() {
  const read = useRead('GET /dashboard/api/me', {});
  if (read.isPending) return <PageSkeleton />;
  return (
    <Page title={t('nav.profile')}>
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {read.data && (
        <>
          <Section title={t('profile.you')}>
            <ProfileForm profile={read.data} />
          </Section>
          <Section title={t('column.email')}>
            {!read.data.email_verified && <UnverifiedEmail email={read.data.email} />}
            <EmailForm profile={read.data} />
          </Section>
          <Section title={t('password.label')} about={t('profile.passwordAbout')}>
            <PasswordForm />
          </Section>
          <Section title={t('passkeys.title')} about={t('passkeys.about')}>
            <Passkeys profile={read.data} />
          </Section>
          <Section title={t('twoStep.title')} about={t('twoStep.about')}>
            <TwoStep profile={read.data} />
          </Section>
          <Section title={t('sessions.title')} about={t('sessions.about')}>
            <Sessions />
          </Section>
          <Section title={t('securityEvents.title')} about={t('securityEvents.about')}>
            <SecurityEvents />
          </Section>
        </>
      )}
    </Page>
  );
}
