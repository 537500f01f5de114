import type { DisputeDetail } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Clock, LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { formatMoney } from '../../kit/money.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useNow } from '../../kit/use-now.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Code, Dash, Time } from '../../ui/cells.tsx';
import { CopyId } from '../../ui/code-block.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { Fact, Facts, Notice, Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Deadline } from './deadline.tsx';
import { DisputeReason } from './dispute-reason.tsx';
import { EvidenceForm } from './evidence-fields.tsx';
import { chosenDispute, type EvidenceState, stateOf } from './evidence-form.ts';

const REFETCH_MS = 2_000;

const LOOKS: Readonly<Record<Exclude<EvidenceState, 'open'>, readonly ['info' | 'good' | 'bad' | 'warn', ReactNode]>> =
  {
    sending: ['info', <LoaderCircle key="icon" size={16} aria-hidden />],
    taken: ['good', <CircleCheck key="icon" size={16} aria-hidden />],
    refused: ['bad', <CircleAlert key="icon" size={16} aria-hidden />],
    late: ['warn', <Clock key="icon" size={16} aria-hidden />],
    decided: ['info', <CircleCheck key="icon" size={16} aria-hidden />],
    accepting: ['info', <LoaderCircle key="icon" size={16} aria-hidden />],
    accepted: ['info', <CircleCheck key="icon" size={16} aria-hidden />],
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

const BankFacts = ({ dispute }: { dispute: DisputeDetail }) => (
  <Facts>
    <Fact name={t('dispute.reason')}>
      <DisputeReason code={dispute.reason} />
    </Fact>
    <Fact name={t('column.amount')}>
      {formatMoney(language, dispute.amount, dispute.currency)}
      {dispute.amount !== dispute.payment_amount && (
        <span className="text-soft">
          {' '}
          {t('dispute.ofPayment', { amount: formatMoney(language, dispute.payment_amount, dispute.payment_currency) })}
        </span>
      )}
    </Fact>
    {dispute.fee !== null && (
      <Fact name={t('money.fee')}>{formatMoney(language, dispute.fee, dispute.fee_currency ?? dispute.currency)}</Fact>
    )}
    <Fact name={t('dispute.networkCode')}>
      {dispute.network_code === null ? <Dash /> : <Code>{dispute.network_code}</Code>}
    </Fact>
    <Fact name={t('dispute.due')}>
      {dispute.evidence_due_at === null ? <Dash /> : <Deadline at={dispute.evidence_due_at} />}
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
    <Fact name={t('dispute.id')}>
      <CopyId id={dispute.dispute_id} label={t('dispute.id')} />
    </Fact>
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

/** Every dispute about the payment with its deadline; the chosen one is shown below. */
const DisputeChoice = ({
  disputes,
  chosen,
  onChoose,
}: {
  disputes: readonly DisputeDetail[];
  chosen: DisputeDetail;
  onChoose: (id: string) => void;
}) => (
  <ul aria-label={t('dispute.all')} className="grid gap-2 pb-6">
    {disputes.map(dispute => (
      <li key={dispute.dispute_id}>
        <button
          type="button"
          aria-pressed={dispute === chosen}
          onClick={() => onChoose(dispute.dispute_id)}
          className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border border-line px-4 py-3 text-start hover:bg-sunk aria-pressed:border-link aria-pressed:bg-sunk"
        >
          <span className="font-medium">{formatMoney(language, dispute.amount, dispute.currency)}</span>
          <Status kind="dispute" status={dispute.status} />
          <span className="text-soft">
            {t('dispute.opened')} <Time at={dispute.opened_at} />
          </span>
          {dispute.evidence_due_at !== null && (
            <span className="text-soft">
              {t('dispute.due')} <Deadline at={dispute.evidence_due_at} />
            </span>
          )}
        </button>
      </li>
    ))}
  </ul>
);

/** Shows all disputes about a payment: what the bank says, the deadline, and the evidence against it. */
export function DisputePage() {
  const scope = useEnv();
  const { paymentId = '' } = useParams({ strict: false }) as { paymentId?: string };
  const [chosenId, setChosenId] = useState<string | null>(null);
  const params = { ...scope, payment_id: paymentId };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/disputes', { params });
  const now = useNow();
  const isSending =
    read.data?.data.some(({ evidence_status: status }) => status === 'sending' || status === 'accepting') ?? false;
  const { refetch } = read;
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(() => void refetch(), REFETCH_MS);
    return () => clearInterval(timer);
  }, [isSending, refetch]);
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const disputes = read.data.data;
  const dispute = chosenDispute(disputes, chosenId);
  const state = stateOf(dispute, now);
  return (
    <Page
      title={t('dispute.title', { amount: formatMoney(language, dispute.amount, dispute.currency) })}
      badge={<Status kind="dispute" status={dispute.status} />}
      about={t(`dispute.about.${dispute.status}`)}
      guide="disputes"
      back={{ to: `transactions/${paymentId}`, label: t('dispute.back') }}
    >
      {disputes.length > 1 && <DisputeChoice disputes={disputes} chosen={dispute} onChoose={setChosenId} />}
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
            <EvidenceForm key={`${dispute.dispute_id} ${dispute.is_composed}`} dispute={dispute} />
          </Section>
        </div>
      </div>
    </Page>
  );
}
