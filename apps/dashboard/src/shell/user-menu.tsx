import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LogOut, MonitorCog, Moon, Sun, UserRound } from 'lucide-react';
import { useState } from 'react';
import { call } from '../kit/api.ts';
import { initialOf } from '../kit/format.ts';
import { clearMessages, notifyProblem } from '../kit/messages.ts';
import { useSession } from '../kit/session.ts';
import { currentTheme, setTheme, THEMES } from '../kit/theme.ts';
import { useEnv } from '../kit/use-env.ts';
import { t } from '../texts/texts.ts';
import { EnvLink } from '../ui/env-link.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine, MenuTitle } from '../ui/overlay/menu.tsx';

const ICONS = { auto: MonitorCog, light: Sun, dark: Moon } as const;

function useSignOut(): () => void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signOut = async (): Promise<void> => {
    await call('POST /dashboard/api/sign_out');
    clearMessages();
    await navigate({ to: '/sign-in' });
    queries.clear();
  };
  return () => void signOut().catch(notifyProblem);
}

const LINK = 'flex min-h-11 items-center gap-3 rounded-md px-3 text-soft hover:bg-chosen hover:text-ink';

/** Shown in the drawer on a phone. */
export function AccountLinks() {
  const { data } = useSession();
  const signOut = useSignOut();
  return (
    <div className="grid border-t border-line p-3">
      <p className="truncate px-3 pb-1 text-12 text-faint" title={data?.user?.email}>
        {data?.user?.email}
      </p>
      <EnvLink to="settings/profile" className={LINK}>
        <UserRound size={16} aria-hidden />
        {t('nav.profile')}
      </EnvLink>
      <button type="button" className={LINK} onClick={signOut}>
        <LogOut size={16} aria-hidden />
        {t('user.signOut')}
      </button>
    </div>
  );
}

export function UserMenu() {
  const { data } = useSession();
  const { game_id, mode } = useEnv();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const [theme, changeTheme] = useState(currentTheme);
  const name = data?.user?.name || data?.user?.email || '';
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t('user.menu', { name })}
          className="grid size-9 shrink-0 place-items-center rounded-full border border-line bg-sunk text-12 font-semibold uppercase hover:border-edge pointer-coarse:size-11"
        >
          {initialOf(name)}
        </button>
      }
    >
      <MenuTitle>{data?.user?.email}</MenuTitle>
      <MenuItem
        icon={<UserRound size={16} />}
        onSelect={() => void navigate({ to: `/g/${game_id}/${mode}/settings/profile` })}
      >
        {t('nav.profile')}
      </MenuItem>
      <MenuLine />
      <MenuTitle>{t('theme.label')}</MenuTitle>
      {THEMES.map(one => {
        const Icon = ICONS[one];
        return (
          <MenuChoice
            key={one}
            stay
            chosen={theme === one}
            onSelect={() => {
              setTheme(one);
              changeTheme(one);
            }}
          >
            <Icon size={16} aria-hidden className="text-soft" />
            {t(`theme.${one}`)}
          </MenuChoice>
        );
      })}
      <MenuLine />
      <MenuItem icon={<LogOut size={16} />} onSelect={signOut}>
        {t('user.signOut')}
      </MenuItem>
    </Menu>
  );
}
