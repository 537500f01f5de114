import { useRead } from '../../kit/use-read.ts';
import { t, tryText } from '../../texts/texts.ts';
import { Time } from '../../ui/cells.tsx';
import { Bar, ReadProblem } from '../../ui/loading.tsx';

const SHOWN = 20;

/** Lists what happened to the member's own account, so that they notice a sign-in by a stranger. */
export function SecurityEvents() {
  const read = useRead('GET /dashboard/api/me/security_events', { query: { limit: SHOWN } });
  if (read.isError) return <ReadProblem error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Bar className="w-56" />;
  if (read.data.data.length === 0) return <p className="text-soft">{t('audit.empty')}</p>;
  return (
    <ul className="w-full">
      {read.data.data.map(event => (
        <li key={event.id} className="flex flex-wrap gap-x-4 border-b border-line py-3 first:border-t">
          <span className={`min-w-0 flex-1 basis-56 ${event.kind.endsWith('_failed') ? 'text-bad' : ''}`}>
            {tryText(`audit.${event.kind}`) ?? event.kind}
          </span>
          <span className="text-soft">{event.ip}</span>
          <Time at={event.created_at} className="text-soft" />
        </li>
      ))}
    </ul>
  );
}
