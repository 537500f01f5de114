import type { OrderDetail } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { Ban, ExternalLink, FastForward, RefreshCw, RotateCcw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useFilters } from '../../kit/filters.ts';
import { formatCountry, itemsText } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dash, Time } from '../../ui/cells.tsx';
import { CopyId } from '../../ui/code-block.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Fact, Facts, Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { AttentionPanel } from '../attention/attention-parts.tsx';
import { OrderItems } from '../transactions/order-items.tsx';
import { PaymentsTable } from '../transactions/payments-table.tsx';
import { PurchaseLayout } from '../transactions/purchase-layout.tsx';
import { PurchaseProblem } from '../transactions/purchase-problem.tsx';
import { RefundDialog } from '../transactions/refund-dialog.tsx';
import { AdvanceDialog } from './advance-dialog.tsx';
import { ReleaseGrantDialog, useRetryGrant } from './release-grant-dialog.tsx';

function CancelDialog({ orderId, onClose }: { orderId: string; onClose(): void }) {
  const scope = useEnv();
  const cancel = useAction(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/orders/{order_id}/cancel', {
        params: { ...scope, order_id: orderId },
      }),
    { quiet: true, done: () => t('order.canceled'), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('order.cancelAsk')}
      action={t('order.cancelDo')}
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      {t('order.cancelAbout')}
    </ConfirmDialog>
  );
}

type Open = 'advance' | 'cancel' | 'release' | null;

function Actions({ detail }: { detail: OrderDetail }) {
  const [open, setOpen] = useState<Open>(null);
  const [filters, change] = useFilters();
  const isRefunding = filters.refund !== undefined;
  const setRefunding = (isOn: boolean): void => change({ refund: isOn ? '1' : undefined }, { replace: true });
  const retry = useRetryGrant();
  const { mode } = useEnv();
  const { may } = useCurrentGame();
  const { actions, order, deliveries } = detail;
  const delivery = deliveries.find(({ finished_at }) => finished_at === null);
  const close = (): void => setOpen(null);
  return (
    <>
      {actions.includes('retry_grant') && delivery && (
        <Button look="primary" icon={<RefreshCw size={16} aria-hidden />} onClick={() => retry(delivery.id)}>
          {t('grants.retry')}
        </Button>
      )}
      {actions.includes('release_grant') && delivery && (
        <Button icon={<Undo2 size={16} aria-hidden />} onClick={() => setOpen('release')}>
          {t('grants.release')}
        </Button>
      )}
      {actions.includes('refund') && order.payment_id && (
        <Button icon={<RotateCcw size={16} aria-hidden />} onClick={() => setRefunding(true)}>
          {t('refund.button')}
        </Button>
      )}
      {order.status === 'created' && (
        <a className={buttonClass()} href={order.checkout_url} target="_blank" rel="noreferrer">
          <ExternalLink size={16} aria-hidden />
          {t('order.open')}
        </a>
      )}
      {actions.includes('cancel') && (
        <Button icon={<Ban size={16} aria-hidden />} onClick={() => setOpen('cancel')}>
          {t('order.cancel')}
        </Button>
      )}
      {mode === 'sandbox' && may('useSandboxTools') && (
        <Button icon={<FastForward size={16} aria-hidden />} onClick={() => setOpen('advance')}>
          {t('order.advance')}
        </Button>
      )}
      {open === 'advance' && <AdvanceDialog orderId={order.order_id} onClose={close} />}
      {open === 'cancel' && <CancelDialog orderId={order.order_id} onClose={close} />}
      {isRefunding && actions.includes('refund') && order.payment_id && (
        <RefundDialog paymentId={order.payment_id} onClose={() => setRefunding(false)} />
      )}
      {open === 'release' && delivery && (
        <ReleaseGrantDialog
          deliveryId={delivery.id}
          amount={order.amount}
          currency={order.currency}
          playerId={order.player_id}
          onClose={close}
        />
      )}
    </>
  );
}

function OrderFacts({ order }: Pick<OrderDetail, 'order'>) {
  return (
    <Facts>
      <Fact name={t('column.player')}>
        <EnvLink to="players/$playerId" params={{ playerId: order.player_id }}>
          {order.player_id}
        </EnvLink>
      </Fact>
      <Fact name={t('column.email')}>{order.email ?? <Dash />}</Fact>
      <Fact name={t('column.country')}>{order.country ? formatCountry(language, order.country) : <Dash />}</Fact>
      <Fact name={t('column.order')}>
        <CopyId id={order.order_id} label={t('column.order')} />
      </Fact>
      <Fact name={t('column.created')}>
        <Time at={order.created_at} />
      </Fact>
      {order.status === 'created' && (
        <Fact name={t('column.expires')}>
          <Time at={order.expires_at} />
        </Fact>
      )}
      {order.granted_at !== null && (
        <Fact name={t('column.granted')}>
          <Time at={order.granted_at} />
        </Fact>
      )}
      {order.paid_at !== null && (
        <Fact name={t('column.paid')}>
          <Time at={order.paid_at} />
        </Fact>
      )}
      {Object.entries(order.metadata).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

export function OrderPage() {
  const scope = useEnv();
  const { orderId = '' } = useParams({ strict: false }) as { orderId?: string };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/orders/{order_id}', {
    params: { ...scope, order_id: orderId },
  });
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const { order, timeline, payments, raw, needs_attention: needs } = read.data;
  return (
    <Page
      title={formatMoney(language, order.amount, order.currency)}
      badge={<Status kind="order" status={order.status} />}
      about={itemsText(order.items)}
      back={{ to: 'orders', label: t('nav.orders') }}
      actions={<Actions detail={read.data} />}
    >
      <AttentionPanel items={needs} />
      <PurchaseProblem problem={order.problem} needs={needs} />
      <PurchaseLayout
        timeline={timeline}
        raw={raw}
        aside={
          <>
            <Section title={t('order.items')}>
              <OrderItems order={order} />
            </Section>
            <Section title={t('transaction.facts')}>
              <OrderFacts order={order} />
            </Section>
          </>
        }
      >
        <Section title={t('order.payments')}>
          <PaymentsTable
            label={t('order.payments')}
            rows={payments}
            columns={['amount', 'status', 'method', 'response', 'time']}
            none={t('order.noPayments')}
          />
        </Section>
      </PurchaseLayout>
    </Page>
  );
}
