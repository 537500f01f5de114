import type { Db } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import { findIsReadOnly, updateHeartbeat } from '../../db/health.sql.ts';
import type { Readiness } from './ops-door.ts';

const MAX_SKEW_MS = 60_000;
const ANSWER_WITHIN_MS = 2_000;

async function checkDatabase(db: Db): Promise<string | null> {
  if (await findIsReadOnly(db)) return 'the database is read-only';
  return updateHeartbeat(db).then(
    () => null,
    () => 'the database takes no writes; is its disk full?',
  );
}

/** Red before money is touched: it is about to stop, no database, no writes, or a clock that would make signatures look old. */
export async function readinessOf(db: Db, clock: DbClock, isStopping: boolean): Promise<Readiness> {
  if (isStopping) return { ready: false, problems: ['the server is stopping'] };
  const problems: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve('the database does not answer'), ANSWER_WITHIN_MS);
  });
  const problem = await Promise.race([checkDatabase(db), late]).catch(() => 'the database cannot be reached');
  clearTimeout(timer);
  if (problem) problems.push(problem);
  if (Math.abs(clock.skewMs()) > MAX_SKEW_MS) {
    problems.push(`the clock of this host is ${Math.round(clock.skewMs() / 1000)} s off the database's`);
  }
  return { ready: problems.length === 0, problems };
}
