import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnv } from '../kit/use-env.ts';

interface EnvLinkProps {
  /** The path after `/g/$gameId/$mode/`. */
  to: string;
  /** May override the game of the current address. */
  params?: Record<string, string>;
  search?: Record<string, string | undefined>;
  className?: string;
  activeClassName?: string;
  exact?: boolean;
  children: ReactNode;
  'aria-label'?: string;
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
