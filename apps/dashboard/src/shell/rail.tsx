import { formatCompact } from '../kit/format.ts';
import { useEnv } from '../kit/use-env.ts';
import { useRead } from '../kit/use-read.ts';
import { language, t } from '../texts/texts.ts';
import { EnvLink } from '../ui/env-link.tsx';
import { type Destination, GROUPS } from './navigation.ts';

const ENTRY =
  'flex min-h-8 items-center gap-3 rounded-md px-3 py-1.5 text-soft transition-colors hover:bg-chosen hover:text-ink touch-44';
const ACTIVE = 'bg-chosen !text-ink font-semibold';

/** Paid and not granted: the number stays red until no player waits. */
export const WaitingBadge = ({ count }: { count: number }) =>
  count > 0 ? (
    <span className="ml-auto rounded-full bg-bad px-2 text-12 font-semibold text-surface">
      {formatCompact(language, count)}
      <span className="sr-only"> {t('nav.grantsWaiting')}</span>
    </span>
  ) : null;

/** How many players paid and wait for their items. */
export function useWaiting(): number {
  const params = useEnv();
  const { data } = useRead('GET /dashboard/api/games/{game_id}/{mode}/grants', { params, query: { limit: 1 } });
  return data?.waiting ?? 0;
}

function Entry({ entry, waiting }: { entry: Destination; waiting: number }) {
  const Icon = entry.icon;
  const isAlarm = entry.to === 'grants' && waiting > 0;
  return (
    <li>
      <EnvLink
        to={entry.to}
        exact={entry.to === ''}
        className={isAlarm ? `${ENTRY} !text-bad font-semibold` : ENTRY}
        activeClassName={ACTIVE}
      >
        <Icon size={16} aria-hidden className="shrink-0" />
        {t(entry.label)}
        {entry.to === 'grants' && <WaitingBadge count={waiting} />}
      </EnvLink>
    </li>
  );
}

export function Rail() {
  const waiting = useWaiting();
  return (
    <nav aria-label={t('nav.label')} className="grid content-start gap-6 p-3">
      {GROUPS.map(({ label, entries }) => (
        <div key={label ?? 'top'}>
          {label && <h2 className="px-3 pb-1 text-12 font-medium text-faint">{t(label)}</h2>}
          <ul className="grid gap-px">
            {entries.map(entry => (
              <Entry key={entry.to} entry={entry} waiting={waiting} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
