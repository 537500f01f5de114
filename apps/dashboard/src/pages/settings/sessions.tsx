import type { SessionLine } from '@coinslot/contract';
import { Monitor, Smartphone } from 'lucide-react';
import { call } from '../../kit/api.ts';
import { t } from '../../kit/texts.ts';
import { useAct, useRead } from '../../kit/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/cells.tsx';
import { ReadProblem } from '../../ui/list-view.tsx';
import { Bar } from '../../ui/skeleton.tsx';

const BROWSERS = [/Edg\//, /OPR\//, /Firefox\//, /Chrome\//, /Safari\//] as const;
const BROWSER_NAMES = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari'] as const;
const SYSTEMS = [/Windows/, /iPhone|iPad/, /Android/, /Mac OS X/, /Linux/] as const;
const SYSTEM_NAMES = ['Windows', 'iOS', 'Android', 'macOS', 'Linux'] as const;

/** "Chrome on Linux"; the whole string when it is neither. */
export function browserName(userAgent: string): { browser: string; system: string; isPhone: boolean } {
  const browser = BROWSER_NAMES[BROWSERS.findIndex(pattern => pattern.test(userAgent))];
  const system = SYSTEM_NAMES[SYSTEMS.findIndex(pattern => pattern.test(userAgent))];
  return {
    browser: browser ?? userAgent.slice(0, 40),
    system: system ?? '',
    isPhone: /Mobi|iPhone|Android/.test(userAgent),
  };
}

function Row({ session }: { session: SessionLine }) {
  const { browser, system, isPhone } = browserName(session.user_agent);
  const Icon = isPhone ? Smartphone : Monitor;
  const end = useAct(
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
  const endOthers = useAct(() => call('POST /dashboard/api/me/sessions/end_others'), {
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
