import type { SessionLine } from '@coinslot/contract';
import { Monitor, Smartphone } from 'lucide-react';
import { call } from '../../kit/api.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/cells.tsx';
import { Bar, ReadProblem } from '../../ui/loading.tsx';
import { browserName } from './browser-name.ts';

function Row({ session }: { session: SessionLine }) {
  const { browser, system, isPhone } = browserName(session.user_agent);
  const Icon = isPhone ? Smartphone : Monitor;
  const end = useAction(
    () => call('DELETE /dashboard/api/me/sessions/{session_id}', { params: { session_id: session.id } }),
    { done: () => t('sessions.ended') },
  );
  return (
    <li className="flex flex-wrap items-center gap-4 border-b border-line py-3 first:border-t">
      <Icon size={20} aria-hidden className="text-faint" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          {system ? t('sessions.on', { browser, system }) : browser}
          {session.is_current && (
            <span className="ml-2 rounded-full bg-good-wash px-2 text-12 font-medium text-good">
              {t('sessions.this')}
            </span>
          )}
        </p>
        <p className="text-soft">
          {session.ip} · <Ago at={session.last_seen_at} />
        </p>
      </div>
      {!session.is_current && (
        <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}

export function Sessions() {
  const read = useRead('GET /dashboard/api/me/sessions', {});
  const endOthers = useAction(() => call('POST /dashboard/api/me/sessions/end_others'), {
    done: ({ ended }) => t('sessions.endedOthers', { count: ended }),
  });
  if (read.isError) return <ReadProblem error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Bar className="w-56" />;
  return (
    <div className="grid justify-items-start gap-4">
      <ul className="w-full">
        {read.data.data.map(session => (
          <Row key={session.id} session={session} />
        ))}
      </ul>
      {read.data.data.length > 1 && (
        <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t('sessions.endOthers')}
        </Button>
      )}
    </div>
  );
}
