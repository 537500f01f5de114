import { Outlet, useLocation } from '@tanstack/react-router';
import { FlaskConical, Menu as MenuIcon, Search, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { loadWhenOnline } from '../kit/connection.ts';
import { useIsSimulated } from '../kit/session.ts';
import { useEnv } from '../kit/use-env.ts';
import { t } from '../texts/texts.ts';
import { IconButton } from '../ui/button.tsx';
import { EnvLink } from '../ui/env-link.tsx';
import { Mark } from '../ui/images.tsx';
import { PageSkeleton } from '../ui/loading.tsx';
import { GameSwitcher } from './game-switcher.tsx';
import { DESTINATIONS } from './navigation.ts';
import { OfflineBanner, useConnection } from './offline-banner.tsx';
import { type Hotkey, hotkeyOf } from './palette-actions.ts';
import { SandboxToggle } from './sandbox-toggle.tsx';
import { Sidebar, usePendingCount } from './sidebar.tsx';
import { useLiveUpdates } from './use-live-updates.ts';
import { AccountLinks, UserMenu } from './user-menu.tsx';

const ShortcutsDialog = lazy(
  loadWhenOnline(() =>
    import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog: component }) => ({ default: component })),
  ),
);
const CommandPalette = lazy(
  loadWhenOnline(() =>
    import('./command-palette.tsx').then(({ CommandPalette: component }) => ({ default: component })),
  ),
);

function useHotkeys(open: (hotkey: Hotkey) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      const isTyping = target.closest('input, textarea, select, [contenteditable], dialog') !== null;
      const hotkey = hotkeyOf(event, isTyping);
      if (hotkey === null) return;
      event.preventDefault();
      open(hotkey);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);
}

function Drawer({ onClose }: { onClose(): void }) {
  const box = useRef<HTMLDialogElement>(null);
  const path = useLocation({ select: location => location.pathname });
  const first = useRef(path);
  useEffect(() => box.current?.showModal(), []);
  useEffect(() => {
    if (first.current !== path) onClose();
  }, [path, onClose]);
  return (
    <dialog
      ref={box}
      aria-label={t('nav.label')}
      onCancel={onClose}
      onPointerDown={event => {
        if (event.target === box.current) onClose();
      }}
      className="rise m-0 h-dvh max-h-none w-[304px] max-w-[85vw] bg-ground p-0 shadow-float"
    >
      <div className="flex h-14 items-center justify-between pr-2 pl-5">
        <span className="flex items-center gap-2 text-16 font-semibold">
          <Mark /> Coinslot
        </span>
        <IconButton label={t('dialog.close')} icon={<X size={20} />} onClick={onClose} />
      </div>
      <Sidebar />
      <AccountLinks />
    </dialog>
  );
}

/** The sandbox and a live that is only simulated look alike, because both mean that no real money moves. */
const TestBanner = ({ name, about }: { name: string; about: string }) => (
  <div className="relative">
    <div aria-hidden className="stripes h-1.5" />
    <p className="flex h-6 items-center justify-center gap-2 bg-warn-wash px-4 text-12 font-semibold text-warn">
      <FlaskConical size={14} aria-hidden />
      <span className="tracking-[0.06em] uppercase">{name}</span>
      <span className="font-medium max-sm:hidden">{about}</span>
    </p>
  </div>
);

function TopBar({ onSearch }: { onSearch(): void }) {
  const { mode } = useEnv();
  const isSimulated = useIsSimulated();
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      {mode === 'sandbox' && <TestBanner name={t('sandbox.name')} about={t('sandbox.about')} />}
      {isSimulated && <TestBanner name={t('simulator.name')} about={t('simulator.about')} />}
      <div className="flex h-14 items-center gap-2 px-2 md:gap-3 md:px-4">
        <EnvLink to="" className="flex w-[224px] shrink-0 items-center gap-2 text-16 font-semibold max-md:hidden">
          <Mark />
          Coinslot
        </EnvLink>
        <GameSwitcher />
        <div className="flex-1" />
        <button
          type="button"
          onClick={onSearch}
          aria-label={t('command.open')}
          className="flex h-9 items-center gap-2 rounded-md border border-line px-3 text-faint hover:border-edge max-md:size-11 max-md:justify-center max-md:border-0 max-md:px-0 md:w-56"
        >
          <Search size={16} aria-hidden className="max-md:size-5" />
          <span className="flex-1 text-start max-md:hidden">{t('command.placeholder')}</span>
          <kbd className="rounded-sm border border-line px-1.5 font-mono text-12 max-md:hidden">/</kbd>
        </button>
        <SandboxToggle />
        <div className="max-md:hidden">
          <UserMenu />
        </div>
      </div>
    </header>
  );
}

function BottomBar({ onMenu }: { onMenu(): void }) {
  const pending = usePendingCount();
  // Each entry is as wide as its label, because equal widths would cut off long labels on a narrow phone.
  const entry = 'relative grid h-14 flex-auto place-content-center justify-items-center gap-0.5 px-1 text-12 text-soft';
  return (
    <nav
      aria-label={t('nav.thumb')}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {DESTINATIONS.filter(({ inBottomBar }) => inBottomBar).map(({ to, label, icon: Icon }) => (
        <EnvLink
          key={to}
          to={to}
          exact={to === ''}
          className={entry}
          activeClassName="!text-ink before:absolute before:inset-x-4 before:top-0 before:h-0.5 before:bg-mark"
        >
          <Icon size={20} aria-hidden />
          <span className="truncate tracking-[-0.03em]">{t(label)}</span>
        </EnvLink>
      ))}
      <button type="button" onClick={onMenu} className={entry}>
        <MenuIcon size={20} aria-hidden />
        {t('nav.more')}
        {pending > 0 && <span aria-hidden className="absolute top-2 right-1/3 size-2.5 rounded-full bg-bad" />}
      </button>
    </nav>
  );
}

export function Shell() {
  const { mode } = useEnv();
  const { isOffline } = useConnection();
  const isSimulated = useIsSimulated();
  const [isSearching, setSearching] = useState(false);
  const [areShortcutsShown, setShortcutsShown] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [openSearch] = useState(() => () => setSearching(true));
  const [closeMenu] = useState(() => () => setMenuOpen(false));
  const [openByKey] = useState(
    () => (hotkey: Hotkey) => (hotkey === 'keys' ? setShortcutsShown(true) : setSearching(true)),
  );
  useHotkeys(openByKey);
  useLiveUpdates();
  return (
    <div data-mode={mode} className={`min-h-dvh sandbox:[--bar:86px] ${isSimulated ? '[--bar:86px]' : '[--bar:56px]'}`}>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 font-semibold text-surface focus:translate-y-0"
      >
        {t('nav.skip')}
      </a>
      <TopBar onSearch={openSearch} />
      <div className="flex min-h-[calc(100dvh-var(--bar))]">
        <aside className="w-[248px] shrink-0 border-r border-line bg-ground max-md:hidden">
          <div className="sticky top-(--bar) max-h-[calc(100dvh-var(--bar))] overflow-y-auto">
            <Sidebar />
          </div>
        </aside>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 max-md:pb-16">
          <OfflineBanner />
          <div className={isOffline ? 'grayscale' : ''}>
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
            </Suspense>
          </div>
        </main>
      </div>
      <BottomBar onMenu={() => setMenuOpen(true)} />
      {isMenuOpen && <Drawer onClose={closeMenu} />}
      <Suspense fallback={null}>
        {isSearching && (
          <CommandPalette onClose={() => setSearching(false)} onShortcuts={() => setShortcutsShown(true)} />
        )}
        {areShortcutsShown && <ShortcutsDialog onClose={() => setShortcutsShown(false)} />}
      </Suspense>
    </div>
  );
}
