import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { Fragment, lazy, Suspense, useState } from 'react';
import { loadWhenOnline } from '../kit/connection.ts';
import { useCurrentGame } from '../kit/session.ts';
import { useEnv } from '../kit/use-env.ts';
import { t } from '../texts/texts.ts';
import { GameTile } from '../ui/images.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine, MenuTitle } from '../ui/overlay/menu.tsx';

const AddGameDialog = lazy(
  loadWhenOnline(() =>
    import('./add-game-dialog.tsx').then(({ AddGameDialog: component }) => ({ default: component })),
  ),
);

export function GameSwitcher() {
  const { game, company, companies, may } = useCurrentGame();
  const { mode } = useEnv();
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex h-10 min-w-0 items-center gap-2 rounded-md px-2 text-start hover:bg-sunk touch-44"
          >
            <GameTile name={game.name} url={game.icon_url} />
            <span className="min-w-0">
              <span className="block truncate leading-4 font-semibold" title={game.name}>
                {game.name}
              </span>
              <span className="block truncate text-12 text-soft" title={company.name}>
                {company.name}
              </span>
            </span>
            <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-faint" />
            <span className="sr-only">{t('game.switch')}</span>
          </button>
        }
      >
        {companies.map(one => (
          <Fragment key={one.id}>
            <MenuTitle>{one.name}</MenuTitle>
            {one.games.map(other => (
              <MenuChoice
                key={other.id}
                chosen={other.id === game.id}
                onSelect={() => void navigate({ to: `/g/${other.id}/${mode}` })}
              >
                <GameTile name={other.name} url={other.icon_url} />
                <span className="truncate" title={other.name}>
                  {other.name}
                </span>
              </MenuChoice>
            ))}
          </Fragment>
        ))}
        {may('addGame') && (
          <>
            <MenuLine />
            <MenuItem icon={<Plus size={16} />} onSelect={() => setAdding(true)}>
              {t('game.add')}
            </MenuItem>
          </>
        )}
      </Menu>
      <Suspense fallback={null}>{isAdding && <AddGameDialog onClose={() => setAdding(false)} />}</Suspense>
    </>
  );
}
