import { CloudOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { currentConnection, onConnection } from '../kit/connection.ts';
import { formatTime } from '../kit/format.ts';
import { language, t } from '../texts/texts.ts';

export const useConnection = () => useSyncExternalStore(onConnection, currentConnection);

/** Warns that the page shows old data, until the server answers again. */
export function OfflineBanner() {
  const { isOffline, lastSeenAt } = useConnection();
  const seconds = Math.floor(lastSeenAt / 1_000);
  return (
    <div role="status" aria-live="polite">
      {isOffline && (
        <p className="flex items-start justify-center gap-2 border-b border-line bg-warn-wash px-4 py-2 font-medium text-warn">
          <CloudOff size={16} aria-hidden className="mt-0.5 shrink-0" />
          {t('connection.lost', { time: formatTime(language, seconds, seconds) })}
        </p>
      )}
    </div>
  );
}
