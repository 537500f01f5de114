import type { DisputeDetail } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Clock, LoaderCircle, Send } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../kit/api.ts';
import { formatMoney } from '../../kit/money.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useNow } from '../../kit/use-now.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t, tryText } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Ago, Code, Dash, Time } from '../../ui/cells.tsx';
import { CopyId } from '../../ui/code-block.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { TextArea } from '../../ui/field.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Fact, Facts, Notice, Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { EVIDENCE_CHARS, EVIDENCE_PARTS, type EvidenceState, isChanged, stateOf, withPart } from './evidence-form.ts';

const REFETCH_MS = 2_000;

const LOOKS: Readonly<Record<Exclude<EvidenceState, 'open'>, readonly ['info' | 'good' | 'bad' | 'warn', ReactNode]>> =
  {
    sending: ['info', <LoaderCircle key="icon" size={16} aria-hidden />],
    taken: ['good', <CircleCheck key="icon" size={16} aria-hidden />],
    refused: ['bad', <CircleAlert key="icon" size={16} aria-hidden />],
    late: ['warn', <Clock key="icon" size={16} aria-hidden />],
    decided: ['info', <CircleCheck key="icon" size={16} aria-hidden />],
  };

/** Says whether the evidence is on its way, accepted or refused, with the provider's own words. */
function EvidenceNotice({ dispute, state }: { dispute: DisputeDetail; state: EvidenceState }) {
  if (state === 'open') return null;
  const [tone, icon] = LOOKS[state];
  const words = state === 'decided' ? t(`dispute.decided.${dispute.status}`) : t(`dispute.state.${state}`);
  return (
    <div className="pb-6" role="status">
      <Notice tone={tone} icon={icon}>
        {words}
        {state === 'refused' && dispute.refusal && (
          <>
            {' '}
            <span lang="en">{dispute.refusal.reason}</span> <Code>{dispute.refusal.code}</Code>
            {dispute.refusal.request_id !== null && (
              <CopyId id={dispute.refusal.request_id} label={t('transaction.requestId')} />
            )}
          </>
        )}
      </Notice>
    </div>
  );
}

/** Some providers use British spelling in their reason codes. */
const americanOf = (word: string): string => word.replace(/oris(?=ed$)/, 'oriz');

const BankFacts = ({ dispute }: { dispute: DisputeDetail }) => (
  <Facts>
    <Fact name={t('dispute.reason')}>
      {tryText(`dispute.reason.${americanOf(dispute.reason)}`) ?? dispute.reason} <Code>{dispute.reason}</Code>
    </Fact>
    <Fact name={t('dispute.networkCode')}>
      {dispute.network_code === null ? <Dash /> : <Code>{dispute.network_code}</Code>}
    </Fact>
    <Fact name={t('dispute.due')}>
      {dispute.evidence_due_at === null ? (
        <Dash />
      ) : (
        <>
          <Time at={dispute.evidence_due_at} />{' '}
          <span className="text-soft">
            (<Ago at={dispute.evidence_due_at} />)
          </span>
        </>
      )}
    </Fact>
    <Fact name={t('dispute.opened')}>
      <Time at={dispute.opened_at} />
    </Fact>
    <Fact name={t('column.player')}>
      <EnvLink to="players/$playerId" params={{ playerId: dispute.player_id }}>
        {dispute.player_id}
      </EnvLink>
    </Fact>
    <Fact name={t('column.order')}>
      <EnvLink
        to="orders/$orderId"
        params={{ orderId: dispute.order_id }}
        className="font-mono text-12 break-all text-link hover:underline"
      >
        {dispute.order_id}
      </EnvLink>
    </Fact>
    <Fact name={t('column.gateway')}>{dispute.provider}</Fact>
    {dispute.reference !== null && (
      <Fact name={t('transaction.reference')}>
        <CopyId id={dispute.reference} label={t('transaction.reference')} />
      </Fact>
    )}
    {dispute.evidence_by !== null && dispute.evidence_at !== null && (
      <Fact name={t(dispute.evidence_status === 'draft' ? 'dispute.savedBy' : 'dispute.sentBy')}>
        <span className="break-all">{dispute.evidence_by}</span>, <Time at={dispute.evidence_at} />
      </Fact>
    )}
  </Facts>
);

/** The fields start with the saved texts and keep what the member types, even if the dispute is read again. */
function EvidenceForm({ dispute }: { dispute: DisputeDetail }) {
  const scope = useEnv();
  const [typed, setTyped] = useState(dispute.evidence);
  const [isAsking, setAsking] = useState(false);
  const request = { params: { ...scope, payment_id: dispute.payment_id }, body: typed };
  const save = useAction(
    () => call('PUT /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/dispute/evidence', request),
    { done: () => t('dispute.saved') },
  );
  const send = useAction(
    () => call('POST /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/dispute/answer', request),
    { quiet: true, done: () => t('dispute.sent'), after: () => setAsking(false) },
  );
  const isLocked = !dispute.can_answer;
  return (
    <fieldset disabled={isLocked} className="grid gap-5">
      {EVIDENCE_PARTS.map(part => (
        <TextArea
          key={part}
          lang="en"
          label={t(`dispute.part.${part}`)}
          hint={t(`dispute.part.${part}.hint`)}
          rows={part === 'statement' ? 3 : 6}
          maxLength={EVIDENCE_CHARS}
          value={isLocked ? dispute.evidence[part] : typed[part]}
          onChange={({ target }) => setTyped(withPart(typed, part, target.value))}
        />
      ))}
      {!isLocked && (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" icon={<Send size={16} aria-hidden />} onClick={() => setAsking(true)}>
            {t('dispute.send')}
          </Button>
          <Button
            busy={save.isPending}
            disabled={!isChanged(typed, dispute.evidence) && !dispute.is_composed}
            onClick={() => save.mutate()}
          >
            {t('dispute.save')}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          question={t('dispute.sendAsk')}
          action={t('dispute.send')}
          danger={false}
          busy={send.isPending}
          error={send.error}
          onConfirm={() => send.mutate()}
          onClose={() => setAsking(false)}
        >
          {t('dispute.sendAbout')}
        </ConfirmDialog>
      )}
    </fieldset>
  );
}

/** Shows what the bank says, the deadline, and the evidence against it. */
export function DisputePage() {
  const scope = useEnv();
  const { paymentId = '' } = useParams({ strict: false }) as { paymentId?: string };
  const params = { ...scope, payment_id: paymentId };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/dispute', { params });
  const now = useNow();
  const isSending = read.data?.evidence_status === 'sending';
  const { refetch } = read;
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(() => void refetch(), REFETCH_MS);
    return () => clearInterval(timer);
  }, [isSending, refetch]);
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const dispute = read.data;
  const state = stateOf(dispute, now);
  return (
    <Page
      title={t('dispute.title', { amount: formatMoney(language, dispute.amount, dispute.currency) })}
      badge={<Status kind="dispute" status={dispute.status} />}
      about={t(`dispute.about.${dispute.status}`)}
      guide="disputes"
      back={{ to: `transactions/${paymentId}`, label: t('dispute.back') }}
    >
      <EvidenceNotice dispute={dispute} state={state} />
      <div className="grid gap-x-12 lg:grid-cols-[1fr_400px]">
        <div className="min-w-0 lg:order-2">
          <Section title={t('dispute.bank')}>
            <BankFacts dispute={dispute} />
          </Section>
        </div>
        <div className="min-w-0 lg:order-1">
          <Section
            title={t('dispute.evidence')}
            about={t(dispute.is_composed ? 'dispute.evidence.composed' : 'dispute.evidence.about')}
          >
            <EvidenceForm key={String(dispute.is_composed)} dispute={dispute} />
          </Section>
        </div>
      </div>
    </Page>
  );
}
