import type { AttentionAction, AttentionItem } from '@coinslot/contract';
import { Ban, Check, Handshake, RefreshCw, RotateCcw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useCurrentGame } from '../../kit/session.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Due, TextWithCode, Time } from '../../ui/cells.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { AttentionDialog, useRecheck } from './attention-dialog.tsx';
import { AttentionMarks } from './attention-mark.tsx';
import { waitingFor } from './waiting-for.ts';

const ICONS: Readonly<Record<AttentionAction, ReactNode>> = {
  ask_again: <RefreshCw size={14} aria-hidden />,
  refund: <RotateCcw size={14} aria-hidden />,
  void: <Ban size={14} aria-hidden />,
  accept: <Check size={14} aria-hidden />,
  settle_elsewhere: <Handshake size={14} aria-hidden />,
};

/** Says what happened, since when, and what happens next. */
export function AttentionReason({ item }: { item: AttentionItem }) {
  const { attention } = item;
  if (!attention) return null;
  return (
    <div className="min-w-0">
      <p className="flex items-start gap-2 font-semibold text-bad">
        <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
        {t(`attention.code.${attention.code}`)}
      </p>
      <p className="pl-6 break-words">
        <TextWithCode text={attention.detail} />
      </p>
      <p className="pl-6 text-soft">
        {t(`attention.next.${waitingFor(attention)}`)}
        {attention.next_check_at !== null && (
          <>
            {' '}
            <Due at={attention.next_check_at} />
          </>
        )}
      </p>
      <p className="pl-6 text-12 text-soft">
        {t('attention.since')} <Time at={attention.since} />
      </p>
    </div>
  );
}

/** Offers what this member may do. */
export function AttentionActions({ item }: { item: AttentionItem }) {
  const { may } = useCurrentGame();
  const [confirmed, setConfirmed] = useState<Exclude<AttentionAction, 'ask_again'> | null>(null);
  const recheck = useRecheck(item);
  const needsWebhook = item.attention !== null && waitingFor(item.attention) === 'webhook' && may('changeWebhooks');
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
          busy={action === 'ask_again' && recheck.isPending}
          onClick={() => (action === 'ask_again' ? recheck.mutate() : setConfirmed(action))}
        >
          {t(`attention.do.${action}`)}
        </Button>
      ))}
      {confirmed && <AttentionDialog item={item} action={confirmed} onClose={() => setConfirmed(null)} />}
    </div>
  );
}

/** Shown at the top of a payment's and an order's page. */
export const AttentionPanel = ({ items }: { items: readonly AttentionItem[] }) => (
  <div className="grid gap-3 pb-6 empty:hidden">
    {items.map(item => (
      <section
        key={item.payment_id}
        aria-label={t('nav.attention')}
        className="grid gap-3 rounded-md bg-bad-wash px-4 py-3"
      >
        <AttentionReason item={item} />
        <div className="pl-6">
          <AttentionActions item={item} />
        </div>
        <div className="pl-6">
          <AttentionMarks subjectId={item.payment_id} mark={item.mark} />
        </div>
      </section>
    ))}
  </div>
);
