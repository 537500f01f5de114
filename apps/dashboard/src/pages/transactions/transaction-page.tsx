import type { TransactionDetail } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useFilters } from '../../kit/filters.ts';
import { formatCountry } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Code, Dash, Method, Time } from '../../ui/cells.tsx';
import { CopyId } from '../../ui/code-block.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { Fact, Facts, Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { AttentionPanel } from '../attention/attention-parts.tsx';
import { DisputeReason } from '../disputes/dispute-reason.tsx';
import { OrderItems } from './order-items.tsx';
import { PaymentsTable } from './payments-table.tsx';
import { PurchaseLayout } from './purchase-layout.tsx';
import { PurchaseProblem } from './purchase-problem.tsx';
import { RefundDialog } from './refund-dialog.tsx';

type Risk = NonNullable<NonNullable<TransactionDetail['at_provider']>['risk']>;

/** Shows how the provider and the bank judge the payer. Coinslot itself does not act on it. */
const RiskSigns = ({ risk: { level, score, checks } }: { risk: Risk }) => (
  <Fact name={t('transaction.risk')}>
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {level !== null && (
        <span className={level === 'normal' ? '' : 'font-semibold text-bad'}>
          {t(`transaction.risk.level.${level}`)}
        </span>
      )}
      {score !== null && <span className="text-soft">{t('transaction.risk.score', { score })}</span>}
      {checks.map(({ what, result }) => (
        <span key={what} className={result === 'failed' && what !== 'seller_protection' ? 'text-bad' : 'text-soft'}>
          {t(`transaction.risk.check.${what}`)}:{' '}
          {what === 'seller_protection'
            ? t(`transaction.risk.protection.${result}`)
            : t(`transaction.risk.result.${result}`)}
        </span>
      ))}
    </span>
  </Fact>
);

/**
 * Shows the provider's warning and its last refusal, with the code, parameter and request id that its support asks for.
 */
function ProviderNotes({ provider }: { provider: NonNullable<TransactionDetail['at_provider']> }) {
  return (
    <>
      {provider.risk && <RiskSigns risk={provider.risk} />}
      {provider.warning && (
        <Fact name={t('transaction.warning')}>
          {t(`transaction.warning.${provider.warning.kind}`)} <Code>{provider.warning.reason}</Code>
        </Fact>
      )}
      {provider.refusal && (
        <Fact name={t('transaction.refusal')}>
          {provider.refusal.reason} <Code>{provider.refusal.code}</Code>
          {provider.refusal.param !== null && (
            <>
              {' '}
              <Code>{provider.refusal.param}</Code>
            </>
          )}
          {provider.refusal.request_id !== null && (
            <CopyId id={provider.refusal.request_id} label={t('transaction.requestId')} />
          )}
        </Fact>
      )}
    </>
  );
}

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
      {payment.dispute_reason && (
        <Fact name={t('column.disputeReason')}>
          <DisputeReason code={payment.dispute_reason} />
        </Fact>
      )}
      {provider?.evidence_due_at && (
        <Fact name={t('transaction.evidenceDue')}>
          <Time at={provider.evidence_due_at} />
        </Fact>
      )}
      {provider && <ProviderNotes provider={provider} />}
      {provider?.reference && (
        <Fact name={t('transaction.reference')}>
          <CopyId id={provider.reference} label={t('transaction.reference')} />
        </Fact>
      )}
    </Facts>
  );
}

/** In any status of the payment: what was refunded can be disputed too. */
function DisputeLink({ payment }: Pick<TransactionDetail, 'payment'>) {
  const needsAnswer = payment.disputes.some(({ evidence }) => evidence === 'needed');
  return (
    <EnvLink
      to="transactions/$paymentId/dispute"
      params={{ paymentId: payment.payment_id }}
      className={buttonClass({ look: needsAnswer ? 'primary' : 'plain' })}
    >
      {t(needsAnswer ? 'dispute.open' : 'dispute.view')}
    </EnvLink>
  );
}

type Sums = NonNullable<TransactionDetail['money']>;

const PARTS = ['reserved', 'captured', 'returned', 'reversed'] as const;

/** Shows where the money went, by the ledger. Zero amounts are left out, except for the captured one. */
function AmountBreakdown({ money, currency }: { money: Sums; currency: string }) {
  const parts = PARTS.filter(part => part === 'captured' || money[part] !== 0);
  return (
    <Facts>
      {parts.map(part => (
        <Fact key={part} name={t(`money.${part}`)}>
          {formatMoney(language, money[part], currency)}
        </Fact>
      ))}
      {money.fee !== null && (
        <Fact name={t('money.fee')}>{formatMoney(language, money.fee, money.fee_currency ?? currency)}</Fact>
      )}
    </Facts>
  );
}

export function TransactionPage() {
  const scope = useEnv();
  const { paymentId = '' } = useParams({ strict: false }) as { paymentId?: string };
  const [filters, change] = useFilters();
  const isRefunding = filters.refund !== undefined;
  const setRefunding = (isOn: boolean): void => change({ refund: isOn ? '1' : undefined }, { replace: true });
  const params = { ...scope, payment_id: paymentId };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}', { params });
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const { payment, order, money, timeline, actions, raw, other_payments: others, needs_attention: needs } = read.data;
  return (
    <Page
      title={formatMoney(language, payment.amount, payment.currency)}
      badge={<Status kind="payment" status={payment.status} />}
      about={<Method method={payment.method} brand={payment.brand} last4={payment.last4} />}
      back={{ to: 'transactions', label: t('nav.transactions') }}
      actions={
        <>
          {payment.disputes.length > 0 && <DisputeLink payment={payment} />}
          {actions.includes('refund') && (
            <Button icon={<RotateCcw size={16} aria-hidden />} onClick={() => setRefunding(true)}>
              {t('refund.button')}
            </Button>
          )}
        </>
      }
    >
      <AttentionPanel items={needs} />
      <PurchaseProblem problem={payment.problem ?? order.problem} needs={needs} />
      <PurchaseLayout
        timeline={timeline}
        raw={raw}
        aside={
          <>
            <Section title={t('transaction.facts')}>
              <PaymentFacts detail={read.data} />
            </Section>
            {money && (
              <Section title={t('money.title')}>
                <AmountBreakdown money={money} currency={payment.currency} />
              </Section>
            )}
            <Section title={t('order.items')}>
              <OrderItems order={order} />
            </Section>
          </>
        }
      >
        <Section title={t('transaction.others')}>
          <PaymentsTable
            label={t('transaction.others')}
            rows={others}
            columns={['amount', 'status', 'method', 'time']}
            none={t('transaction.noOthers')}
          />
        </Section>
      </PurchaseLayout>
      {isRefunding && actions.includes('refund') && (
        <RefundDialog paymentId={payment.payment_id} onClose={() => setRefunding(false)} />
      )}
    </Page>
  );
}
