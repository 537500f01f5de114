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
  return db.coalesce<Ending, void>({
    maxBatch: 128,
    runMany: async (tx, endings) => {
      const settled = await updateOutcomes(tx, endings);
      const ended = settled.filter(({ orderId, status }) => orderId !== null && !OPEN.includes(status));
      const freed = ended.length > 0 ? await updateNextOnesUnblocked(tx, ended) : [];
      if (freed.length > 0) tx.afterCommit(() => signals.announce('deliveries'));
      return endings.map(() => undefined);
    },
  });
}
