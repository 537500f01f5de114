import type { Item } from '@coinslot/contract';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useNow } from '../../kit/use-now.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dash, Time } from '../../ui/cells.tsx';
import { CopyId } from '../../ui/code-block.tsx';
import { ItemImage } from '../../ui/images.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Fact, Facts, Page, Section } from '../../ui/page.tsx';
import { ItemDialog } from './item-dialog.tsx';
import { priceText, saleState, saleText } from './item-price.ts';
import { SaleBadge } from './items-page.tsx';

function DeleteItem({ sku, name, onClose }: { sku: string; name: string; onClose(): void }) {
  const scope = useEnv();
  const navigate = useNavigate();
  const remove = useAction(
    () => call('DELETE /dashboard/api/games/{game_id}/{mode}/items/{sku}', { params: { ...scope, sku } }),
    {
      quiet: true,
      done: () => t('items.deleted', { name }),
      after: () => void navigate({ to: `/g/${scope.game_id}/${scope.mode}/items` }),
    },
  );
  return (
    <ConfirmDialog
      question={t('items.deleteAsk', { name })}
      action={t('items.deleteDo')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('items.deleteAbout')}
    </ConfirmDialog>
  );
}

function ItemFacts({ item }: { item: Item }) {
  const now = useNow();
  return (
    <Facts>
      <Fact name={t('column.price')}>
        <span className="font-semibold">{priceText(item) ?? t('items.noPrice')}</span>
      </Fact>
      {item.sale && (
        <Fact name={t('column.sale')}>
          {saleText(item)}
          {saleState(item, now) === 'on' ? '' : ` (${t('items.saleOff')})`}
          {item.sale.starts_at !== undefined && (
            <>
              {' '}
              {t('items.saleFrom')} <Time at={item.sale.starts_at} />
            </>
          )}
          {item.sale.ends_at !== undefined && (
            <>
              {' '}
              {t('items.saleTo')} <Time at={item.sale.ends_at} />
            </>
          )}
        </Fact>
      )}
      <Fact name={t('items.sku')}>
        <CopyId id={item.sku} label={t('items.sku')} />
      </Fact>
      <Fact name={t('column.firstSeen')}>
        <Time at={item.created_at} />
      </Fact>
      <Fact name={t('column.changed')}>
        <Time at={item.updated_at} />
      </Fact>
    </Facts>
  );
}

export function ItemPage() {
  const scope = useEnv();
  const { may } = useCurrentGame();
  const { sku = '' } = useParams({ strict: false }) as { sku?: string };
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/items/{sku}', { params: { ...scope, sku } });
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const item = read.data;
  return (
    <Page
      title={item.name ?? item.sku}
      badge={<SaleBadge item={item} />}
      back={{ to: 'items', label: t('nav.items') }}
      actions={
        may('changeItems') && (
          <>
            <Button icon={<Pencil size={16} aria-hidden />} onClick={() => setOpen('edit')}>
              {t('items.edit')}
            </Button>
            <Button icon={<Trash2 size={16} aria-hidden />} onClick={() => setOpen('delete')}>
              {t('items.delete')}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-wrap items-start gap-8 border-t border-line pt-6">
        <ItemImage url={item.image_url} className="size-32" />
        <div className="min-w-0 flex-1 basis-72">
          <ItemFacts item={item} />
        </div>
      </div>
      <Section title={t('items.description')} className="mt-6">
        {item.description ? <p className="max-w-[65ch] whitespace-pre-wrap">{item.description}</p> : <Dash />}
      </Section>
      {open === 'edit' && <ItemDialog item={item} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteItem sku={item.sku} name={item.name ?? item.sku} onClose={() => setOpen(null)} />}
    </Page>
  );
}
