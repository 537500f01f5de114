import type { Clock } from '../kit/clock.ts';
import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

/**
 * The database's clock, seen from this process without a question for each look: the process clock plus the measured
 * difference. Good for signatures, sales and ids; whatever decides about money asks the database itself.
 */
export interface DbClock {
  nowMs(): number;
  nowSeconds(): number;
  /** How far this host's clock is off, for the health report. */
  skewMs(): number;
  refresh(): Promise<void>;
}

export const findNow = (db: Queryable): Promise<Date> => db.queryValue(sql('clock_read')`select app_now() as now`);

export function createDbClock(db: Queryable, clock: Clock): DbClock {
  let offsetMs = 0;
  const nowMs = (): number => clock.nowMs() + offsetMs;
  return {
    nowMs,
    nowSeconds: () => Math.floor(nowMs() / 1000),
    skewMs: () => -offsetMs,
    async refresh() {
      const before = clock.nowMs();
      const now = await findNow(db);
      const middle = (before + clock.nowMs()) / 2;
      offsetMs = Math.round(now.getTime() - middle);
    },
  };
}
