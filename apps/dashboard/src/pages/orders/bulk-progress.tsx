import type { BulkRun } from '@coinslot/contract';
import { Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../kit/api.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useNow } from '../../kit/use-now.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/cells.tsx';
import { EnvLink } from '../../ui/env-link.tsx';

const REFETCH_MS = 1_500;
/** A finished run stays on the page for a day unless a member hides it. */
const SHOWN_SECONDS = 86_400;
const HIDDEN = 'coinslot.bulk.hidden';

interface RefusedOrdersProps {
  count: number;
  orders: BulkRun['refused'];
  title: string;
}

export const RefusedOrders = ({ count, orders, title }: RefusedOrdersProps) =>
  count === 0 ? null : (
    <details>
      <summary className="cursor-pointer text-link">{title}</summary>
      <ul className="grid max-h-48 gap-1 overflow-y-auto pt-2">
        {orders.map(({ order_id, code, detail }) => (
          <li key={order_id} className="flex flex-wrap justify-between gap-x-4">
            <EnvLink
              to="orders/$orderId"
              params={{ orderId: order_id }}
              className="font-mono text-12 break-all text-link hover:underline"
            >
              {order_id}
            </EnvLink>
            <span className="text-soft">
              {t(`bulk.refused.${code}`)} {detail !== null && <span lang="en">{detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );

const isRunning = (run: BulkRun | undefined): boolean => run?.status === 'running' || run?.status === 'stopping';

function Progress({ run, onHide }: { run: BulkRun; onHide(): void }) {
  const params = useEnv();
  const { may } = useCurrentGame();
  const handled = run.done + run.waiting_count + run.refused_count;
  const stop = useAction(() =>
    call('POST /dashboard/api/games/{game_id}/{mode}/bulk/{bulk_id}/stop', { params: { ...params, bulk_id: run.id } }),
  );
  return (
    <section aria-label={t('bulk.title')} className="mb-6 grid gap-3 rounded-md border border-line px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0" role="status">
          <span className="font-semibold">{t(`bulk.action.${run.action}`)}</span>{' '}
          <span className="text-soft">
            {t(`bulk.status.${run.status}`, { done: isRunning(run) ? handled : run.done, total: run.total })} · {run.by}{' '}
            · <Time at={run.created_at} />
          </span>
        </p>
        {run.status === 'running' && may('actInBulk') && (
          <Button
            size="small"
            icon={<Square size={14} aria-hidden />}
            busy={stop.isPending}
            onClick={() => stop.mutate()}
          >
            {t('bulk.stop')}
          </Button>
        )}
        {!isRunning(run) && (
          <Button size="small" look="quiet" onClick={onHide}>
            {t('bulk.hide')}
          </Button>
        )}
      </div>
      <progress max={run.total} value={handled} aria-label={t('bulk.title')} className="h-2 w-full" />
      {run.waiting_count > 0 && <p className="text-soft">{t('bulk.waiting', { count: run.waiting_count })}</p>}
      <RefusedOrders
        count={run.refused_count}
        orders={run.refused}
        title={t('bulk.refusedTitle', { count: run.refused_count })}
      />
    </section>
  );
}

/** Shows the newest bulk action. It continues while the page is closed and appears again when the page is opened. */
export function BulkProgress() {
  const params = useEnv();
  const now = useNow();
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN));
  const runs = useRead('GET /dashboard/api/games/{game_id}/{mode}/bulk', { params });
  const [run] = runs.data?.data ?? [];
  const { refetch } = runs;
  const isOngoing = isRunning(run);
  useEffect(() => {
    if (!isOngoing) return;
    const timer = setInterval(() => void refetch(), REFETCH_MS);
    return () => clearInterval(timer);
  }, [isOngoing, refetch]);
  if (!run || run.id === hidden) return null;
  if (run.finished_at !== null && run.finished_at < now - SHOWN_SECONDS) return null;
  const hide = (): void => {
    localStorage.setItem(HIDDEN, run.id);
    setHidden(run.id);
  };
  return <Progress run={run} onHide={hide} />;
}
