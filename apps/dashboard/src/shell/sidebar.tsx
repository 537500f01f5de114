import { useLocation } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { formatCompact } from '../kit/format.ts';
import { useCurrentGame } from '../kit/session.ts';
import { useEnv } from '../kit/use-env.ts';
import { useRead } from '../kit/use-read.ts';
import { language, t } from '../texts/texts.ts';
import { EnvLink } from '../ui/env-link.tsx';
import { type Destination, isInSettings, navigationAt } from './navigation.ts';

const ENTRY =
  'flex min-h-8 items-center gap-2.5 rounded-md px-3 py-1.5 text-soft transition-colors hover:bg-chosen hover:text-ink touch-44';
const ACTIVE = 'bg-chosen !text-ink font-semibold';

const PendingBadge = ({ count }: { count: number }) => (
  <span className="ml-auto rounded-full bg-bad px-1.5 text-12 font-semibold text-surface">
    {formatCompact(language, count)}
    <span className="sr-only"> {t('nav.grantsWaiting')}</span>
  </span>
);

/** How many things wait for a member. */
export function usePendingCount(): number {
  const params = useEnv();
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/attention', { params, query: { limit: 1 } });
  return read.data?.count ?? 0;
}

function Entry({ entry, count }: { entry: Destination; count: number }) {
  const Icon = entry.icon;
  return (
    <li>
      <EnvLink
        to={entry.to}
        exact={entry.to === ''}
        className={count > 0 ? `${ENTRY} !text-bad font-semibold` : ENTRY}
        activeClassName={ACTIVE}
      >
        <Icon size={16} aria-hidden className="shrink-0" />
        {t(entry.label)}
        {count > 0 && <PendingBadge count={count} />}
      </EnvLink>
    </li>
  );
}

export function Sidebar() {
  const pending = usePendingCount();
  const { may } = useCurrentGame();
  const path = useLocation({ select: location => location.pathname });
  return (
    <nav aria-label={t('nav.label')} className="grid content-start gap-6 p-3">
      {isInSettings(path) && (
        <EnvLink to="" className={ENTRY}>
          <ChevronLeft size={16} aria-hidden className="shrink-0" />
          {t('dialog.back')}
        </EnvLink>
      )}
      {navigationAt(path, may).map(({ label, entries }) => (
        <div key={entries[0]?.to}>
          {label && <h2 className="px-3 pb-1 text-12 font-medium text-faint">{t(label)}</h2>}
          <ul className="grid gap-px">
            {entries.map(entry => (
              <Entry key={entry.to} entry={entry} count={entry.to === 'attention' ? pending : 0} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
