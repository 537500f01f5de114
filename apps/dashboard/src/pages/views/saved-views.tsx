import type { SavedView } from '@coinslot/contract';
import { useNavigate } from '@tanstack/react-router';
import { Bookmark, Pin, PinOff, Trash2, UserRound, Users } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { Popover } from '../../ui/overlay/popover.tsx';
import { searchOf, type Views } from './use-view.ts';

interface SavedViewsProps {
  views: Views;
  /** Of the columns that are shown. */
  columns: readonly string[];
}

interface SaveFormProps extends SavedViewsProps {
  onSaved(view: SavedView | undefined): void;
}

function SaveForm({ views: { list, open, current }, columns, onSaved }: SaveFormProps) {
  const params = useEnv();
  const [name, setName] = useState(open?.is_own ? open.name : '');
  const [isPinned, setPinned] = useState(true);
  const [isShared, setShared] = useState(open?.is_own ? open.is_shared : false);
  const wanted = name.trim();
  const save = useAction(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/views', {
        params,
        body: {
          list,
          name: wanted,
          filters: current,
          columns: columns.join(','),
          is_pinned: isPinned,
          is_shared: isShared,
        },
      }),
    {
      done: () => t('views.saved'),
      after: ({ data }) => onSaved(data.find(view => view.is_own && view.list === list && view.name === wanted)),
    },
  );
  return (
    <form
      className="grid gap-3 border-t border-line pt-3"
      onSubmit={event => {
        event.preventDefault();
        if (wanted !== '') save.mutate();
      }}
    >
      <TextField label={t('views.name')} maxLength={60} value={name} onChange={({ target }) => setName(target.value)} />
      <Check label={t('views.pinned')} checked={isPinned} onChange={({ target }) => setPinned(target.checked)} />
      <Check label={t('views.shared')} checked={isShared} onChange={({ target }) => setShared(target.checked)} />
      <Button type="submit" look="primary" size="small" busy={save.isPending} disabled={wanted === ''}>
        {t('views.save')}
      </Button>
    </form>
  );
}

function ViewLine({ view, isOpen, onOpen }: { view: SavedView; isOpen: boolean; onOpen(): void }) {
  const params = { ...useEnv(), view_id: view.id };
  const { may } = useCurrentGame();
  const { name, is_own, is_pinned, is_shared, kept_by } = view;
  const change = useAction((body: { is_pinned?: boolean; is_shared?: boolean }) =>
    call('PATCH /dashboard/api/games/{game_id}/{mode}/views/{view_id}', { params, body }),
  );
  const remove = useAction(() => call('DELETE /dashboard/api/games/{game_id}/{mode}/views/{view_id}', { params }));
  const icon = { size: 16 };
  return (
    <li className="flex items-center gap-1">
      <Button
        look="quiet"
        size="small"
        className="-ms-3 min-w-0 flex-1 justify-start"
        aria-pressed={isOpen}
        title={is_own ? name : `${name} · ${t('views.sharedBy', { name: kept_by })}`}
        onClick={onOpen}
      >
        <span className="truncate">{name}</span>
      </Button>
      <IconButton
        label={t(is_pinned ? 'views.unpin' : 'views.pin', { name })}
        icon={is_pinned ? <PinOff {...icon} /> : <Pin {...icon} />}
        onClick={() => change.mutate({ is_pinned: !is_pinned })}
      />
      {is_own && (
        <IconButton
          label={t(is_shared ? 'views.unshare' : 'views.share', { name })}
          icon={is_shared ? <Users {...icon} className="text-link" /> : <UserRound {...icon} />}
          onClick={() => change.mutate({ is_shared: !is_shared })}
        />
      )}
      {(is_own || may('manageTeam')) && (
        <IconButton
          label={t('views.delete', { name })}
          icon={<Trash2 {...icon} />}
          onClick={() => remove.mutate(undefined)}
        />
      )}
    </li>
  );
}

/** The saved views of this list: the member's own, and those that others share. */
export function SavedViews({ views, columns }: SavedViewsProps) {
  const navigate = useNavigate();
  const go = (view: SavedView | undefined): void => {
    if (view) void navigate({ to: '.', search: searchOf(view), resetScroll: false });
  };
  return (
    <Popover
      label={t('views.title')}
      align="end"
      wide
      trigger={<Button icon={<Bookmark size={16} aria-hidden />}>{t('views.title')}</Button>}
    >
      {close => {
        const openView = (view: SavedView | undefined): void => {
          go(view);
          close();
        };
        return (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <p className="font-semibold">{t('views.title')}</p>
            {views.all.length === 0 && <p className="text-soft">{t('views.none')}</p>}
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-1 empty:hidden">
              {views.all.map(view => (
                <ViewLine key={view.id} view={view} isOpen={view.id === views.open?.id} onOpen={() => openView(view)} />
              ))}
            </ul>
            <SaveForm views={views} columns={columns} onSaved={openView} />
          </div>
        );
      }}
    </Popover>
  );
}
