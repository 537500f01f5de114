import type { AttentionDifference, AttentionItem, AttentionPage } from '@coinslot/contract';
import { Link } from '@tanstack/react-router';
import { Handshake, Settings2, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { call } from '../../kit/api.ts';
import { spanText } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Code, Money, Time } from '../../ui/cells.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Status } from '../../ui/status.tsx';
import { AttentionMarks } from './attention-mark.tsx';
import { AttentionActions, AttentionReason } from './attention-parts.tsx';

interface RowProps {
  about: ReactNode;
  reason: ReactNode;
  acts: ReactNode;
}

/** What it is about, what happened, and what can be done: the same for every kind of entry. */
const Row = ({ about, reason, acts }: RowProps) => (
  <li
    data-row
    tabIndex={-1}
    className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 border-b border-line py-4 focus-visible:rounded-sm focus-visible:outline-2 focus-visible:outline-offset-4 focus-visible:outline-ring md:grid-cols-[minmax(0,220px)_minmax(0,1fr)_minmax(0,290px)]"
  >
    <div className="min-w-0">{about}</div>
    {reason}
    <div className="grid min-w-0 content-start gap-3">{acts}</div>
  </li>
);

export const PaymentRow = ({ item }: { item: AttentionItem }) => (
  <Row
    about={
      <>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <EnvLink
            to="transactions/$paymentId"
            params={{ paymentId: item.payment_id }}
            className="text-16 font-semibold hover:underline"
            data-open
          >
            <Money minor={item.amount} currency={item.currency} />
          </EnvLink>
          <Status kind="payment" status={item.status} />
        </p>
        <p className="truncate pt-1" title={item.player_id}>
          <EnvLink
            to="players/$playerId"
            params={{ playerId: item.player_id }}
            className="inline-block py-0.5 text-link hover:underline"
          >
            {item.player_id}
          </EnvLink>
        </p>
        <p className="truncate" title={item.order_id}>
          <EnvLink
            to="orders/$orderId"
            params={{ orderId: item.order_id }}
            className="inline-block py-0.5 text-soft hover:underline"
          >
            <Code>{item.order_id}</Code>
          </EnvLink>
        </p>
      </>
    }
    reason={<AttentionReason item={item} />}
    acts={
      <>
        <div data-acts>
          <AttentionActions item={item} />
        </div>
        <AttentionMarks subjectId={item.payment_id} mark={item.mark} />
      </>
    }
  />
);

interface ReasonProps {
  title: string;
  children: ReactNode;
}

const Reason = ({ title, children }: ReasonProps) => (
  <div className="min-w-0">
    <p className="flex items-start gap-2 font-semibold text-bad">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      {title}
    </p>
    <div className="pl-6 break-words">{children}</div>
  </div>
);

function SettleDifference({ difference, onClose }: { difference: AttentionDifference; onClose(): void }) {
  const { company_id } = useCurrentGame();
  const settle = useAction(
    (note: string) =>
      call('POST /dashboard/api/companies/{company_id}/reconciliation/differences/{difference_id}/resolve', {
        params: { company_id, difference_id: difference.id },
        body: { note },
      }),
    { quiet: true, done: () => t('attention.done.settle_elsewhere'), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('attention.ask.settle_elsewhere')}
      action={t('attention.do.settle_elsewhere')}
      danger={false}
      reason={t('attention.reason')}
      busy={settle.isPending}
      error={settle.error}
      onConfirm={settle.mutate}
      onClose={onClose}
    >
      {t(`difference.what.${difference.kind}`)}
    </ConfirmDialog>
  );
}

export function DifferenceRow({ difference }: { difference: AttentionDifference }) {
  const { may } = useCurrentGame();
  const [isSettling, setSettling] = useState(false);
  const { day, ours, theirs, payment_id, game_id, provider_id } = difference;
  return (
    <Row
      about={
        <>
          <p className="text-16 font-semibold">{spanText(language, day, day)}</p>
          <p className="truncate pt-1" title={payment_id ?? provider_id ?? undefined}>
            {payment_id !== null && game_id !== null ? (
              <Link
                to={`/g/${game_id}/live/transactions/${payment_id}`}
                className="font-mono text-link hover:underline"
                data-open
              >
                {payment_id}
              </Link>
            ) : (
              <EnvLink
                to="settings/reconciliation"
                search={{ state: 'open' }}
                className="text-link hover:underline"
                data-open
              >
                {provider_id ?? t('nav.reconciliation')}
              </EnvLink>
            )}
          </p>
        </>
      }
      reason={
        <Reason title={t(`difference.what.${difference.kind}`)}>
          <p>{t(`difference.todo.${difference.kind}`)}</p>
          <p className="text-soft">
            {ours !== null && `${t('reconciliation.ours')}: ${ours}`}
            {ours !== null && theirs !== null && ' · '}
            {theirs !== null && `${t('reconciliation.theirs')}: ${theirs}`}
          </p>
          <p className="text-12 text-soft">
            {t('attention.since')} <Time at={difference.created_at} />
          </p>
        </Reason>
      }
      acts={
        <>
          <div data-acts>
            {may('resolveDifference') && (
              <Button size="small" icon={<Handshake size={14} aria-hidden />} onClick={() => setSettling(true)}>
                {t('attention.do.settle_elsewhere')}
              </Button>
            )}
          </div>
          <AttentionMarks subjectId={difference.id} mark={difference.mark} />
          {isSettling && <SettleDifference difference={difference} onClose={() => setSettling(false)} />}
        </>
      }
    />
  );
}

type Connection = AttentionPage['connections'][number];

export const ConnectionRow = ({ connection }: { connection: Connection }) => (
  <Row
    about={<p className="text-16 font-semibold">{connection.title}</p>}
    reason={
      <Reason title={t('attention.connection', { provider: connection.title })}>
        <ul className="list-disc pl-5">
          {connection.checks.map(({ check, about, advice }) => (
            <li key={`${check} ${about}`}>{advice ?? t(`check.${check}`)}</li>
          ))}
        </ul>
        <p className="text-12 text-soft">
          {t('attention.since')} <Time at={connection.failing_since} />
        </p>
      </Reason>
    }
    acts={
      <>
        <div data-acts>
          <EnvLink to="settings/provider" className={buttonClass({ size: 'small' })} data-open>
            <Settings2 size={14} aria-hidden />
            {t('attention.connectionOpen')}
          </EnvLink>
        </div>
        <AttentionMarks subjectId={connection.account_id} mark={connection.mark} />
      </>
    }
  />
);
