import type { AttentionItem, AttentionView, AttentionPage as Inbox } from '@coinslot/contract';
import { CircleCheck, RefreshCw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { call } from '../../kit/api.ts';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { formatNumber } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Ago } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { NextPage } from '../../ui/list/paging.tsx';
import { ListSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { groupItems } from './attention-groups.ts';
import { ConnectionRow, DifferenceRow, PaymentRow } from './attention-rows.tsx';
import { useRowKeys } from './use-row-keys.ts';

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

interface GroupProps {
  group: 'connections' | 'bank' | 'money' | 'game' | 'books';
  count: number;
  action?: ReactNode;
  children: ReactNode;
}

const Group = ({ group, count, action, children }: GroupProps) => (
  <section aria-labelledby={`group-${group}`} className="pb-8">
    <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line pb-2">
      <h2 id={`group-${group}`} className="text-16 font-semibold">
        {t(`attention.group.${group}`)} <span className="font-normal text-soft">{formatNumber(language, count)}</span>
      </h2>
      {action}
    </div>
    <ul aria-labelledby={`group-${group}`}>{children}</ul>
  </section>
);

/** By what is to be done: what stops payments first, then what has a deadline. */
const Groups = ({ inbox }: { inbox: Inbox }) => (
  <>
    {inbox.connections.length > 0 && (
      <Group group="connections" count={inbox.connections.length}>
        {inbox.connections.map(connection => (
          <ConnectionRow key={connection.account_id} connection={connection} />
        ))}
      </Group>
    )}
    {groupItems(inbox.data).map(({ group, items, askable }) => (
      <Group key={group} group={group} count={items.length} action={askable.length > 1 && <AskAll items={askable} />}>
        {items.map(item => (
          <PaymentRow key={item.payment_id} item={item} />
        ))}
      </Group>
    ))}
    {inbox.differences.length > 0 && (
      <Group group="books" count={inbox.differences.length}>
        {inbox.differences.map(difference => (
          <DifferenceRow key={difference.id} difference={difference} />
        ))}
      </Group>
    )}
  </>
);

const VIEWS: readonly AttentionView[] = ['open', 'mine', 'snoozed'];

export function AttentionPage() {
  const params = useEnv();
  const { may } = useCurrentGame();
  const [filters, change] = useFilters();
  const view = VIEWS.find(one => one === filters.view) ?? 'open';
  // Must equal the query of the bootstrap script, or the list would be requested twice.
  const query = { ...pageQuery(filters), ...(view !== 'open' && { view }) };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/attention', { params, query }, { keep: true });
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  const inbox = read.data;
  const count = inbox?.count ?? 0;
  const isEmpty = inbox && inbox.data.length + inbox.connections.length + inbox.differences.length === 0;
  const named = (name: string, number: number | undefined): string =>
    number ? `${name} ${formatNumber(language, number)}` : name;
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
      <div className="pb-6">
        <Segments
          label={t('attention.views')}
          value={view}
          choices={[
            ['open', t('attention.view.open')],
            ['mine', t('attention.view.mine')],
            ['snoozed', named(t('attention.view.snoozed'), inbox?.snoozed)],
          ]}
          onChange={chosen => change({ view: chosen === 'open' ? undefined : chosen })}
        />
      </div>
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {!inbox && !read.isError && <ListSkeleton />}
      {isEmpty && (
        <EmptyState picture={<CircleCheck size={24} />} title={t(`attention.empty.${view}`)}>
          {t(`attention.emptyAbout.${view}`)}
          <span className="block pt-2">
            {t('attention.checked')} <Ago at={Math.floor(read.dataUpdatedAt / 1000)} />
          </span>
        </EmptyState>
      )}
      {inbox && !isEmpty && (
        <>
          {!may('actOnAttention') && <p className="pb-4 text-soft">{t('attention.viewer')}</p>}
          <div ref={list}>
            <Groups inbox={inbox} />
          </div>
        </>
      )}
      <NextPage cursor={inbox?.next_cursor} />
    </Page>
  );
}
