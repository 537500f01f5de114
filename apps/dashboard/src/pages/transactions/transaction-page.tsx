import type { TransactionDetail } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { formatCountry, formatMoney } from '../../kit/format.ts';
import { language, t } from '../../kit/texts.ts';
import { useRead } from '../../kit/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Code, Dash, Method, Time } from '../../ui/cells.tsx';
import { CopyId } from '../../ui/code-block.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EnvLink, useEnv } from '../../ui/env-link.tsx';
import { Fact, Facts, Page, Section } from '../../ui/page.tsx';
import { ReadProblem } from '../../ui/read-problem.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Status } from '../../ui/status.tsx';
import { PaymentProblem } from './held-payment.tsx';
import { Money } from './money.tsx';
import { OrderItems } from './order-items.tsx';
import { RawObjects } from './raw-objects.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { Story } from './story.tsx';
import { transactionColumns } from './transaction-columns.tsx';

function PaymentFacts({ detail: { payment, at_provider: provider } }: { detail: TransactionDetail }) {
  return (
    <Facts>
      <Fact name={t('column.method')}>
        <Method method={payment.method} brand={payment.brand} last4={payment.last4} />
      </Fact>
      <Fact name={t('column.country')}>{payment.country ? formatCountry(language, payment.country) : <Dash />}</Fact>
      <Fact name={t('column.response')}>
        {payment.response_code === null ? (
          <Dash />
        ) : (
          <>
            <Code>{payment.response_code}</Code> {payment.response_description}
          </>
        )}
      </Fact>
      <Fact name={t('column.player')}>
        <EnvLink to="players/$playerId" params={{ playerId: payment.player_id }}>
          {payment.player_id}
        </EnvLink>
      </Fact>
      <Fact name={t('column.email')}>{payment.email ?? <Dash />}</Fact>
      <Fact name={t('column.order')}>
        <EnvLink
          to="orders/$orderId"
          params={{ orderId: payment.order_id }}
          className="font-mono text-12 text-link hover:underline"
        >
          {payment.order_id}
        </EnvLink>
      </Fact>
      <Fact name={t('column.payment')}>
        <CopyId id={payment.payment_id} label={t('column.payment')} />
      </Fact>
      <Fact name={t('column.gateway')}>{payment.gateway}</Fact>
      <Fact name={t('column.time')}>
        <Time at={payment.created_at} />
      </Fact>
      {payment.refund_reason && <Fact name={t('column.refundReason')}>{payment.refund_reason}</Fact>}
      {payment.dispute_reason && <Fact name={t('column.disputeReason')}>{payment.dispute_reason}</Fact>}
      {provider?.evidence_due_at && (
        <Fact name={t('transaction.evidenceDue')}>
          <Time at={provider.evidence_due_at} />
        </Fact>
      )}
      {provider?.reference && (
        <Fact name={t('transaction.reference')}>
          <CopyId id={provider.reference} label={t('transaction.reference')} />
        </Fact>
      )}
    </Facts>
  );
}

function Others({ detail }: { detail: TransactionDetail }) {
  const columns = transactionColumns().filter(({ id }) => ['amount', 'status', 'method', 'time'].includes(id));
  return (
    <DataTable
      label={t('transaction.others')}
      columns={columns}
      rows={detail.other_payments}
      idOf={row => row.payment_id}
      linkOf={row => ({ to: 'transactions/$paymentId', params: { paymentId: row.payment_id } })}
      empty={<p className="text-soft">{t('transaction.noOthers')}</p>}
    />
  );
}

export function TransactionPage() {
  const scope = useEnv();
  const { paymentId = '' } = useParams({ strict: false }) as { paymentId?: string };
  const [isRefunding, setRefunding] = useState(false);
  const params = { ...scope, payment_id: paymentId };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}', { params });
  if (read.isError)
    return (
      <div className="p-8">
        <ReadProblem error={read.error} retry={() => void read.refetch()} />
      </div>
    );
  if (!read.data) return <PageSkeleton />;
  const { payment, order, money, timeline, actions, raw } = read.data;
  const problem = payment.problem ?? order.problem;
  return (
    <Page
      title={formatMoney(language, payment.amount, payment.currency)}
      badge={<Status kind="payment" status={payment.status} />}
      about={<Method method={payment.method} brand={payment.brand} last4={payment.last4} />}
      back={{ to: 'transactions', label: t('nav.transactions') }}
      actions={
        actions.includes('refund') && (
          <Button icon={<RotateCcw size={16} aria-hidden />} onClick={() => setRefunding(true)}>
            {t('refund.button')}
          </Button>
        )
      }
    >
      {problem !== null && <PaymentProblem payment={payment} problem={problem} />}
      <div className="grid gap-x-12 lg:grid-cols-[1fr_400px]">
        <div className="min-w-0">
          <Section title={t('transaction.story')}>
            <Story entries={timeline} />
          </Section>
        </div>
        <div className="min-w-0">
          <Section title={t('transaction.facts')}>
            <PaymentFacts detail={read.data} />
          </Section>
          {money && (
            <Section title={t('money.title')}>
              <Money money={money} currency={payment.currency} />
            </Section>
          )}
          <Section title={t('order.items')}>
            <OrderItems order={order} />
          </Section>
        </div>
      </div>
      <Section title={t('transaction.others')}>
        <Others detail={read.data} />
      </Section>
      <Section title={t('raw.title')} about={t('raw.about')}>
        <RawObjects raw={raw} />
      </Section>
      {isRefunding && <RefundDialog paymentId={payment.payment_id} onClose={() => setRefunding(false)} />}
    </Page>
  );
}
