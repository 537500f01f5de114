import { Check, Lock, MailCheck, Store } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../kit/api.ts';
import { issueOf, type Problem, problemText } from '../../kit/problems.ts';
import { useSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormProblem, TextLink } from '../../ui/form.tsx';
import { Notice } from '../../ui/page.tsx';
import { AuthLayout } from './auth-layout.tsx';
import {
  type MissingField,
  missingRegisterFields,
  REGISTER_STEPS,
  type RegisterForm,
  type RegisterStep,
  stepOfIssues,
} from './register-form.ts';
import { useStartSession } from './use-start-session.ts';

const EMPTY: RegisterForm = {
  email: '',
  password: '',
  name: '',
  company: '',
  game_url: '',
  game_name: '',
  setup_code: '',
};

const Steps = ({ at }: { at: RegisterStep }) => (
  <ol className="flex gap-2 pb-6" aria-label={t('register.steps')}>
    {REGISTER_STEPS.map((step, index) => {
      const isDone = index < REGISTER_STEPS.indexOf(at);
      const isNow = step === at;
      return (
        <li key={step} aria-current={isNow ? 'step' : undefined} className="flex-1">
          <span aria-hidden className={`block h-1 rounded-full ${isDone || isNow ? 'bg-mark' : 'bg-line'}`} />
          <span className={`flex items-center gap-1 pt-2 text-12 ${isNow ? 'font-semibold' : 'text-soft'}`}>
            {isDone && <Check size={14} aria-hidden />}
            {t(`register.step.${step}`)}
          </span>
        </li>
      );
    })}
  </ol>
);

interface FieldsProps {
  form: RegisterForm;
  link: LinkState;
  /** Only an operator, who can read what the program prints, registers the first company of a production installation. */
  needsCode: boolean;
  set(patch: Partial<RegisterForm>): void;
  errorOf(field: MissingField, pointer: string): string | undefined;
}

const YouFields = ({ form, needsCode, set, errorOf }: FieldsProps) => (
  <>
    {needsCode && (
      <TextField
        label={t('register.setupCode')}
        hint={t('register.setupCodeHint')}
        autoComplete="one-time-code"
        value={form.setup_code}
        error={errorOf('setup_code', '/setup_code')}
        onChange={({ target }) => set({ setup_code: target.value })}
      />
    )}
    <TextField
      type="email"
      label={t('register.email')}
      autoComplete="username"
      value={form.email}
      error={errorOf('email', '/email')}
      onChange={({ target }) => set({ email: target.value })}
    />
    <TextField
      type="password"
      label={t('password.label')}
      hint={t('password.hint')}
      autoComplete="new-password"
      value={form.password}
      error={errorOf('password', '/password')}
      onChange={({ target }) => set({ password: target.value })}
    />
    <TextField
      label={t('register.name')}
      hint={t('register.nameHint')}
      autoComplete="name"
      value={form.name}
      onChange={({ target }) => set({ name: target.value })}
    />
  </>
);

const CompanyFields = ({ form, set, errorOf }: FieldsProps) => (
  <TextField
    label={t('register.company')}
    hint={t('register.companyHint')}
    autoComplete="organization"
    value={form.company}
    error={errorOf('company', '/company')}
    onChange={({ target }) => set({ company: target.value })}
  />
);

interface LinkState {
  /** `name` is null if the link does not contain one. */
  found: { store_label: string; name: string | null } | null;
  error: Problem | null;
}

/** Shows which game the link is about. The server reads this from the link and calls no store. */
function useStoreLink(url: string) {
  const [state, setState] = useState<LinkState>({
    found: null,
    error: null,
  });
  useEffect(() => {
    setState({ found: null, error: null });
    if (url.trim().length < 12) return;
    let isOver = false;
    const timer = setTimeout(() => {
      call('POST /dashboard/api/store_link', { body: { game_url: url.trim() } }).then(
        found => !isOver && setState({ found, error: null }),
        (error: Problem) => !isOver && setState({ found: null, error }),
      );
    }, 300);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [url]);
  return [state, setState] as const;
}

/**
 * Whether the game would be called like the company, because the link has no name: then the form asks for one. A link that is
 * wrong is to be mended first.
 */
async function lacksName(
  url: string,
  { found, error }: LinkState,
  setLink: (link: LinkState) => void,
): Promise<boolean> {
  if (found || issueOf(error, '/game_url') !== undefined) return found?.name === null;
  // The member was quicker than the form, or the server could not answer it.
  const read = await call('POST /dashboard/api/store_link', { body: { game_url: url.trim() } }).catch(() => null);
  if (read) setLink({ found: read, error: null });
  return read?.name === null;
}

function GameFields({ form, link, set, errorOf }: FieldsProps) {
  const { found, error } = link;
  const issue = errorOf('game_url', '/game_url') ?? issueOf(error, '/game_url');
  return (
    <>
      <TextField
        type="url"
        label={t('register.link')}
        hint={t('register.linkHint')}
        placeholder="https://apps.apple.com/…"
        value={form.game_url}
        error={found ? undefined : issue}
        onChange={({ target }) => set({ game_url: target.value })}
      />
      {found && (
        <p className="-mt-2 flex items-center gap-2 rounded-md bg-good-wash px-3 py-2 text-good" role="status">
          <Store size={16} aria-hidden />
          {found.name === null
            ? t('register.foundUnnamed', { store: found.store_label })
            : t('register.found', { name: found.name, store: found.store_label })}
        </p>
      )}
      <TextField
        label={t('register.gameName')}
        hint={t(found?.name ? 'register.gameNameHint' : 'register.gameNameNeeded')}
        placeholder={found?.name ?? ''}
        value={form.game_name}
        error={errorOf('game_name', '/game_name')}
        onChange={({ target }) => set({ game_name: target.value })}
      />
    </>
  );
}

const FIELDS = { you: YouFields, company: CompanyFields, game: GameFields } as const;

function useRegister(form: RegisterForm, onSent: (to: string) => void) {
  const startSession = useStartSession();
  return useAction(
    () => {
      const { name, game_name, setup_code, ...needed } = form;
      return call('POST /dashboard/api/register', {
        body: {
          ...needed,
          email: form.email.trim(),
          game_url: form.game_url.trim(),
          locale: language,
          ...(setup_code.trim() !== '' && { setup_code: setup_code.trim() }),
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(game_name.trim() !== '' && { game_name: game_name.trim() }),
        },
      });
    },
    {
      quiet: true,
      // A new studio starts in the sandbox.
      after: session => {
        if (session.user) startSession(session, `/g/${session.companies[0]?.games[0]?.id ?? ''}/sandbox`);
        else onSent(form.email.trim());
      },
    },
  );
}

const HaveAccount = () => (
  <>
    {t('register.have')} <TextLink to="/sign-in">{t('signIn.do')}</TextLink>
  </>
);

/** Replaces the form when registration is closed, or when the answer comes by mail. */
function Outcome({ sentTo }: { sentTo: string | null }) {
  return sentTo === null ? (
    <Notice tone="warn" icon={<Lock size={16} aria-hidden />}>
      {t('register.closed')}
    </Notice>
  ) : (
    <Notice tone="good" icon={<MailCheck size={16} aria-hidden />}>
      {t('register.mailSent', { email: sentTo })}
    </Notice>
  );
}

interface RegisterStepsProps {
  needsCode: boolean;
  /** No company was registered here yet. */
  isNew: boolean;
  onSent(to: string): void;
}

function RegisterSteps({ needsCode, isNew, onSent }: RegisterStepsProps) {
  const [form, setForm] = useState(EMPTY);
  const [step, setStep] = useState<RegisterStep>('you');
  const [missing, setMissing] = useState<readonly MissingField[]>([]);
  const [link, setLink] = useStoreLink(form.game_url);
  const register = useRegister(form, onSent);
  const at = REGISTER_STEPS.indexOf(step);
  const next = async (): Promise<void> => {
    const open = missingRegisterFields(step, form, step !== 'game' || !(await lacksName(form.game_url, link, setLink)));
    setMissing(open);
    if (open.length > 0) return;
    const following = REGISTER_STEPS[at + 1];
    if (following) setStep(following);
    else {
      register.mutate(undefined, {
        onError: error =>
          setStep(
            stepOfIssues(error.issues.map(({ pointer }) => pointer)) ?? (error.code === 'email_taken' ? 'you' : step),
          ),
      });
    }
  };
  const { error } = register;
  const errorOf = (field: MissingField, pointer: string): string | undefined => {
    if (missing.includes(field)) return t(`register.missing.${field}`);
    if (error?.code === 'email_taken' && pointer === '/email') return t('register.emailTaken');
    return issueOf(error, pointer);
  };
  const general = error && error.issues.length === 0 && error.code !== 'email_taken' ? problemText(error) : undefined;
  const Fields = FIELDS[step];
  return (
    <AuthLayout
      title={t(`register.title.${step}`)}
      about={
        <>
          {step === 'you' && isNew && <p className="pb-2">{t('register.program')}</p>}
          {t(`register.about.${step}`)}
        </>
      }
      below={!isNew && <HaveAccount />}
    >
      <Steps at={step} />
      <Form onSubmit={() => void next()}>
        <Fields
          key={step}
          form={form}
          link={link}
          needsCode={needsCode}
          set={patch => {
            setForm(before => ({ ...before, ...patch }));
            setMissing([]);
          }}
          errorOf={errorOf}
        />
        <FormProblem text={general} />
        <div className="flex gap-2 pt-2">
          {at > 0 && (
            <Button size="big" onClick={() => setStep(REGISTER_STEPS[at - 1] ?? 'you')}>
              {t('dialog.back')}
            </Button>
          )}
          <Button type="submit" look="primary" size="big" className="flex-1" busy={register.isPending}>
            {t(step === 'game' ? 'register.do' : 'register.next')}
          </Button>
        </div>
      </Form>
    </AuthLayout>
  );
}

export function RegisterPage() {
  const { data } = useSession();
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (data?.registration_open !== false && sentTo === null)
    return (
      <RegisterSteps
        needsCode={data?.registration_needs_code ?? false}
        isNew={data?.installation_is_new ?? false}
        onSent={setSentTo}
      />
    );
  return (
    <AuthLayout title={t('register.title.you')} below={<HaveAccount />}>
      <Outcome sentTo={sentTo} />
    </AuthLayout>
  );
}
