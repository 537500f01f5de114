import type { Item } from '@coinslot/contract';
import { Boxes, Plus, Tag } from 'lucide-react';
import { useState } from 'react';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useNow } from '../../kit/use-now.ts';
import { useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dash, Time } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ItemImage } from '../../ui/images.tsx';
import type { Column } from '../../ui/list/data-table.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { ItemDialog } from './item-dialog.tsx';
import { priceText, saleState, saleText } from './item-price.ts';

export function SaleBadge({ item }: { item: Item }) {
  const now = useNow();
  if (item.sale === null) return null;
  const state = saleState(item, now);
  const isOn = state === 'on';
  return (
    <span
      className={`inline-flex h-6 items-center gap-1 rounded-full px-2 text-12 font-medium ${isOn ? 'bg-good-wash text-good' : 'bg-sunk text-soft'}`}
    >
      <Tag size={14} aria-hidden />
      {saleText(item)}
      {!isOn && ` · ${t(state === 'planned' ? 'items.saleSoon' : 'items.saleOver')}`}
    </span>
  );
}

const columns = (): Column<Item>[] => [
  {
    id: 'item',
    title: t('column.item'),
    lead: true,
    grow: true,
    card: 'title',
    cell: ({ name, sku, image_url }) => (
      <span className="flex items-center gap-3">
        <ItemImage url={image_url} className="size-9" />
        <span className="min-w-0">
          <span className="block truncate" title={name ?? sku}>
            {name ?? sku}
          </span>
          {name && (
            <span className="block truncate font-mono text-12 font-normal text-faint" title={sku}>
              {sku}
            </span>
          )}
        </span>
      </span>
    ),
  },
  {
    id: 'sale',
    title: t('column.sale'),
    card: 'below',
    cell: item => (item.sale ? <SaleBadge item={item} /> : <Dash />),
  },
  {
    id: 'price',
    title: t('column.price'),
    align: 'end',
    card: 'side',
    cell: item => priceText(item) ?? <span className="text-soft">{t('items.noPrice')}</span>,
  },
  {
    id: 'updated',
    title: t('column.changed'),
    align: 'end',
    card: 'corner',
    cell: ({ updated_at }) => <Time at={updated_at} className="text-soft" />,
  },
];

export function ItemsPage() {
  const params = useEnv();
  const { may } = useCurrentGame();
  const [filters] = useFilters();
  const [isAdding, setAdding] = useState(false);
  const query = pageQuery(filters, 'q');
  const page = useRead('GET /dashboard/api/games/{game_id}/{mode}/items', { params, query }, { keep: true });
  const add = may('changeItems') && (
    <Button look="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('items.add')}
    </Button>
  );
  return (
    <Page title={t('nav.items')} actions={add}>
      <FilterBar search={t('items.search')} filters={[]} />
      <ListView
        label={t('nav.items')}
        page={page}
        columns={columns()}
        idOf={row => row.sku}
        linkOf={row => ({ to: 'items/$sku', params: { sku: row.sku } })}
        filterKeys={['q']}
        empty={
          <EmptyState picture={<Boxes size={24} />} title={t('items.empty')} action={add}>
            {t('items.emptyAbout')}
          </EmptyState>
        }
      />
      {isAdding && <ItemDialog item={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}
