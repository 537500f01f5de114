import type { BalanceDay } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { Download, Landmark } from 'lucide-react';
import { addressOf } from '../../kit/address.ts';
import { formatNumber, spanText } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Code, Dash, Money } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { type Column, DataTable } from '../../ui/list/data-table.tsx';
import { PageSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { Fact, Facts, Page, Section } from '../../ui/page.tsx';

type Sum = BalanceDay['sums'][number];
type Payout = BalanceDay['payouts'][number];
type Entry = BalanceDay['entries'][number];

const countOf = (count: number): string => (count > 0 ? ` (${formatNumber(language, count)})` : '');

function SumPart({ sum }: { sum: Sum }) {
  const { currency } = sum;
  return (
    <Section title={`${sum.account_id} · ${currency}`}>
      <Facts>
        {sum.lines.map(({ line, count, amount }) => (
          <Fact key={line} name={`${t(`payouts.line.${line}`)}${countOf(count)}`}>
            <Money
              minor={amount}
              currency={currency}
              className={line === 'difference' ? 'font-semibold text-bad' : ''}
            />
          </Fact>
        ))}
        <Fact name={t('payouts.net')}>
          <Money minor={sum.net} currency={currency} className="font-semibold" />
        </Fact>
        <Fact name={t('payouts.bank')}>
          <Money minor={sum.paid_out} currency={currency} className="font-semibold" />
        </Fact>
      </Facts>
      {sum.converted.map(one => (
        <p key={one.currency} className="pt-2 text-soft">
          {t('payouts.converted', {
            amount: formatMoney(language, one.amount, one.currency),
            into: formatMoney(language, one.into, currency),
          })}
        </p>
      ))}
    </Section>
  );
}

function payoutState({ difference, currency }: Payout): string {
  if (difference === null) return t('payouts.unexplained');
  if (difference === 0) return t('payouts.adds');
  return t('payouts.difference', { amount: formatMoney(language, difference, currency) });
}

const PayoutRow = ({ payout }: { payout: Payout }) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line py-3 first:border-t">
    <span className="min-w-0">
      <Money minor={payout.amount} currency={payout.currency} className="font-semibold" />{' '}
      <Code>{payout.payout_id}</Code>
    </span>
    <span className={payout.difference ? 'font-semibold text-bad' : 'text-soft'}>
      {payout.entries > 0 &&
        `${t('payouts.madeOf', {
          count: formatNumber(language, payout.entries),
          amount: formatMoney(language, payout.entries_net, payout.currency),
        })} · `}
      {payoutState(payout)}
    </span>
  </li>
);

const entryColumns = (): Column<Entry>[] => [
  { id: 'kind', title: t('payouts.kind'), card: 'title', cell: ({ kind }) => t(`payouts.kind.${kind}`) },
  {
    id: 'order',
    title: t('column.order'),
    grow: true,
    card: 'below',
    cell: ({ payment_id, order_id, entry_id }) =>
      payment_id && order_id ? (
        <EnvLink to="transactions/$paymentId" params={{ paymentId: payment_id }}>
          <Code>{order_id}</Code>
        </EnvLink>
      ) : (
        <Code>{entry_id}</Code>
      ),
  },
  {
    id: 'gross',
    title: t('payouts.gross'),
    align: 'end',
    card: 'side',
    cell: ({ gross, currency }) => <Money minor={gross} currency={currency} />,
  },
  {
    id: 'fee',
    title: t('payouts.fee'),
    align: 'end',
    card: 'below',
    cell: ({ fee, currency }) =>
      fee === 0 ? <Dash /> : <Money minor={fee} currency={currency} className="text-soft" />,
  },
  {
    id: 'net',
    title: t('payouts.net'),
    align: 'end',
    card: 'corner',
    cell: ({ net, currency }) => <Money minor={net} currency={currency} />,
  },
];

/** Explains one day's payouts by the orders behind them. */
export function PayoutsPage() {
  const { company_id } = useCurrentGame();
  const { day = '' } = useParams({ strict: false });
  const params = { company_id, day };
  const read = useRead('GET /dashboard/api/companies/{company_id}/reconciliation/days/{day}', { params });
  if (read.isPending) return <PageSkeleton />;
  const { data } = read;
  const isEmpty = data?.entries_total === 0;
  const file = addressOf('/dashboard/api/companies/{company_id}/reconciliation/days/{day}/export', { params });
  return (
    <Page
      title={t('payouts.title', { day: spanText(language, day, day) })}
      about={t('payouts.about')}
      guide="payouts"
      back={{ to: 'settings/reconciliation', label: t('nav.reconciliation') }}
      actions={
        !isEmpty && (
          <a href={file} download className={buttonClass()}>
            <Download size={16} aria-hidden />
            {t('payouts.export')}
          </a>
        )
      }
    >
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {isEmpty && (
        <EmptyState picture={<Landmark size={24} />} title={t('payouts.empty')}>
          {t('payouts.emptyAbout')}
        </EmptyState>
      )}
      {data?.sums.map(sum => (
        <SumPart key={`${sum.account_id} ${sum.currency}`} sum={sum} />
      ))}
      {data && data.payouts.length > 0 && (
        <Section title={t('payouts.payouts')}>
          <ul>
            {data.payouts.map(payout => (
              <PayoutRow key={payout.payout_id} payout={payout} />
            ))}
          </ul>
        </Section>
      )}
      {data && data.entries.length > 0 && (
        <Section title={t('payouts.entries')}>
          <DataTable
            label={t('payouts.entries')}
            columns={entryColumns()}
            rows={data.entries}
            idOf={entry => `${entry.account_id} ${entry.entry_id}`}
            skeletonRows={3}
            empty={null}
          />
          {data.entries_total > data.entries.length && (
            <p className="pt-2 text-soft">
              {t('payouts.entriesShown', {
                shown: formatNumber(language, data.entries.length),
                count: formatNumber(language, data.entries_total),
              })}
            </p>
          )}
        </Section>
      )}
    </Page>
  );
}
