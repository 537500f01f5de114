import { formatCompact } from '../kit/format.ts';
import { useEnv } from '../kit/use-env.ts';
import { useRead } from '../kit/use-read.ts';
import { language, t } from '../texts/texts.ts';
import { EnvLink } from '../ui/env-link.tsx';
import { type Destination, GROUPS } from './navigation.ts';

const ENTRY =
  'flex min-h-8 items-center gap-2.5 rounded-md px-3 py-1.5 text-soft transition-colors hover:bg-chosen hover:text-ink touch-44';
const ACTIVE = 'bg-chosen !text-ink font-semibold';

/** How many entries need a member, for the pages that list them. */
export interface PendingCounts {
  grants: number;
  attention: number;
}

const PendingBadge = ({ count }: { count: number }) => (
  <span className="ml-auto rounded-full bg-bad px-1.5 text-12 font-semibold text-surface">
    {formatCompact(language, count)}
    <span className="sr-only"> {t('nav.grantsWaiting')}</span>
  </span>
);

export function usePendingCounts(): PendingCounts {
  const params = useEnv();
  const first = { params, query: { limit: 1 } };
  const grants = useRead('GET /dashboard/api/games/{game_id}/{mode}/grants', first);
  const attention = useRead('GET /dashboard/api/games/{game_id}/{mode}/attention', first);
  return { grants: grants.data?.waiting ?? 0, attention: attention.data?.count ?? 0 };
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

const countOf = (pending: PendingCounts, to: string): number =>
  to === 'grants' || to === 'attention' ? pending[to] : 0;

export function Sidebar() {
  const pending = usePendingCounts();
  return (
    <nav aria-label={t('nav.label')} className="grid content-start gap-6 p-3">
      {GROUPS.map(({ label, entries }) => (
        <div key={label ?? 'top'}>
          {label && <h2 className="px-3 pb-1 text-12 font-medium text-faint">{t(label)}</h2>}
          <ul className="grid gap-px">
            {entries.map(entry => (
              <Entry key={entry.to} entry={entry} count={countOf(pending, entry.to)} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
