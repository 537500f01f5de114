import type { AttentionAction, AttentionItem } from '@coinslot/contract';
import { Ban, Check, Handshake, RefreshCw, RotateCcw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useHere } from '../../kit/session.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Ago, Time, WithCode } from '../../ui/cells.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { detailText } from './attention-detail.ts';
import { AttentionDialog, useAskAgain } from './attention-dialog.tsx';
import { nextOf } from './attention-next.ts';

const ICONS: Readonly<Record<AttentionAction, ReactNode>> = {
  ask_again: <RefreshCw size={14} aria-hidden />,
  refund: <RotateCcw size={14} aria-hidden />,
  void: <Ban size={14} aria-hidden />,
  accept: <Check size={14} aria-hidden />,
  settle_elsewhere: <Handshake size={14} aria-hidden />,
};

/** What happened, since when, and what happens next. */
export function AttentionWhy({ item }: { item: AttentionItem }) {
  const { attention } = item;
  if (!attention) return null;
  return (
    <div className="min-w-0">
      <p className="flex items-start gap-2 font-semibold text-bad">
        <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
        {t(`attention.code.${attention.code}`)}
      </p>
      <p className="pl-6 break-words">
        <WithCode text={detailText(attention.detail)} />
      </p>
      <p className="pl-6 text-soft">
        {t(`attention.next.${nextOf(attention)}`)}
        {attention.next_check_at !== null && (
          <>
            {' '}
            <Ago at={attention.next_check_at} />
          </>
        )}
      </p>
      <p className="pl-6 text-12 text-soft">
        {t('attention.since')} <Time at={attention.since} />
      </p>
    </div>
  );
}

/** The buttons for what this member may do, the most useful first. */
export function AttentionActions({ item }: { item: AttentionItem }) {
  const { may } = useHere();
  const [asked, setAsked] = useState<Exclude<AttentionAction, 'ask_again'> | null>(null);
  const askAgain = useAskAgain(item);
  const needsWebhook = item.attention !== null && nextOf(item.attention) === 'webhook' && may('changeWebhooks');
  return (
    <div className="flex flex-wrap items-start gap-2">
      {needsWebhook && (
        <EnvLink to="integration/webhooks" search={{ add: '1' }} className={buttonClass({ size: 'small' })}>
          {t('webhooks.add')}
        </EnvLink>
      )}
      {item.attention?.code === 'dispute_open' && (
        <EnvLink
          to="transactions/$paymentId/dispute"
          params={{ paymentId: item.payment_id }}
          className={buttonClass({ size: 'small', look: 'primary' })}
        >
          {t('dispute.open')}
        </EnvLink>
      )}
      {item.actions.map(action => (
        <Button
          key={action}
          size="small"
          icon={ICONS[action]}
          busy={action === 'ask_again' && askAgain.isPending}
          onClick={() => (action === 'ask_again' ? askAgain.mutate() : setAsked(action))}
        >
          {t(`attention.do.${action}`)}
        </Button>
      ))}
      {asked && <AttentionDialog item={item} action={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

/** At the top of a payment's and an order's page. */
export const AttentionPanel = ({ items }: { items: readonly AttentionItem[] }) => (
  <div className="grid gap-3 pb-6 empty:hidden">
    {items.map(item => (
      <section
        key={item.payment_id}
        aria-label={t('nav.attention')}
        className="grid gap-3 rounded-md bg-bad-wash px-4 py-3"
      >
        <AttentionWhy item={item} />
        <div className="pl-6">
          <AttentionActions item={item} />
        </div>
      </section>
    ))}
  </div>
);
