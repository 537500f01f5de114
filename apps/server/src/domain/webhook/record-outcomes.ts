import { coalesce } from '../../db/batching/coalesce.ts';
import type { Db } from '../../db/db.ts';
import type { Signals } from '../../db/signals.ts';
import { type Ending, updateNextOnesUnblocked, updateOutcomes } from './outcomes.sql.ts';

const OPEN: readonly string[] = ['pending', 'held'];

/** Attempts that end at the same time are recorded together: one statement and one commit for many observers. */
export function createOutcomeRecorder({
  db,
  signals,
}: {
  db: Db;
  signals: Signals;
}): (ending: Ending) => Promise<void> {
  return coalesce<Ending, void>({
    maxBatch: 128,
    runMany: async endings => {
      await db.transaction(async tx => {
        const settled = await updateOutcomes(tx, endings);
        const ended = settled.filter(({ orderId, status }) => orderId !== null && !OPEN.includes(status));
        if (ended.length === 0) return;
        const freed = await updateNextOnesUnblocked(tx, ended);
        if (freed.length > 0) tx.afterCommit(() => signals.announce('deliveries'));
      });
      return endings.map(() => undefined);
    },
  });
}
