import type { AttentionItem } from '@coinslot/contract';
import { CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import { call } from '../../kit/api.ts';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { formatNumber } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Ago, Code, Money, Time } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { NextPage } from '../../ui/list/paging.tsx';
import { ListSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { Notice, Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { type GroupedItems, groupItems } from './attention-groups.ts';
import { AttentionActions, AttentionReason } from './attention-parts.tsx';
import { useRowKeys } from './use-row-keys.ts';

const Row = ({ item }: { item: AttentionItem }) => (
  <li
    data-row
    tabIndex={-1}
    className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 border-b border-line py-4 md:grid-cols-[minmax(0,220px)_minmax(0,1fr)_auto]"
  >
    <div className="min-w-0">
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
    </div>
    <AttentionReason item={item} />
    <div data-acts className="md:max-w-[220px] md:justify-self-end">
      <AttentionActions item={item} />
    </div>
  </li>
);

/** Asks again for all of a group at once, because the act is the same. */
function AskAll({ items }: { items: readonly AttentionItem[] }) {
  const params = useEnv();
  const ask = useAction(
    async () => {
      for (const { payment_id } of items) {
        await call('POST /dashboard/api/games/{game_id}/{mode}/attention/{payment_id}', {
          params: { ...params, payment_id },
          body: { action: 'ask_again' },
        });
      }
    },
    { done: () => t('attention.askedAll', { count: items.length }) },
  );
  return (
    <Button size="small" icon={<RefreshCw size={14} aria-hidden />} busy={ask.isPending} onClick={() => ask.mutate()}>
      {t('attention.askAll', { count: items.length })}
    </Button>
  );
}

const Group = ({ group, items, askable }: GroupedItems) => (
  <section aria-labelledby={`group-${group}`} className="pb-8">
    <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line pb-2">
      <h2 id={`group-${group}`} className="text-16 font-semibold">
        {t(`attention.group.${group}`)}{' '}
        <span className="font-normal text-soft">{formatNumber(language, items.length)}</span>
      </h2>
      {askable.length > 1 && <AskAll items={askable} />}
    </div>
    <ul aria-labelledby={`group-${group}`}>
      {items.map(item => (
        <Row key={item.payment_id} item={item} />
      ))}
    </ul>
  </section>
);

export function AttentionPage() {
  const params = useEnv();
  const { may } = useCurrentGame();
  const [filters] = useFilters();
  const query = pageQuery(filters);
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/attention', { params, query }, { keep: true });
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  const items = read.data?.data;
  const count = read.data?.count ?? 0;
  return (
    <Page
      title={t('nav.attention')}
      about={t('attention.about')}
      actions={
        <EnvLink to="grants" className={buttonClass({ size: 'small' })}>
          {t('home.seeGrants')}
        </EnvLink>
      }
      badge={count > 0 && <span className="text-16 text-soft">{formatNumber(language, count)}</span>}
    >
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {!items && !read.isError && <ListSkeleton />}
      {read.data?.connections.map(connection => (
        <div key={connection.provider} className="pb-6">
          <Notice tone="bad" icon={<TriangleAlert size={16} aria-hidden />}>
            <p className="font-semibold">{t('attention.connection', { provider: connection.title })}</p>
            <p>
              {t('attention.since')} <Time at={connection.failing_since} />
            </p>
            <ul className="list-disc pl-5">
              {connection.checks.map(({ check, about, advice }) => (
                <li key={`${check} ${about}`}>{advice ?? t(`check.${check}`)}</li>
              ))}
            </ul>
            <EnvLink to="settings/provider" className="inline-block py-1 text-link hover:underline">
              {t('attention.connectionOpen')}
            </EnvLink>
          </Notice>
        </div>
      ))}
      {items && items.length === 0 && read.data?.connections.length === 0 && (
        <EmptyState picture={<CircleCheck size={24} />} title={t('attention.empty')}>
          {t('attention.emptyAbout')}
          <span className="block pt-2">
            {t('attention.checked')} <Ago at={Math.floor(read.dataUpdatedAt / 1000)} />
          </span>
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <>
          {!may('actOnAttention') && <p className="pb-4 text-soft">{t('attention.viewer')}</p>}
          <div ref={list}>
            {groupItems(items).map(grouped => (
              <Group key={grouped.group} {...grouped} />
            ))}
          </div>
        </>
      )}
      <NextPage cursor={read.data?.next_cursor} />
    </Page>
  );
}
