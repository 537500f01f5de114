import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export type Mode = 'live' | 'sandbox';

/** Where one is: the game and the mode stand in the address of every page. */
export function useEnv(): { game_id: string; mode: Mode } {
  const params = useParams({ strict: false }) as { gameId?: string; mode?: string };
  return { game_id: params.gameId ?? '', mode: params.mode === 'sandbox' ? 'sandbox' : 'live' };
}

interface EnvLinkProps {
  /** After `/g/$gameId/$mode/`. */
  to: string;
  /** May name another game than the one of the address. */
  params?: Record<string, string>;
  search?: Record<string, string | undefined>;
  className?: string;
  activeClassName?: string;
  exact?: boolean;
  children: ReactNode;
  [data: `data-${string}`]: string | boolean | undefined;
}

export function EnvLink({ to, params, search, className, activeClassName, exact, children, ...rest }: EnvLinkProps) {
  const { game_id, mode } = useEnv();
  return (
    <Link
      to={`/g/$gameId/$mode${to === '' ? '' : `/${to}`}`}
      params={{ gameId: game_id, mode, ...params }}
      search={search ?? {}}
      className={className ?? 'font-medium text-link underline-offset-4 hover:underline'}
      activeProps={activeClassName ? { className: activeClassName } : {}}
      activeOptions={{ exact: exact ?? false, includeSearch: false }}
      {...rest}
    >
      {children}
    </Link>
  );
}
