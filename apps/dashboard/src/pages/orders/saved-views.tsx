import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { type Filters, pickFilters, readSearch, useFilters, writeSearch } from '../../kit/filters.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Popover } from '../../ui/overlay/popover.tsx';

const VIEWS = 'GET /dashboard/api/games/{game_id}/{mode}/views' as const;

/** The filters as a query string, empty if nothing is filtered. */
export const viewOf = (filters: Filters, keys: readonly string[]): string =>
  writeSearch(pickFilters(filters, ...keys)).slice(1);

function SaveForm({ filters, onSaved }: { filters: string; onSaved(): void }) {
  const params = useEnv();
  const [name, setName] = useState('');
  const save = useAction(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/views', {
        params,
        body: { list: 'orders', name: name.trim(), filters },
      }),
    { done: () => t('views.saved'), after: onSaved },
  );
  return (
    <form
      className="grid gap-3 border-t border-line pt-3"
      onSubmit={event => {
        event.preventDefault();
        if (name.trim() !== '') save.mutate();
      }}
    >
      <TextField label={t('views.name')} maxLength={60} value={name} onChange={({ target }) => setName(target.value)} />
      <Button type="submit" look="primary" size="small" busy={save.isPending} disabled={name.trim() === ''}>
        {t('views.save')}
      </Button>
    </form>
  );
}

/** Filters that the member has saved under a name. */
export function SavedViews({ keys }: { keys: readonly string[] }) {
  const params = useEnv();
  const [filters, change] = useFilters();
  const views = useRead(VIEWS, { params });
  const current = viewOf(filters, keys);
  const remove = useAction((id: string) =>
    call('DELETE /dashboard/api/games/{game_id}/{mode}/views/{view_id}', { params: { ...params, view_id: id } }),
  );
  const open = (text: string): void => {
    const wanted = readSearch(text);
    change(Object.fromEntries(keys.map(key => [key, wanted[key]])));
  };
  const list = views.data?.data ?? [];
  return (
    <Popover
      label={t('views.title')}
      align="end"
      trigger={<Button icon={<Bookmark size={16} aria-hidden />}>{t('views.title')}</Button>}
    >
      {close => (
        <div className="grid gap-3">
          <p className="font-semibold">{t('views.title')}</p>
          {list.length === 0 && <p className="text-soft">{t('views.none')}</p>}
          <ul className="grid gap-1 empty:hidden">
            {list.map(view => (
              <li key={view.id} className="flex items-center gap-1">
                <Button
                  look="quiet"
                  size="small"
                  className="min-w-0 flex-1 justify-start"
                  aria-pressed={view.filters === current}
                  onClick={() => {
                    open(view.filters);
                    close();
                  }}
                >
                  <span className="truncate" title={view.name}>
                    {view.name}
                  </span>
                </Button>
                <IconButton
                  label={t('views.delete', { name: view.name })}
                  icon={<Trash2 size={16} />}
                  onClick={() => remove.mutate(view.id)}
                />
              </li>
            ))}
          </ul>
          {current === '' ? (
            <p className="border-t border-line pt-3 text-12 text-soft">{t('views.filterFirst')}</p>
          ) : (
            <SaveForm filters={current} onSaved={close} />
          )}
        </div>
      )}
    </Popover>
  );
}
