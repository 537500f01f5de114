import type { Grant } from '@coinslot/contract';
import { CircleCheck, CircleDashed, PackageX, RefreshCw, Undo2, Unplug } from 'lucide-react';
import { useState } from 'react';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { itemsText } from '../../kit/format.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Ago, Code, Due, Money, Time } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { NextPage } from '../../ui/list/paging.tsx';
import { ListSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { Notice, Page } from '../../ui/page.tsx';
import { ReleaseGrantDialog, useRetryGrant } from './release-grant-dialog.tsx';

const ICONS = { waiting: CircleDashed, blocked: CircleDashed, failing: PackageX, no_endpoint: Unplug } as const;

function Why({ grant }: { grant: Grant }) {
  const Icon = ICONS[grant.state];
  return (
    <div className="min-w-0 text-soft">
      <p className={`flex items-start gap-2 ${grant.state === 'waiting' ? '' : 'text-bad'}`}>
        <Icon size={16} aria-hidden className="mt-0.5 shrink-0" />
        <span className="font-medium">{t(`grants.state.${grant.state}`)}</span>
      </p>
      <p className="pl-6">
        {t('grants.attempts', { count: grant.attempts_made })}
        {grant.last_status !== null && ` · HTTP ${grant.last_status}`}
        {grant.last_status === null && grant.last_error !== null && ` · ${grant.last_error}`}
      </p>
      <p className="flex flex-wrap gap-x-4 pl-6 text-12">
        {grant.next_attempt_at !== null && (
          <span>
            {t('grants.next')} <Due at={grant.next_attempt_at} />
          </span>
        )}
        {grant.gives_up_at !== null && (
          <span>
            {t('grants.givesUp')} <Due at={grant.gives_up_at} />
          </span>
        )}
        <EnvLink to="integration/deliveries/$deliveryId" params={{ deliveryId: grant.delivery_id }}>
          {t('timeline.delivery')}
        </EnvLink>
      </p>
    </div>
  );
}

function Row({ grant, onRelease }: { grant: Grant; onRelease(): void }) {
  const retry = useRetryGrant();
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 border-b border-line py-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <EnvLink
            to="orders/$orderId"
            params={{ orderId: grant.order_id }}
            className="text-16 font-semibold hover:underline"
          >
            <Money minor={grant.amount} currency={grant.currency} />
          </EnvLink>
          <span className="text-soft">
            {grant.kind === 'item.add' ? (
              <>
                {t('grants.waitsGrant')} <Ago at={grant.since} />
              </>
            ) : (
              <>
                {t('grants.waitsRemoval')} <Time at={grant.since} />
              </>
            )}
          </span>
        </p>
        <p className="truncate" title={itemsText(grant.items)}>
          {itemsText(grant.items)}
        </p>
        <p className="truncate text-soft" title={grant.player_id}>
          <EnvLink to="players/$playerId" params={{ playerId: grant.player_id }}>
            {grant.player_id}
          </EnvLink>{' '}
          · <Code>{grant.order_id}</Code>
        </p>
      </div>
      <Why grant={grant} />
      <div className="flex flex-wrap items-start gap-2">
        {grant.actions.includes('retry') && (
          <Button size="small" icon={<RefreshCw size={14} aria-hidden />} onClick={() => retry(grant.delivery_id)}>
            {t('grants.retry')}
          </Button>
        )}
        {grant.actions.includes('release') && (
          <Button size="small" icon={<Undo2 size={14} aria-hidden />} onClick={onRelease}>
            {t('grants.release')}
          </Button>
        )}
      </div>
    </li>
  );
}

const AllGranted = () => (
  <EmptyState picture={<CircleCheck size={24} />} title={t('grants.empty')}>
    {t('grants.emptyAbout')}
  </EmptyState>
);

export function GrantsPage() {
  const params = useEnv();
  const [filters] = useFilters();
  const [released, setReleased] = useState<Grant | null>(null);
  const query = pageQuery(filters);
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/grants', { params, query }, { keep: true });
  const grants = read.data?.data;
  return (
    <Page title={t('nav.grants')} about={t('grants.about')}>
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {!grants && !read.isError && <ListSkeleton />}
      {grants?.some(({ state }) => state === 'no_endpoint') && (
        <Notice
          tone="bad"
          icon={<Unplug size={16} aria-hidden />}
          action={
            <EnvLink to="integration/webhooks" search={{ add: '1' }} className={buttonClass({ size: 'small' })}>
              {t('webhooks.add')}
            </EnvLink>
          }
        >
          {t('grants.noWebhook')}
        </Notice>
      )}
      {grants && grants.length === 0 && <AllGranted />}
      {grants && grants.length > 0 && (
        <ul>
          {grants.map(grant => (
            <Row key={grant.delivery_id} grant={grant} onRelease={() => setReleased(grant)} />
          ))}
        </ul>
      )}
      <NextPage cursor={read.data?.next_cursor} />
      {released && (
        <ReleaseGrantDialog
          deliveryId={released.delivery_id}
          amount={released.amount}
          currency={released.currency}
          playerId={released.player_id}
          onClose={() => setReleased(null)}
        />
      )}
    </Page>
  );
}
